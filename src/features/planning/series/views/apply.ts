import { inputNameOf } from '#features/events/events/rules/event-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { formatPlainValue } from '#features/events/events/views/facts.ts'
import type { TypeChoice } from '#features/planning/planning/queries/events.ts'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { formatShiftName } from '#features/planning/planning/views/editor.ts'
import { flowName } from '#features/planning/shift-forms/views/shift-form.ts'
import { structureName } from '#features/planning/shift-forms/views/structure.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxGroup, hiddenField, radioGroup } from '#platform/ui/fields.ts'
import { buttonView, formView, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Effect, Scope, SeriesChange, SeriesEvent } from '../rules/linking.ts'
import { signUpsOf } from './series.ts'

type Row = { member: SeriesEvent; isOverwritten: boolean; effects: Effect[]; final: Effect[] }

export type ApplyData = {
  words: Words
  now: Date
  csrfToken: string
  action: string
  source: SeriesEvent
  /** Number of events of the series. */
  series: number
  scope: Scope
  offered: readonly SeriesChange[]
  /** Shifts by key, to name those that the source has no longer. */
  removedShifts: ReadonlyMap<number, PlannedShift>
  chosen: ReadonlySet<string>
  rows: readonly Row[]
  notified: number
  types: readonly TypeChoice[]
  over: number
  seen: string
  shown: string
  notice: string | undefined
}

type Naming = Pick<ApplyData, 'words' | 'removedShifts'>

/** “Times (First aid, Sat 14 Nov 08:00–16:00)” */
function changeName({ words, removedShifts }: Naming, change: SeriesChange): string {
  if (change.kind === 'event') return words.t(`plan.field.${change.part}`)
  if (change.kind === 'added') return words.t('series.shift_added', { shift: formatShiftName(words, change.shift) })
  if (change.kind === 'removed') {
    const shift = removedShifts.get(change.key)
    return words.t('series.shift_removed', { shift: shift ? formatShiftName(words, shift) : String(change.key) })
  }
  return words.t('series.shift_part', { part: words.t(`plan.field.${change.part}`), shift: formatShiftName(words, change.shift) })
}

const MAX_TEXT_LENGTH = 80
const shorten = (text: string): string =>
  [...text].length > MAX_TEXT_LENGTH ? `${[...text].slice(0, MAX_TEXT_LENGTH).join('')}…` : text

/** The value that an event has now. */
function valueText(
  { words, types, now }: Pick<ApplyData, 'words' | 'types' | 'now'>,
  { event }: SeriesEvent,
  change: SeriesChange,
  shift: PlannedShift | undefined,
): string {
  const nothing = words.t('plan.nothing')
  if (change.kind === 'event') {
    const { part } = change
    if (part === 'type_id') return types.find(({ id }) => id === event.typeId)?.title ?? nothing
    const value = event[inputNameOf(part)]
    return typeof value === 'object' && value ? words.number(value.length) : shorten(formatPlainValue(words, value)) || nothing
  }
  if (!shift || change.kind !== 'shift') return nothing
  if (change.part === 'times') return words.span(shift.times.start, shift.times.end, now)
  if (change.part === 'flow') return flowName(words, shift.flowSlug)
  if (change.part === 'structure') return structureName(words, shift.structureSlug)
  if (change.part === 'questions') return words.number(shift.questions.length)
  return shorten(formatPlainValue(words, shift[change.part])) || nothing
}

function effectView(data: ApplyData, { member, isOverwritten }: Row, effect: Effect): Html {
  const { words, source } = data
  const { change, shift } = effect
  const name = changeName(data, change)
  if (effect.does === 'blocked')
    return html`<li class="series-blocked">${iconView('circle-alert', { size: 16 })} ${name}: ${words.t(`series.blocked.${effect.because}`)}</li>`
  if (change.kind === 'added' || change.kind === 'removed')
    return html`<li>${effect.does === 'differs' && !isOverwritten ? html`${iconView('pencil', { size: 16 })} ` : false}${name}</li>`
  const theirs = valueText(data, member, change, shift)
  if (effect.does === 'differs')
    return html`<li class="series-differs">${iconView('pencil', { size: 16 })} ${words.t('series.differs', { part: name, value: theirs })}</li>`
  const ours = valueText(data, source, change, change.kind === 'shift' ? change.shift : undefined)
  const isTime = change.kind === 'shift' && change.part === 'times'
  return html`<li>${isTime || ours === theirs ? name : html`${name}: ${theirs} <span aria-hidden="true">→</span><span class="sr-only"> ${words.t('series.becomes')} </span> ${ours}`}</li>`
}

