import { eventPath } from '#features/events/events/rules/slug.ts'
import { cancelForm } from '#features/planning/planning/schema.ts'
import type { FormContext } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { buttonView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { SeriesChange, SeriesEvent } from '../rules/linking.ts'
import { datesView, ruleFieldsView } from './rule.ts'

export const seriesPath = (id: number): string => `/series/${id}/`
export const UNDO_STEP = '/series/undo/'
export const seriesMemberPath = (eventId: number, what: 'apply' | 'cancel' | 'delete' | 'rule'): string =>
  `/events/${eventId}/series/${what}/`

type Row = { member: SeriesEvent; own: SeriesChange[]; isOver: boolean }

export const signUpsOf = ({ shifts }: SeriesEvent): number =>
  shifts.reduce((sum, { confirmed, requested }) => sum + confirmed + requested, 0)

function stateView(words: Words, { member: { event }, isOver }: Row): Html {
  if (event.cancelledAt) return badgeView({ tone: 'bad', text: words.t('series.is_cancelled') })
  if (!event.active) return badgeView({ tone: 'quiet', text: words.t('plan.draft') })
  return isOver
    ? badgeView({ tone: 'quiet', text: words.t('series.is_over') })
    : badgeView({ tone: 'good', text: words.t('series.is_published') })
}

/** The parts that differ from the series, each once. */
function ownText(words: Words, own: readonly SeriesChange[]): string {
  const parts = own.map((change) =>
    change.kind === 'added' || change.kind === 'removed' ? words.t('event.shifts') : words.t(`plan.field.${change.part}`),
  )
  return words.list([...new Set(parts)])
}

export function seriesView({
  words,
  now,
  csrfToken,
  seriesId,
  rule,
  rows,
  may,
}: {
  words: Words
  now: Date
  csrfToken: string
  seriesId: number
  rule: string
  rows: readonly Row[]
  may: { add: boolean; delete: boolean }
}): Html {
  const drafts = rows.filter(({ member }) => !member.event.active)
  const next = rows.find(({ isOver }) => !isOver)?.member.event.id
  const actions = [
    may.add &&
      drafts.length > 0 &&
      postButtonView({
        action: `${seriesPath(seriesId)}publish/`,
        csrfToken,
        label: words.t('series.publish_all', { count: drafts.length }),
        icon: 'send',
      }),
    may.add &&
      next !== undefined &&
      linkButtonView({ href: seriesMemberPath(next, 'rule'), label: words.t('series.change_rule'), icon: 'repeat' }),
  ]
  return html`${pageHeadView({ title: words.t('series.series'), facts: [words.t('series.count', { count: rows.length }), rule].filter(Boolean).join(' · '), actions })}
${drafts.length > 0 && html`<p>${words.t('series.copies_drafts', { count: drafts.length })}</p>`}
${tableView<Row>({
  caption: words.t('series.series'),
  rows,
  columns: [
    {
      label: words.t('series.copies_when'),
      cell: ({ member }) => (member.event.start ? words.day(member.event.start, now) : member.date),
    },
    {
      label: words.t('plan.bin_event'),
      main: true,
      cell: ({ member: { event } }) => html`<a href="${eventPath(event.id, event.title)}">${event.title}</a>`,
    },
    { label: words.t('series.sign_ups'), numeric: true, cell: ({ member }) => words.number(signUpsOf(member)) },
    { label: words.t('series.copies_state'), cell: (row) => stateView(words, row) },
    {
      label: words.t('series.own_changes'),
      cell: ({ member, own }) =>
        own.length
          ? html`<div>${ownText(words, own)}<br><a href="${seriesMemberPath(member.event.id, 'apply')}">${words.t('series.apply_link')}</a></div>`
          : '–',
    },
  ],
})}`
}

/** On the event page, for those who may change the event. */
export function seriesSectionView({
  words,
  eventId,
  place,
  mayDelete,
  mayAdd,
}: {
  words: Words
  eventId: number
  place: { seriesId: number; position: number; count: number; previous: number | null; next: number | null }
  mayDelete: boolean
  mayAdd: boolean
}): Html {
  const { seriesId, position, count, previous, next } = place
  const link = (href: string, label: string) => html`<li><a href="${href}">${label}</a></li>`
  return cardView({
    title: words.t('series.series'),
    body: html`<p>${iconView('repeat', { size: 18 })} <a href="${seriesPath(seriesId)}">${words.t('series.position', { position, count })}</a></p>
<ul class="series-links" role="list">${previous !== null && link(`/events/${previous}/`, words.t('series.previous'))}${next !== null && link(`/events/${next}/`, words.t('series.next'))}
${link(seriesMemberPath(eventId, 'apply'), words.t('series.apply'))}${link(seriesMemberPath(eventId, 'cancel'), words.t('series.cancel_following'))}${mayDelete && link(seriesMemberPath(eventId, 'delete'), words.t('series.delete_following'))}${mayAdd && link(seriesMemberPath(eventId, 'rule'), words.t('series.change_rule'))}</ul>`,
  })
}

export function endView({
  words,
  now,
  how,
  csrfToken,
  source,
  events,
  state,
}: {
  words: Words
  now: Date
  how: 'cancel' | 'delete'
  csrfToken: string
  source: SeriesEvent
  events: readonly SeriesEvent[]
  state: FormState
}): Html {
  const action = seriesMemberPath(source.event.id, how)
  const back = eventPath(source.event.id, source.event.title)
  const people = events.reduce((sum, event) => sum + signUpsOf(event), 0)
  const list = html`<ul>${events.map(
    (member) =>
      html`<li>${member.event.start ? words.day(member.event.start, now) : member.date}: ${member.event.title} (${words.t('series.sign_up_count', { count: signUpsOf(member) })})</li>`,
  )}</ul>`
  const consequences = [
    words.t(`series.${how}_events`, { count: events.length }),
    ...(people ? [words.t(`series.${how}_people`, { count: people })] : []),
  ]
  if (how === 'delete')
    return confirmView({
      words,
      title: words.t('series.delete_following'),
      consequences,
      details: list,
      action,
      csrfToken,
      submit: words.t('series.delete_submit', { count: events.length }),
      cancel: { href: back },
    })
  return html`${pageHeadView({ title: words.t('series.cancel_following') })}<ul>${consequences.map((text) => html`<li>${text}</li>`)}</ul>${list}
${cancelForm.view({
  words,
  csrfToken,
  state,
  action,
  cancel: { href: back, label: words.t('plan.keep') },
  submit: { label: words.t('series.cancel_submit', { count: events.length }), kind: 'danger' },
})}`
}

type RuleData = FormContext & {
  csrfToken: string
  action: string
  back: string
  title: string
  rule: string | undefined
  dates: readonly string[]
  added: readonly string[]
  removed: readonly SeriesEvent[]
  kept: readonly SeriesEvent[]
}

export function ruleView(data: RuleData): Html {
  const { words, errors, csrfToken, action, added, removed, kept } = data
  const names = (events: readonly SeriesEvent[]) =>
    words.list(events.map(({ event, date }) => (event.start ? words.day(event.start) : date)))
  const effects = html`<ul>${added.length > 0 && html`<li>${words.t('series.rule_adds', { count: added.length, dates: words.list(added.slice(0, 12)) })}</li>`}${removed.length > 0 && html`<li>${words.t('series.rule_removes', { count: removed.length, dates: names(removed) })}</li>`}${kept.length > 0 && html`<li>${words.t('series.rule_keeps', { count: kept.length, dates: names(kept) })}</li>`}</ul>`
  const hasEffects = added.length + removed.length + kept.length > 0
  return html`${pageHeadView({ title: words.t('series.change_rule'), facts: data.title })}
<div class="plan"><div class="plan-main"><p>${words.t('series.rule_intro')}</p>${formView({
    words,
    csrfToken,
    errors,
    action,
    cancel: { href: data.back },
    id: 'plan',
    attributes: { 'data-plan': true },
    submit: { label: words.t('series.rule_save'), name: 'do', value: 'save' },
    extra: buttonView({ label: words.t('series.look'), kind: 'secondary', name: 'do', value: 'look' }),
    fields: html`<button class="plan-default" name="do" value="look" tabindex="-1" aria-hidden="true">${words.t('series.look')}</button>
<div id="plan-body">${ruleFieldsView(data, { firstHelp: words.t('series.rule_first_help') })}</div>`,
  })}</div>
${datesView({ words, dates: data.dates, rule: data.rule, more: hasEffects && effects })}</div>`
}
