import type { PlannedEvent } from '#features/planning/planning/queries/events.ts'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { formatShiftName } from '#features/planning/planning/views/editor.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { type FormError, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Programme } from '../queries/programme.ts'
import type { Former } from '../rules/following.ts'
import { type PartChange, type Plan, type PlanRow, peopleOf, VERDICTS, type Verdict } from '../rules/plan.ts'
import { failureText } from './faults.ts'
import { programmePath } from './source.ts'

const TONES: Record<Verdict, Tone> = {
  new: 'good',
  changed: 'info',
  own: 'warn',
  removed: 'warn',
  deleted: 'quiet',
  error: 'bad',
  outside: 'quiet',
  same: 'quiet',
  left_out: 'quiet',
}
/** Rows that change something, need a choice or are wrong; the others are folded. */
const SHOWN: readonly Verdict[] = ['new', 'changed', 'own', 'removed', 'deleted', 'error']
const MAX_OTHERS = 200

type Source = Pick<Programme, 'url' | 'fileName' | 'format' | 'readAt' | 'succeededAt' | 'failure' | 'nextAt'>

export type PreviewData = {
  words: Words
  now: Date
  csrfToken: string
  event: PlannedEvent
  programme: Source & { title: string; sessions: number }
  plan: Plan
  seen: string
  pattern: PlannedShift | undefined
  /** The last step, if it can be undone. */
  former: Former | undefined
  /** Number of people who hear of new times. */
  notified: number
  chosen: { overwrite: ReadonlySet<number>; remove: ReadonlySet<number> | undefined; again: ReadonlySet<number> }
  errors: readonly FormError[]
  notice: string | undefined
}

export function previewView(data: PreviewData): Html {
  const { words, csrfToken, event, programme, former, now } = data
  const eventId = event.id
  const head = pageHeadView({
    title: words.t('programme.title'),
    actions: [
      linkButtonView({ href: programmePath(eventId, 'options'), label: words.t('programme.options'), icon: 'settings' }),
      programme.url !== null &&
        postButtonView({
          action: programmePath(eventId, 'fetch'),
          csrfToken,
          label: words.t('programme.fetch'),
          kind: 'secondary',
          icon: 'refresh-cw',
        }),
    ],
  })
  return html`${head}<div class="stack">
${failureView(data)}
${data.notice && html`<div class="notice tone-warn" role="status">${iconView('triangle-alert')}<p>${data.notice}</p></div>`}
${
  former &&
  html`<div class="notice tone-info">${iconView('undo-2')}<div><p>${words.t('programme.can_undo', { when: words.relative(new Date(former.at), now) })}</p>${postButtonView(
    {
      action: programmePath(eventId, 'undo'),
      csrfToken,
      fields: { step: former.step },
      label: words.t('ui.undo'),
      kind: 'secondary',
      small: true,
      icon: 'undo-2',
    },
  )}</div></div>`
}
${rowsView(data)}
${sourceCard(data)}</div>`
}

function failureView({ words, now, programme: { failure, succeededAt, nextAt } }: PreviewData): Html | false {
  if (!failure) return false
  const text = words.t('programme.failing_text', {
    reason: failureText(words, failure),
    success: succeededAt ? words.relative(succeededAt, now) : words.t('programme.never'),
    next: nextAt ? words.relative(nextAt, now) : words.t('programme.never'),
  })
  return html`<div class="notice tone-bad" role="status">${iconView('circle-x')}<div><p class="notice-title">${words.t('programme.failing')}</p><p>${text}</p></div></div>`
}

