import { eventPath } from '#features/events/events/rules/slug.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import type { DayFaults } from '#platform/i18n/filter-days.ts'
import { writeDecimal } from '#platform/i18n/numbers.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { filterDayField, selectField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { type Column, tableView } from '#platform/ui/table.ts'
import type { PartnerHours } from '../queries.ts'
import { ENTRIES, type HoursRow, sumHours, type TypeColumn, type YearOfHours } from '../rules.ts'

export const MY_SHIFTS = '/my-shifts/'
export const HOURS = '/manage/hours/'
export const workerPath = (userId: number): string => `${HOURS}${userId}/`
export const entryPath = (id: number): string => `${HOURS}entries/${id}/`

/** The filter of a list, as written in its URL. */
export type HoursQuery = { from: string; to: string; type: number | undefined; faults: DayFaults }

export function hoursQuery({ from, to, type }: Omit<HoursQuery, 'faults'>): string {
  const query = new URLSearchParams({ from, to, ...(type === undefined ? {} : { type: String(type) }) })
  return `?${query}`
}

export const dayText = (words: Words, day: string): string => words.date(startOfDay(day, words.timeZone))
export const amountText = (words: Words, hours: number): string => words.t('hours.amount_short', { hours })

export function periodText(words: Words, { from, to }: HoursQuery): string {
  const year = from.slice(0, 4)
  if (from === `${year}-01-01` && to === `${year}-12-31`) return year
  return words.t('hours.period_of', { from: dayText(words, from), to: dayText(words, to) })
}

export function filtersView({
  words,
  action,
  query,
  types,
  extra,
}: {
  words: Words
  action: string
  query: HoursQuery
  types: readonly TypeColumn[]
  extra?: Child
}): Html {
  return filterFormView({
    action,
    submit: words.t('hours.filter'),
    reset: { href: action, label: words.t('hours.this_year') },
    fields: [
      filterDayField({ words, name: 'from', label: words.t('hours.from'), value: query.from, faults: query.faults }),
      filterDayField({ words, name: 'to', label: words.t('hours.to'), value: query.to, faults: query.faults }),
      selectField({
        words,
        name: 'type',
        label: words.t('hours.type'),
        value: query.type,
        placeholder: words.t('hours.any_type'),
        options: types.map(({ id, title }) => ({ value: id, label: title })),
      }),
      extra,
    ],
  })
}

type ListData = {
  words: Words
  rows: readonly HoursRow[]
  query: HoursQuery
  /** Links to change entries, for people who decide about them. */
  isEditable: boolean
}

/** Shifts and entries of a period with their sum. Each row links to its own record. */
export function hoursListView({ words, rows, query, isEditable }: ListData): Html {
  if (!rows.length) return emptyView({ icon: 'clock', text: words.t('hours.none', { period: periodText(words, query) }) })
  const columns: Column<HoursRow>[] = [
    { label: words.t('hours.what'), main: true, cell: (row) => titleView(words, row, isEditable) },
    { label: words.t('hours.date'), cell: ({ date }) => dayText(words, date) },
    { label: words.t('hours.times'), cell: ({ start, end }) => (start && end ? words.hours(start, end) : '–') },
    { label: words.t('hours.type'), cell: ({ typeTitle }) => typeTitle ?? words.t('hours.entry') },
    { label: words.t('hours.amount'), numeric: true, cell: ({ hours }) => amountText(words, sumHours([{ hours }])) },
  ]
  return html`${tableView({ caption: words.t('hours.list'), columns, rows })}
<p class="hours-sum"><b>${words.t('hours.total', { hours: sumHours(rows) })}</b> · ${words.t('hours.shift_count', { count: rows.filter(({ kind }) => kind === 'shift').length })}</p>`
}

