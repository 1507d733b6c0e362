import { type FormContext, makeFields } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxGroup } from '#platform/ui/fields.ts'
import { buttonView, formView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { type LeftOut, MAPPINGS, MAX_MONTHS, type MonthCopy, writeChosen } from '../rules/months.ts'

export const COPY_MONTH = '/planning/copy-month/'

export const monthText = (words: Words, month: string): string => words.month(startOfDay(`${month}-01`, words.timeZone))

type MonthData = FormContext & {
  csrfToken: string
  now: Date
  sources: readonly string[]
  targets: readonly string[]
  types: readonly { id: number; title: string }[]
  signature: string
  copies: readonly MonthCopy[]
  leftOut: readonly LeftOut[]
  cancelled: number
  /** Values of the check boxes that are set. */
  checked: ReadonlySet<string>
}

export function copyMonthView(data: MonthData): Html {
  const { words, errors, csrfToken } = data
  const { select, number } = makeFields(data)
  const months = (list: readonly string[]) => list.map((value) => ({ value, label: monthText(words, value) }))
  return html`${pageHeadView({ title: words.t('series.month_title') })}<p>${words.t('series.month_intro')}</p>${formView({
    words,
    csrfToken,
    errors,
    action: COPY_MONTH,
    cancel: { href: '/events/calendar/' },
    submit: { label: words.t('series.make_copies'), name: 'do', value: 'copy' },
    extra: buttonView({ label: words.t('series.look'), kind: 'secondary', name: 'do', value: 'look' }),
    fields: html`<button class="plan-default" name="do" value="look" tabindex="-1" aria-hidden="true">${words.t('series.look')}</button>
${select('source', words.t('series.month_source'), months(data.sources))}
${select('target', words.t('series.month_target'), months(data.targets))}
${number('months', words.t('series.month_months'), { min: 1, max: MAX_MONTHS, help: words.t('series.month_months_help') })}
${select(
  'mapping',
  words.t('series.month_mapping'),
  MAPPINGS.map((value) => ({ value, label: words.t(`series.month_mapping.${value}`) })),
  { help: words.t('series.month_mapping_help') },
)}
${select('type', words.t('series.month_type'), [{ value: '', label: words.t('series.month_type_all') }, ...data.types.map(({ id, title }) => ({ value: String(id), label: title }))])}
<input type="hidden" name="shown" value="${data.signature}">
${previewView(data)}`,
  })}`
}

function previewView({ words, now, copies, leftOut, cancelled, checked }: MonthData): Html {
  const byMonth = Map.groupBy(copies, ({ date }) => date.slice(0, 7))
  const noteOf = ({ known, isLinked }: MonthCopy) => [
    ...(known ? [words.t('series.month_exists')] : []),
    ...(isLinked ? [words.t('series.month_linked')] : []),
  ]
  const groups = [...byMonth].map(([month, rows]) =>
    checkboxGroup({
      words,
      name: 'copy',
      label: words.t('series.month_copies_of', { month: monthText(words, month), count: rows.length }),
      id: `copy-${month}`,
      values: [...checked],
      options: rows.map((row) => ({
        value: writeChosen(row),
        label: `${words.day(row.start, now)} ${words.time(row.start)} ${row.title}`,
        help: noteOf(row).join(' ') || undefined,
      })),
    }),
  )
  const missing = leftOut.map(
    ({ title, from, month }) =>
      html`<li>${words.t('series.month_no_day', { title, day: words.day(from, now), month: monthText(words, month) })}</li>`,
  )
  return html`${copies.length ? groups : emptyView({ icon: 'calendar-off', text: words.t('series.month_none') })}
${missing.length > 0 && cardView({ title: words.t('series.month_left_out'), body: html`<ul>${missing}</ul>` })}
${cancelled > 0 && html`<p class="muted">${words.t('series.month_cancelled', { count: cancelled })}</p>`}`
}