function sourceCard({ words, now, event, programme }: PreviewData): Html {
  const { url, fileName, format, sessions, readAt, succeededAt, nextAt, failure } = programme
  const facts: { name: string; value: Child }[] = [
    { name: words.t('programme.fact_source'), value: html`<span class="wrap">${url ?? fileName}</span>` },
    { name: words.t('programme.fact_format'), value: words.t(`programme.format_${format}`) },
    { name: words.t('programme.fact_sessions'), value: words.number(sessions) },
    { name: words.t(url === null ? 'programme.fact_uploaded' : 'programme.fact_read'), value: words.relative(readAt, now) },
    ...(url === null
      ? []
      : [
          {
            name: words.t('programme.fact_checked'),
            value: succeededAt ? words.relative(succeededAt, now) : words.t('programme.never'),
          },
          ...(nextAt && !failure ? [{ name: words.t('programme.fact_next'), value: words.relative(nextAt, now) }] : []),
        ]),
  ]
  const actions = html`<div class="cluster">${linkButtonView({ href: programmePath(event.id, 'source'), label: words.t('programme.other_source'), small: true, icon: 'upload' })}${linkButtonView({ href: programmePath(event.id, 'remove'), label: words.t('programme.remove'), kind: 'quiet', small: true })}</div>`
  return cardView({ title: programme.title || words.t('programme.source'), body: factListView(facts), footer: actions })
}

function rowsView(data: PreviewData): Html {
  const { words, csrfToken, event, plan, pattern, notified, errors } = data
  const shown = plan.rows.filter(({ verdict }) => SHOWN.includes(verdict))
  const others = plan.rows.filter(({ verdict }) => !SHOWN.includes(verdict))
  const counts = VERDICTS.flatMap((verdict) => {
    const count = plan.rows.filter((row) => row.verdict === verdict).length
    const text = words.t('programme.count_verdict', {
      count: words.number(count),
      verdict: words.t(`programme.verdict_${verdict}`),
    })
    return count ? [badgeView({ tone: TONES[verdict], text })] : []
  })
  const hasNew = plan.rows.some(({ verdict }) => verdict === 'new')
  const isActive = shown.some(({ verdict }) => verdict !== 'error')
  const like = pattern
    ? words.t('programme.new_like', { shift: formatShiftName(words, pattern) })
    : words.t('programme.new_default')
  const table = html`<div class="cluster programme-counts">${counts}</div>
${hasNew && html`<p>${like}${!event.active && html` ${words.t('programme.not_published')}`}</p>`}
${notified > 0 && html`<p>${words.t('programme.notified_in_all', { count: notified })}</p>`}
${shown.length > 0 && tableOf(data, shown)}`
  const isUnchosen = !plan.rows.some(({ verdict }) => verdict !== 'left_out' && verdict !== 'outside')
  const body = isActive
    ? formView({
        words,
        csrfToken,
        errors,
        action: programmePath(event.id),
        guard: false,
        submit: { label: words.t('programme.apply'), icon: 'check' },
        fields: html`${hiddenField('seen', data.seen)}${table}`,
      })
    : html`${table}${emptyView({ icon: 'circle-check', text: words.t(isUnchosen ? 'programme.nothing_chosen' : 'programme.nothing') })}`
  return html`<section class="programme"><h2>${words.t('programme.preview')}</h2>${body}
${
  others.length > 0 &&
  html`<details class="programme-others"><summary>${words.t('programme.others', { count: others.length })}</summary>${others.length > MAX_OTHERS && html`<p class="help">${words.t('programme.others_shown', { count: MAX_OTHERS })}</p>`}${tableOf(data, others.slice(0, MAX_OTHERS))}</details>`
}</section>`
}

const tableOf = (data: PreviewData, rows: readonly PlanRow[]): Html =>
  tableView<PlanRow>({
    caption: data.words.t('programme.preview'),
    rows,
    columns: [
      { label: data.words.t('programme.column_shift'), main: true, cell: (row) => nameView(data, row) },
      { label: data.words.t('programme.column_time'), cell: (row) => timeOf(data, row) },
      {
        label: data.words.t('programme.column_verdict'),
        cell: ({ verdict }) => badgeView({ tone: TONES[verdict], text: data.words.t(`programme.verdict_${verdict}`) }),
      },
      { label: data.words.t('programme.column_what'), cell: (row) => html`<div>${whatView(data, row)}</div>` },
    ],
  })