/** Apart from the hours here, with a sum of their own. Nothing if there are none. */
export function partnerHoursView(words: Words, rows: readonly PartnerHours[]): Html | false {
  if (!rows.length) return false
  const caption = words.t('hours.partners')
  return html`<h3>${caption}</h3>${tableView<PartnerHours>({
    caption,
    rows,
    columns: [
      {
        label: words.t('hours.what'),
        main: true,
        cell: ({ title, label }) => html`<span class="wrap">${label ? `${title}, ${label}` : title}</span>`,
      },
      { label: words.t('hours.partner'), cell: ({ host }) => host },
      { label: words.t('hours.date'), cell: ({ date }) => dayText(words, date) },
      { label: words.t('hours.times'), cell: ({ start, end }) => words.hours(start, end) },
      { label: words.t('hours.amount'), numeric: true, cell: ({ hours }) => amountText(words, sumHours([{ hours }])) },
    ],
  })}
<p class="hours-sum"><b>${words.t('hours.total', { hours: sumHours(rows) })}</b> · ${words.t('hours.partners_apart')}</p>`
}

function titleView(words: Words, { kind, id, eventId, title, label }: HoursRow, isEditable: boolean): Html {
  if (kind === 'shift') return html`<a href="${eventPath(eventId!, title)}">${label ? `${title}, ${label}` : title}</a>`
  const text = title || words.t('hours.entry')
  return isEditable ? html`<a href="${entryPath(id)}">${text}</a>` : html`<span class="wrap">${text}</span>`
}

/** Years with hours, one column for each event type that has hours. */
export function yearsView(words: Words, years: readonly YearOfHours[], types: readonly TypeColumn[], path: string): Html {
  const used = types.filter(({ id }) => years.some(({ byType }) => byType.get(id)))
  const amount = (hours: number | undefined) => (hours ? amountText(words, hours) : '–')
  return tableView<YearOfHours>({
    caption: words.t('hours.by_year'),
    rows: years,
    columns: [
      {
        label: words.t('hours.year'),
        main: true,
        cell: ({ year }) =>
          html`<a href="${`${path}${hoursQuery({ from: `${year}-01-01`, to: `${year}-12-31`, type: undefined })}`}">${year}</a>`,
      },
      ...used.map(
        ({ id, title }): Column<YearOfHours> => ({
          label: title,
          numeric: true,
          cell: ({ byType }) => amount(byType.get(id)),
        }),
      ),
      { label: words.t('hours.entries'), numeric: true, cell: ({ byType }) => amount(byType.get(ENTRIES)) },
      { label: words.t('hours.sum'), numeric: true, cell: ({ total }) => html`<b>${amount(total)}</b>` },
    ],
  })
}

export const downloadButtons = (words: Words, path: string, query: HoursQuery): Html[] => [
  linkButtonView({ href: `${path}statement/${hoursQuery(query)}`, label: words.t('hours.statement'), icon: 'printer' }),
  linkButtonView({ href: `${path}export/${hoursQuery(query)}`, label: words.t('hours.csv'), icon: 'download' }),
]

/** Decimals as spreadsheet programs of the language read them. */
const csvNumber = (words: Words, hours: number): string => writeDecimal(hours.toFixed(2), words.language)

export function hoursCsvRows(words: Words, rows: readonly HoursRow[]): string[][] {
  const head = ['date', 'kind', 'what', 'label', 'type', 'start', 'end', 'amount'] as const
  return [
    head.map((name) => words.t(`hours.csv_${name}`)),
    ...rows.map(({ date, kind, title, label, typeTitle, start, end, hours }) => [
      date,
      words.t(kind === 'shift' ? 'hours.shift' : 'hours.entry'),
      title,
      label,
      typeTitle ?? '',
      start ? words.inputDateTime(start).replace('T', ' ') : '',
      end ? words.inputDateTime(end).replace('T', ' ') : '',
      csvNumber(words, hours),
    ]),
  ]
}

export type OverviewPerson = { userId: number; name: string; parts: Readonly<Record<string, number>>; total: number }

export const overviewCsvHead = (words: Words, types: readonly TypeColumn[]): string[] => [
  words.t('hours.person'),
  ...types.map(({ title }) => title),
  words.t('hours.entries'),
  words.t('hours.sum'),
]

export function overviewCsvRows(words: Words, people: readonly OverviewPerson[], types: readonly TypeColumn[]): string[][] {
  const amount = (hours: number | undefined) => csvNumber(words, sumHours([{ hours: hours ?? 0 }]))
  return people.map(({ name, parts, total }) => [
    name,
    ...types.map(({ id }) => amount(parts[id])),
    amount(parts[ENTRIES]),
    amount(total),
  ])
}
