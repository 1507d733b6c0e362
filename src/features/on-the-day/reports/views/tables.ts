import { writeDecimal } from '#platform/i18n/numbers.ts'
import type { Words } from '#platform/i18n/words.ts'
import { percent, type Report, reliabilityAt, roundHours, seriesOf, shiftsAt, workAt } from '../rules/figures.ts'

/** The names are in addresses. */
export const TABLES = ['coverage', 'hours', 'people', 'reliability', 'types', 'members', 'partners'] as const
type TableName = (typeof TABLES)[number]

/** A table for pages and files. The first column names the row; the others are numbers. */
export type ReportTable = {
  name: TableName
  title: string
  help: string | undefined
  columns: string[]
  rows: { label: string; values: (number | undefined)[] }[]
  /** The last row is the sum of the others. */
  total: { label: string; values: (number | undefined)[] } | undefined
}

/** A day of the month at noon is in the same month in every time zone. */
export const monthText = (words: Words, month: string): string => words.month(new Date(`${month.slice(0, 8)}15T12:00:00Z`))

export const seriesTitle = (words: Words, { id, title }: { id: number | undefined; title: string }): string =>
  id === undefined ? words.t('reports.other_types') : title

const at = (month: number | undefined) => (month === undefined ? {} : { month })

/** A row for each month, and one for all of them. */
const byMonth = (words: Words, { months }: Report, values: (month: number | undefined) => (number | undefined)[]) => ({
  rows: months.map((month, index) => ({ label: monthText(words, month), values: values(index + 1) })),
  total: { label: words.t('reports.total'), values: values(undefined) },
})

function coverageOf(report: Report, key: { month?: number; typeId?: number }): number | undefined {
  const { needed, missing } = shiftsAt(report, key)
  return percent(needed - missing, needed)
}

function coverageTable(words: Words, report: Report): ReportTable {
  const { t } = words
  return {
    name: 'coverage',
    title: t('reports.name_coverage'),
    help: t('reports.help_coverage'),
    columns: [
      t('reports.month'),
      t('reports.shifts'),
      t('reports.needed'),
      t('reports.filled'),
      t('reports.missing'),
      t('reports.short_shifts'),
      t('reports.share'),
    ],
    ...byMonth(words, report, (month) => {
      const { shifts, needed, missing, short } = shiftsAt(report, at(month))
      return [shifts, needed, needed - missing, missing, short, coverageOf(report, at(month))]
    }),
  }
}

function hoursTable(words: Words, report: Report): ReportTable {
  const { t } = words
  const series = seriesOf(report)
  return {
    name: 'hours',
    title: t('reports.name_hours'),
    help: t('reports.help_hours'),
    columns: [t('reports.month'), ...series.map((each) => seriesTitle(words, each)), t('reports.total')],
    ...byMonth(words, report, (month) => [
      ...series.map(({ hoursAt }) =>
        month === undefined ? roundHours(report.months.reduce((sum, _, index) => sum + hoursAt(index + 1), 0)) : hoursAt(month),
      ),
      workAt(report, at(month)).hours,
    ]),
  }
}

function peopleTable(words: Words, report: Report): ReportTable {
  const { t } = words
  return {
    name: 'people',
    title: t('reports.name_people'),
    help: t('reports.help_people'),
    columns: [t('reports.month'), t('reports.people'), t('reports.places'), t('reports.hours')],
    ...byMonth(words, report, (month) => {
      const { people, places, hours } = workAt(report, at(month))
      return [people, places, hours]
    }),
  }
}

function reliabilityTable(words: Words, report: Report): ReportTable {
  const { t } = words
  return {
    name: 'reliability',
    title: t('reports.name_reliability'),
    help: t('reports.help_reliability'),
    columns: [
      t('reports.month'),
      t('reports.kept'),
      t('reports.declined'),
      t('reports.late'),
      t('reports.absent'),
      t('reports.kept_share'),
    ],
    ...byMonth(words, report, (month) => {
      const { kept, declined, late, absent } = reliabilityAt(report, at(month))
      return [kept, declined, late, absent, percent(kept, kept + declined + absent)]
    }),
  }
}

function typesTable(words: Words, report: Report): ReportTable {
  const { t } = words
  const valuesOf = (key: { typeId?: number }) => {
    const { events, shifts } = shiftsAt(report, key)
    const { people, hours } = workAt(report, key)
    return [events, shifts, people, hours, coverageOf(report, key)]
  }
  const types = report.types.filter(({ id }) => shiftsAt(report, { typeId: id }).shifts > 0)
  return {
    name: 'types',
    title: t('reports.name_types'),
    help: undefined,
    columns: [
      t('reports.type'),
      t('reports.events'),
      t('reports.shifts'),
      t('reports.people'),
      t('reports.hours'),
      t('reports.share'),
    ],
    rows: types.map(({ id, title }) => ({ label: title, values: valuesOf({ typeId: id }) })),
    total: { label: t('reports.total'), values: valuesOf({}) },
  }
}

function membersTable(words: Words, report: Report): ReportTable {
  const { t } = words
  return {
    name: 'members',
    title: t('reports.name_members'),
    help: t('reports.help_members'),
    columns: [
      t('reports.person'),
      t('reports.shifts'),
      t('reports.hours'),
      t('reports.declined'),
      t('reports.late'),
      t('reports.absent'),
      t('reports.kept_share'),
    ],
    rows: report.members.map(({ name, shifts, hours, declined, late, absent }) => ({
      label: name,
      values: [shifts, roundHours(hours), declined, late, absent, percent(shifts, shifts + declined + absent)],
    })),
    total: undefined,
  }
}

function partnersTable(words: Words, { atPartners }: Report): ReportTable {
  const { t } = words
  return {
    name: 'partners',
    title: t('reports.name_partners'),
    help: t('reports.help_partners'),
    columns: [t('reports.person'), t('reports.shifts'), t('reports.hours')],
    rows: atPartners.map(({ name, host, shifts, hours }) => ({
      label: t('reports.at_partner', { name, host }),
      values: [shifts, roundHours(hours)],
    })),
    total: undefined,
  }
}

export const tablesOf = (words: Words, report: Report): ReportTable[] => {
  const makers = [coverageTable, hoursTable, peopleTable, reliabilityTable, typesTable, membersTable]
  return [...makers, ...(report.atPartners.length ? [partnersTable] : [])].map((make) => make(words, report))
}

export function csvRowsOf(words: Words, { columns, rows, total }: ReportTable): string[][] {
  const number = (value: number | undefined) => (value === undefined ? '' : writeDecimal(String(value), words.language))
  return [columns, ...[...rows, ...(total ? [total] : [])].map(({ label, values }) => [label, ...values.map(number)])]
}