function rowView(data: ApplyData, row: Row): Html {
  const { words } = data
  const shown = row.effects.filter(({ does }) => does !== 'same')
  if (!shown.length) return html`<span class="muted">${words.t('series.unchanged')}</span>`
  const differs = shown.some(({ does }) => does === 'differs')
  const id = row.member.event.id
  return html`<ul class="series-effects" role="list">${shown.map((effect) => effectView(data, row, effect))}</ul>${
    differs &&
    html`<label class="series-overwrite"><input type="checkbox" name="overwrite" value="${id}" ${attrs({ checked: row.isOverwritten })}> ${words.t('series.overwrite')}</label>`
  }`
}

export function applyView(data: ApplyData): Html {
  const { words, now, csrfToken, action, source, offered, scope, chosen, rows, notified, over } = data
  const back = eventPath(source.event.id, source.event.title)
  const head = pageHeadView({
    title: words.t('series.apply'),
    facts: words.t('series.apply_facts', { title: source.event.title, count: data.series }),
  })
  if (!offered.length) {
    const link = linkButtonView({ href: back, label: source.event.title })
    return html`${head}${emptyView({ icon: 'repeat', text: words.t('series.apply_nothing'), action: link })}`
  }
  const changed = rows.filter(({ final }) => final.some(({ does }) => does === 'apply')).length
  return html`${head}
${data.notice && html`<div class="notice tone-warn" role="status">${iconView('triangle-alert')}<p>${data.notice}</p></div>`}
${formView({
  words,
  csrfToken,
  action,
  guard: false,
  cancel: { href: back, label: words.t('series.only_this') },
  submit: {
    label: changed ? words.t('series.apply_submit', { count: changed }) : words.t('series.apply_chosen'),
    name: 'do',
    value: 'apply',
  },
  extra: buttonView({ label: words.t('series.look'), kind: 'secondary', name: 'do', value: 'look' }),
  fields: html`${hiddenField('seen', data.seen)}${hiddenField('shown', data.shown)}${radioGroup({
    words,
    name: 'scope',
    label: words.t('series.scope'),
    value: scope,
    options: (['following', 'all'] as const).map((value) => ({ value, label: words.t(`series.scope.${value}`) })),
  })}
${checkboxGroup({
  words,
  name: 'changes',
  label: words.t('series.changes'),
  values: [...chosen],
  options: offered.map((change) => ({ value: change.id, label: changeName(data, change) })),
})}
<h2>${words.t('series.preview')}</h2>
<p>${words.t('series.preview_count', { count: changed })} ${notified ? words.t('series.preview_notified', { count: notified }) : words.t('plan.notified_none')}${over > 0 && html` ${words.t('series.preview_over', { count: over })}`}</p>
${
  rows.length
    ? tableView<Row>({
        caption: words.t('series.preview'),
        rows,
        columns: [
          {
            label: words.t('series.copies_when'),
            main: true,
            cell: ({ member }) =>
              html`<a href="${eventPath(member.event.id, member.event.title)}">${member.event.start ? words.day(member.event.start, now) : member.date}</a>`,
          },
          { label: words.t('series.changes'), cell: (row) => rowView(data, row) },
          { label: words.t('series.sign_ups'), numeric: true, cell: ({ member }) => words.number(signUpsOf(member)) },
        ],
      })
    : emptyView({ icon: 'calendar-off', text: words.t('series.preview_empty') })
}`,
})}`
}
