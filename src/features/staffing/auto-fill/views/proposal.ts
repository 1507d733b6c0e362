import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { noteView } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import { readMonth, startOfDay } from '#platform/i18n/days.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, hiddenField, selectField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, filterFormView, postButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { LastRun } from '../queries/last-run.ts'
import { writeFixed } from '../rules/chosen.ts'
import { POOLS } from '../rules/pool.ts'
import { type LoadedProposal, shiftTitle } from '../rules/proposal.ts'
import { type FillOptions, writeFillOptions } from '../schema.ts'
import { shiftsView } from './shifts.ts'

export const FILL = '/planning/fill/'
export const FILL_CANCEL = `${FILL}cancel/`
export const FILL_UNDO = `${FILL}undo/`
export const FILL_WEIGHTS = '/manage/fill/'
type ProposalData = ReasonContext & {
  csrfToken: string
  options: FillOptions
  proposal: LoadedProposal
  /** What the reader filled last, while it can be undone. */
  lastRun: LastRun | undefined
  /** The people shown, for the address of the next proposal. */
  shown: string | undefined
  comparison: Html | undefined
  isStaff: boolean
}

export async function proposalView(data: ProposalData): Promise<Html> {
  const { words, csrfToken, options, proposal } = data
  const places = Map.groupBy(proposal.places, ({ place }) => place.shiftId)
  const chosen = proposal.places.reduce((sum, { choices }) => sum + choices.length, 0)
  const missing = proposal.places.reduce((sum, { gap }) => sum + (gap?.count ?? 0), 0)
  const facts =
    proposal.shifts.length === 0
      ? undefined
      : [words.t('fill.found', { count: chosen }), missing > 0 && words.t('fill.missing', { count: missing })]
          .filter(Boolean)
          .join(' · ')
  const shifts = await shiftsView(data, places)
  const refill = buttonView({ label: words.t('fill.refill'), kind: 'secondary', icon: 'refresh-cw', name: 'do', value: 'refill' })
  const apply = html`<div class="cluster">${buttonView({ label: words.t('fill.apply', { count: chosen }), icon: 'check' })}${refill}</div><p class="help">${words.t('fill.refill_help')}</p>`
  return html`${pageHeadView({ title: words.t('fill.title'), facts })}
${lastRunView(data)}
${scopeView(data)}
${data.comparison}
${notesView(data)}
${
  proposal.shifts.length === 0
    ? emptyView({ icon: 'circle-check', text: words.t('fill.nothing_open') })
    : html`<form id="proposal" method="post" action="${FILL}?${writeFillOptions(options)}" class="stack">${csrfField(csrfToken)}
${shifts}
${chosen > 0 && apply}</form>`
}`
}

/** Stays for a day, so that a filling can be taken back after the message is gone. */
function lastRunView({ words, now, csrfToken, lastRun }: ProposalData): Html | false {
  if (!lastRun) return false
  const lines = lastRun.people.map(
    ({ name, start, end, ...shift }) =>
      html`<li>${name ?? words.t('fill.somebody')}: ${shiftTitle(shift)}, ${words.span(start, end, now)}</li>`,
  )
  const title = words.t('fill.last', { count: lastRun.people.length, when: words.relative(lastRun.appliedAt, now) })
  const undo = postButtonView({
    action: FILL_UNDO,
    csrfToken,
    fields: { run: lastRun.id },
    label: words.t('ui.undo'),
    icon: 'undo-2',
    kind: 'secondary',
    small: true,
  })
  return html`<section class="notice tone-info fill-last">${iconView('history')}<div><details><summary>${title}</summary><ul>${lines}</ul></details>${undo}</div></section>`
}

/** The choice of people, and for a month the way to its neighbours. */
function scopeView({ words, options: all, proposal, shown, isStaff }: ProposalData): Html {
  const { scope, pool, isOptionalFilled, fixed } = all
  const month = scope.kind === 'month' ? readMonth(scope.month, words.language) : undefined
  const link = (name: string, label: string, icon: IconName) =>
    html`<a class="button secondary icon-only" href="${FILL}?${writeFillOptions({ scope: { kind: 'month', month: name }, pool, isOptionalFilled, fixed: [] })}">${iconView(icon, { title: label })}</a>`
  const kept = scope.kind === 'month' ? { name: 'month', value: scope.month } : { name: scope.kind, value: String(scope.id) }
  const options = POOLS.map((value) => ({ value, label: words.t(`fill.pool_${value}`) }))
  return html`${
    month &&
    html`<nav class="fill-months" aria-label="${words.t('fill.month')}">${link(month.previous, words.t('fill.previous_month'), 'chevron-left')}<strong>${words.month(startOfDay(month.days[0]!, words.timeZone))}</strong>${link(month.next, words.t('fill.next_month'), 'chevron-right')}</nav>`
  }
${filterFormView({
  action: FILL,
  submit: words.t('fill.propose'),
  fields: html`${hiddenField(kept.name, kept.value)}${fixed.map((one) => hiddenField('fix', writeFixed(one)))}${shown !== undefined && hiddenField('was', shown)}${selectField({ words, name: 'pool', label: words.t('fill.pool'), value: proposal.pool, options, placeholder: false })}${checkboxField({ words, name: 'optional', label: words.t('fill.optional'), checked: isOptionalFilled })}`,
})}${isStaff && html`<p class="help fill-weights"><a href="${FILL_WEIGHTS}?${new URLSearchParams({ fill: writeFillOptions(all, shown) }).toString()}">${words.t('fill.weights_place_text')}</a></p>`}`
}

function notesView({ words, options, proposal }: ProposalData): Html[] {
  const notes = [
    options.pool === undefined && proposal.pool === 'everyone' && proposal.shifts.length > 0 && words.t('fill.nobody_requested'),
    proposal.lost > 0 && words.t('fill.fixed_lost', { count: proposal.lost }),
    proposal.hasMoreShifts && words.t('fill.more_shifts', { count: proposal.shifts.length }),
    proposal.isOutOfTime && words.t('fill.out_of_time'),
    proposal.hasMorePeople && words.t('fill.more_people', { count: proposal.people.size }),
    proposal.skipped.length > 0 && words.t('fill.skipped', { titles: words.list(proposal.skipped.map(shiftTitle)) }),
  ]
  return notes.filter((note) => note !== false).map((note) => noteView('info', html`${note}`))
}