function nameView({ words }: PreviewData, row: PlanRow): Html {
  if (row.verdict === 'error') return html`${row.fault.title || words.t('programme.no_title')}`
  if (row.verdict === 'left_out')
    return html`${row.session.title || words.t('programme.no_title')}<br><small class="muted">${row.session.room}</small>`
  if (row.verdict === 'removed') return html`<a href="/shifts/${row.shift.id}/edit/">${row.shift.label || row.link.label}</a>`
  const { label, sessions } = row.wish
  const name = 'shift' in row ? html`<a href="/shifts/${row.shift.id}/edit/">${row.shift.label || label}</a>` : html`${label}`
  return html`${name}${sessions.length > 1 && html`<br><small class="muted">${words.t('programme.sessions_count', { count: sessions.length })}</small>`}`
}

function timeOf({ words, now }: PreviewData, row: PlanRow): string {
  if (row.verdict === 'error') return '–'
  if (row.verdict === 'left_out') return words.span(new Date(row.session.start), new Date(row.session.end), now)
  const { start, end } = row.verdict === 'removed' || 'shift' in row ? row.shift.times : row.wish
  return words.span(start, end, now)
}

function whatView(data: PreviewData, row: PlanRow): Child {
  const { words, chosen } = data
  switch (row.verdict) {
    case 'new':
      return words.t('programme.is_new')
    case 'same':
      return words.t('programme.is_same')
    case 'changed':
    case 'own':
      return changesView(data, row)
    case 'removed': {
      const people = peopleOf(row.shift)
      const isChosen = chosen.remove ? chosen.remove.has(row.link.id) : people === 0
      return html`<p>${words.t(`programme.removed_${row.because}`)}${people > 0 && html` <strong>${words.t('programme.people_signed_up', { count: people })}</strong>`}</p>${choiceView('remove', row.link.id, words.t('programme.remove_shift'), isChosen)}`
    }
    case 'deleted':
      return html`<p>${words.t('programme.deleted_text')}</p>${choiceView('again', row.link.id, words.t('programme.again'), chosen.again.has(row.link.id))}`
    case 'outside':
      return words.t(`programme.outside_${row.because}`)
    case 'left_out':
      return words.t(`programme.left_out_${row.because}`)
    case 'error': {
      const { code, at, value = '' } = row.fault
      const place = typeof at === 'number' ? words.t('programme.at_line', { line: at }) : at
      return html`<span class="wrap">${place}: ${words.t(`programme.error_${code}`, { value } as never)}</span>`
    }
  }
}

const choiceView = (name: string, id: number, label: string, isChosen: boolean): Html =>
  html`<label class="series-overwrite"><input type="checkbox" name="${name}" value="${id}" ${attrs({ checked: isChosen })}> ${label}</label>`

type ChangedRow = Extract<PlanRow, { verdict: 'changed' | 'own' | 'same' }>

function changesView(data: PreviewData, row: ChangedRow): Html {
  const { words, chosen } = data
  const people = peopleOf(row.shift)
  const isOpen = row.parts.some(({ does }) => does !== 'apply')
  const moves = row.parts.some(({ part, does }) => part === 'times' && does === 'apply')
  return html`<ul class="series-effects" role="list">${row.parts.map((part) => html`<li>${partView(data, row, part)}</li>`)}</ul>${
    moves && people > 0 && html`<p>${words.t('programme.people_notified', { count: people })}</p>`
  }${isOpen && choiceView('overwrite', row.link.id, words.t('programme.overwrite'), chosen.overwrite.has(row.link.id))}`
}

function partView({ words, now }: PreviewData, { wish, shift }: ChangedRow, { part, does }: PartChange): Html {
  const name = words.t(`programme.part_${part}`)
  const value = part === 'times' ? words.span(shift.times.start, shift.times.end, now) : shift.label || '–'
  const wished = part === 'times' ? words.span(wish.start, wish.end, now) : wish.label
  if (does === 'apply')
    return html`${name}: ${value} <span aria-hidden="true">→</span><span class="sr-only"> ${words.t('programme.becomes')} </span> <b>${wished}</b>`
  return html`${iconView('pencil', { size: 16 })} ${words.t('programme.own_part', { part: name, value, wish: wished })}`
}
