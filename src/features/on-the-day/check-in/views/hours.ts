import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField, selectField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, filterFormView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Attendance } from '../rules/attendance.ts'
import { checkInPath } from '../rules/paths.ts'
import { type RealTimes, ROUNDINGS, type Rounding } from '../rules/real-times.ts'
import { stateView } from './state.ts'

type Row = Attendance & {
  id: number
  name: string
  label: string
  start: Date
  end: Date
  isAbsent: boolean
  hasEnded: boolean
  real: RealTimes
}

type HoursData = {
  words: Words
  now: Date
  csrfToken: string
  event: { id: number; title: string }
  rounding: Rounding
  rows: readonly Row[]
  lastRun: { id: number; appliedAt: Date; by: string | null; people: number } | undefined
}

export function realTimesView(data: HoursData): Html {
  const { words, csrfToken, event, rounding, rows, lastRun } = data
  const changes = rows.filter(({ real, hasEnded }) => hasEnded && real.kind !== 'unknown' && real.isChange)
  const path = checkInPath(event.id, 'hours')
  return html`${pageHeadView({ title: words.t('check_in.to_hours'), facts: event.title })}
<p class="ci-intro">${words.t('check_in.hours_intro')}</p>
${lastRun && html`<div class="notice tone-info"><div><p>${words.t('check_in.last_run', { count: lastRun.people, time: words.dateTime(lastRun.appliedAt), name: lastRun.by ?? words.t('check_in.somebody') })}</p>${postButtonView({ action: checkInPath(event.id, 'hours/undo'), csrfToken, fields: { run: lastRun.id }, label: words.t('check_in.undo_run'), kind: 'secondary', small: true, icon: 'undo-2' })}</div></div>`}
${
  rows.length === 0
    ? emptyView({ icon: 'users', text: words.t('check_in.nobody') })
    : html`${filterFormView({
        action: path,
        submit: words.t('check_in.preview'),
        fields: selectField({
          words,
          name: 'rounding',
          label: words.t('check_in.rounding'),
          value: String(rounding),
          placeholder: false,
          options: ROUNDINGS.map((value) => ({ value, label: roundingText(words, value) })),
        }),
      })}
${tableView({
  caption: words.t('check_in.to_hours'),
  rows,
  columns: [
    {
      label: words.t('check_in.log_who'),
      main: true,
      cell: ({ name, label }) => html`${name}${label && html`<br><span class="muted">${label}</span>`}`,
    },
    { label: words.t('check_in.marked'), cell: (row) => stateView(words, row) },
    {
      label: words.t('check_in.counts_now'),
      cell: ({ start, end, isAbsent }) => (isAbsent ? words.t('check_in.no_hours') : words.span(start, end, data.now)),
    },
    { label: words.t('check_in.counts_then'), cell: (row) => afterView(data, row) },
    { label: words.t('check_in.difference'), numeric: true, cell: (row) => differenceText(words, row) },
  ],
})}
<form method="post" action="${path}">${csrfField(csrfToken)}${hiddenField('rounding', rounding)}<div class="form-actions">${
        changes.length
          ? buttonView({ label: words.t('check_in.apply', { count: changes.length }), kind: 'primary', icon: 'check' })
          : html`<p class="hint">${words.t('check_in.nothing_to_apply')}</p>`
      }${linkButtonView({ href: checkInPath(event.id), label: words.t('check_in.back_to_list'), kind: 'quiet' })}</div></form>`
}`
}

const roundingText = (words: Words, rounding: Rounding): string =>
  rounding === 0 ? words.t('check_in.rounding_none') : words.t('check_in.rounding_minutes', { minutes: rounding })

function afterView({ words, now }: HoursData, { real, hasEnded, start, end }: Row): Html | string {
  if (!hasEnded) return html`<span class="muted">${words.t('check_in.not_over')}</span>`
  if (real.kind === 'unknown')
    return html`<span>${words.span(start, end, now)}<br><span class="muted">${words.t('check_in.unmarked')}</span></span>`
  if (real.kind === 'absent') return badgeView({ tone: 'bad', text: words.t('check_in.no_hours') })
  return words.span(real.span.start, real.span.end, now)
}

function differenceText(words: Words, { real, hasEnded, isAbsent, start, end }: Row): string {
  if (!hasEnded || real.kind === 'unknown') return ''
  const minutes = real.kind === 'present' ? real.minutes : isAbsent ? 0 : -minutesOf({ start, end })
  const sign = minutes < 0 ? '−' : minutes > 0 ? '+' : ''
  return words.t('check_in.minutes', { minutes: `${sign}${words.number(Math.abs(minutes))}` })
}

const minutesOf = ({ start, end }: Span): number => Math.round((end.getTime() - start.getTime()) / 60_000)
