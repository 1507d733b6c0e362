import { eventPath } from '#features/events/events/rules/slug.ts'
import { roundHours } from '#features/on-the-day/hours/rules.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { needsText, placeText } from '#features/staffing/staffing/views/explanations.ts'
import { noteView, warningText } from '#features/staffing/staffing/views/reasons.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { readMonth, startOfDay } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { mapInTurns } from '#platform/thread.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, hiddenField, selectField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, filterFormView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { LastRun } from '../queries/last-run.ts'
import { fieldName, writeChosen, writeFixed } from '../rules/chosen.ts'
import type { Ledger } from '../rules/ledger.ts'
import { POOLS } from '../rules/pool.ts'
import {
  type Candidate,
  type Choice,
  type FilledPlace,
  type Gap,
  type LoadedProposal,
  type Obstacle,
  type OpenPlace,
  type ProposedPerson,
  type ScopedShift,
  shiftTitle,
} from '../rules/proposal.ts'
import { type FillOptions, writeFillOptions } from '../schema.ts'

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
  const cards = await mapInTurns(proposal.shifts, (shift) => shiftView(data, shift, places.get(shift.id) ?? []))
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
${cards}
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
  const link = (name: string, label: string) =>
    linkButtonView({
      href: `${FILL}?${writeFillOptions({ scope: { kind: 'month', month: name }, pool, isOptionalFilled, fixed: [] })}`,
      label,
      small: true,
    })
  const kept = scope.kind === 'month' ? { name: 'month', value: scope.month } : { name: scope.kind, value: String(scope.id) }
  const options = POOLS.map((value) => ({ value, label: words.t(`fill.pool_${value}`) }))
  return html`${
    month &&
    html`<nav class="cluster fill-months" aria-label="${words.t('fill.month')}">${link(month.previous, words.t('fill.previous_month'))}<strong>${words.month(startOfDay(month.days[0]!, words.timeZone))}</strong>${link(month.next, words.t('fill.next_month'))}</nav>`
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

function shiftView(data: ProposalData, shift: ScopedShift, places: readonly FilledPlace[]): Html {
  const { words, now } = data
  const body = html`<p>${words.span(shift.start, shift.end, now)} · <a href="${eventPath(shift.eventId, shift.eventTitle)}">${words.t('fill.event')}</a> · <a href="${boardPath(shift.id)}">${words.t('fill.board')}</a></p>
<ul class="fill-places">${places.map((place) => placeView(data, shift, place))}</ul>`
  return cardView({ title: shiftTitle(shift), body })
}

function placeView(data: ProposalData, shift: ScopedShift, { place, choices, gap }: FilledPlace): Html {
  const title = placeText(data, place.label)
  const needs = needsText(data, place.needs)
  const isNamed = title === needs
  return html`${choices.map((choice, index) => {
    const name = fieldName(place.id, index)
    return html`<li class="fill-place"><label for="${name}">${title}${needs && !isNamed && html` <small>${needs}</small>`}</label>
${personSelect(data, { name, shift, choice, filled: { place, choices, gap } })}
<div>${fixView(data, name, { place, choice })}<p class="help">${whyText(data, choice)}</p></div>
${choice.chance.warnings.map((warning) => noteView('triangle-alert', html`${warningText(data, warning)}`))}</li>`
  })}${gap && gapView(data, title, gap)}`
}

/** Ticked: the person stays on the place when the rest is proposed again. */
function fixView({ words, proposal }: ProposalData, name: string, { place, choice }: { place: OpenPlace; choice: Choice }): Html {
  const box = {
    type: 'checkbox',
    id: `fix-${name}`,
    name: 'fix',
    value: name,
    checked: proposal.isFixed(place.id, choice.candidate.id),
  }
  return html`<label class="choice fill-fix" for="fix-${name}"><input ${attrs(box)}><span>${words.t('fill.fix')}<span class="sr-only">: ${proposal.people.get(choice.candidate.id)!.name}</span></span></label>`
}

type PersonSelect = { name: string; shift: ScopedShift; choice: Choice; filled: FilledPlace }

function personSelect({ words, proposal }: ProposalData, { name, shift, choice, filled }: PersonSelect): Html {
  const { place } = filled
  const stored = place.place === null ? undefined : proposal.isPlaceOptional(shift.id) ? '' : place.place
  const personOf = ({ id }: Candidate): ProposedPerson => proposal.people.get(id)!
  const fieldValueOf = (candidate: Candidate) => {
    const { who, versions } = personOf(candidate)
    return writeChosen({ shiftId: shift.id, who, version: versions.get(shift.id) ?? null, place: stored })
  }
  const others = choice.alternatives.map(({ candidate, isUsed }) => {
    const text = isUsed ? words.t('fill.used_elsewhere', { name: personOf(candidate).name }) : personOf(candidate).name
    return html`<option value="${fieldValueOf(candidate)}">${text}</option>`
  })
  return html`<select id="${name}" name="${name}"><option value="${fieldValueOf(choice.candidate)}" selected>${personOf(choice.candidate).name}</option>${others}<option value="">${words.t('fill.leave_open')}</option></select>`
}

/** Why this person: the request, the wish, and how much they did compared with others. */
function whyText({ words, proposal }: ProposalData, { candidate, chance, isOnly }: Choice): string {
  const ledger = proposal.people.get(candidate.id)!.ledger
  const parts = [
    chance.isRequested && words.t('fill.why_requested'),
    chance.wished && words.t('fill.why_wished'),
    chance.isAvailable && words.t('fill.why_available'),
    isOnly && words.t('fill.why_only'),
    ledger && ledgerText(words, ledger, proposal),
  ]
  return parts.filter(Boolean).join(' ')
}

const KINDS = ['nights', 'weekends', 'refusals'] as const

/** What counts for the order: hours done and promised, and what has points. */
function ledgerText(words: Words, ledger: Ledger, { averageHours, weights }: LoadedProposal): string {
  const counted = KINDS.filter((kind) => ledger[kind] > 0 && weights[kind] > 0)
  return [
    words.t('fill.why_hours', { hours: roundHours(ledger.doneHours), average: Math.round(averageHours) }),
    ledger.promisedHours > 0 && words.t('fill.why_promised', { hours: roundHours(ledger.promisedHours) }),
    counted.length > 0 &&
      words.t('fill.why_counted', {
        list: words.list(counted.map((kind) => words.t(`fill.why_${kind}`, { count: ledger[kind] }))),
      }),
  ]
    .filter(Boolean)
    .join(' ')
}

const OBSTACLES: readonly Obstacle[] = [
  'not_qualified',
  'busy',
  'unavailable',
  'limit',
  'declined',
  'rejected',
  'too_young',
  'not_visible',
]

function gapView({ words }: ProposalData, title: string, { count, obstacles, used }: Gap): Html {
  const reasons = [
    ...OBSTACLES.flatMap((obstacle) =>
      obstacles[obstacle] ? [words.t(`fill.gap_${obstacle}`, { count: obstacles[obstacle] })] : [],
    ),
    ...(used > 0 ? [words.t('fill.gap_used', { count: used })] : []),
  ]
  const why = reasons.length > 0 ? words.list(reasons) : words.t('fill.gap_nobody')
  return html`<li class="fill-place"><span>${title}</span> ${badgeView({ tone: 'bad', text: words.t('fill.gap', { count }) })}
<p class="help">${words.t('fill.gap_why', { why })}</p></li>`
}
