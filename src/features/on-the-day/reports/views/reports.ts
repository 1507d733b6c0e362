import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { filterDayField, selectField } from '#platform/ui/fields.ts'
import { buttonView, filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { percent, type Report, seriesOf, shiftsAt, workAt } from '../rules/figures.ts'
import { REPORT_EXPORT, REPORT_TO_PRINT, REPORTS, type ReportChoice, reportQuery } from '../rules/period.ts'
import { chartView } from './chart.ts'
import { monthText, type ReportTable, seriesTitle, tablesOf } from './tables.ts'

type Option = { id: number; title: string }
type ReportPageData = {
  words: Words
  today: Day
  choice: ReportChoice
  report: Report
  /** The caller may change all events. */
  plansAll: boolean
}

const dayText = (words: Words, day: Day): string => words.date(new Date(`${day}T12:00:00Z`))
const hasFigures = (report: Report): boolean =>
  shiftsAt(report, {}).shifts > 0 || workAt(report, {}).places > 0 || report.atPartners.length > 0

export function reportsView(data: ReportPageData & { options: { types: readonly Option[]; groups: readonly Option[] } }): Html {
  const { words, choice, report } = data
  const year = choice.until.slice(0, 4)
  return html`${pageHeadView({
    title: words.t('reports.title'),
    facts: words.t('reports.facts', { from: dayText(words, choice.from), until: dayText(words, choice.until) }),
    actions: [
      hasFigures(report) &&
        linkButtonView({
          href: `${REPORT_TO_PRINT}${reportQuery(choice)}`,
          label: words.t('reports.print_year'),
          icon: 'printer',
          kind: 'secondary',
        }),
    ],
  })}
${periodsView(data, Number(year))}
${filtersView(data)}
${hasFigures(report) ? bodyView(data, { isPrinted: false }) : emptyView({ icon: 'calendar-days', text: words.t('reports.none') })}`
}

/** The report on paper: nothing folded, no forms. */
export function printedReportView({ organization, now, ...data }: ReportPageData & { organization: string; now: Date }): Html {
  const { words, choice, report } = data
  const [from, until] = [dayText(words, choice.from), dayText(words, choice.until)]
  const isYear = choice.from.endsWith('-01-01') && choice.from.slice(0, 4) === choice.until.slice(0, 4)
  return html`${pageHeadView({
    title: isYear ? words.t('reports.year_title', { year: choice.from.slice(0, 4) }) : words.t('reports.title'),
    facts: words.t('reports.year_facts', { organization, from, until }),
    actions: [
      buttonView({
        label: words.t('reports.print'),
        icon: 'printer',
        // Hidden without JavaScript; browsers can print without the button.
        attributes: { type: 'button', 'data-print': true, hidden: true },
      }),
    ],
  })}
${hasFigures(report) ? bodyView(data, { isPrinted: true }) : emptyView({ icon: 'calendar-days', text: words.t('reports.none') })}
<p class="roster-foot">${words.t('reports.made', { when: words.dateTime(now) })}</p>`
}

/** The last twelve months, this year and the two before. */
function periodsView({ words, today, choice }: ReportPageData, chosen: number): Html {
  const current = Number(today.slice(0, 4))
  const isYear = choice.from.endsWith('-01-01') && choice.from.startsWith(String(chosen))
  const filters = { type: choice.type, group: choice.group }
  const pill = (label: string, query: string, isOn: boolean) =>
    html`<a class="pill${isOn && ' on'}" href="${REPORTS}?${query}" ${attrs({ 'aria-current': isOn && 'true' })}>${isOn && iconView('check', { size: 16 })}${label}</a>`
  const queryOf = (more: Record<string, string>) => {
    const query = new URLSearchParams(more)
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, String(value))
    return query.toString()
  }
  return html`<nav class="pills" aria-label="${words.t('reports.periods')}">${pill(words.t('reports.last_months'), queryOf({}), !isYear && choice.until === today)}${[current, current - 1, current - 2].map((year) => pill(String(year), queryOf({ year: String(year) }), isYear && chosen === year))}</nav>`
}

function filtersView({
  words,
  choice,
  options,
}: Pick<ReportPageData, 'words' | 'choice'> & { options: { types: readonly Option[]; groups: readonly Option[] } }): Html {
  const named = (list: readonly Option[]) => list.map(({ id, title }) => ({ value: id, label: title }))
  const isNarrowed = choice.type !== undefined || choice.group !== undefined
  return html`<search>${filterFormView({
    action: REPORTS,
    submit: words.t('reports.filter'),
    reset: isNarrowed
      ? {
          href: `${REPORTS}${reportQuery({ ...choice, type: undefined, group: undefined })}`,
          label: words.t('reports.reset'),
        }
      : undefined,
    fields: html`${filterDayField({ words, name: 'from', label: words.t('reports.from'), value: choice.from, faults: choice.faults })}
${filterDayField({ words, name: 'until', label: words.t('reports.until'), value: choice.until, faults: choice.faults })}
${selectField({ words, name: 'type', label: words.t('reports.type'), value: choice.type ?? '', options: named(options.types), placeholder: words.t('reports.any_type') })}
${selectField({ words, name: 'group', label: words.t('reports.group'), value: choice.group ?? '', options: named(options.groups), placeholder: words.t('reports.any_group') })}`,
  })}</search>`
}

function bodyView(data: ReportPageData, { isPrinted }: { isPrinted: boolean }): Html {
  const { words, report, plansAll } = data
  return html`${keyFiguresView(data)}
<p class="muted">${words.t(plansAll ? 'reports.scope_all' : 'reports.scope')}</p>
<div class="reports${!isPrinted && ' columns'}">${tablesOf(words, report)
    .filter(({ rows }) => rows.length > 0)
    .map((table) => sectionView(data, table, isPrinted))}</div>`
}

function keyFiguresView({ words, report }: ReportPageData): Html {
  const { events, shifts, needed, missing } = shiftsAt(report, {})
  const { people, hours } = workAt(report, {})
  const filled = percent(needed - missing, needed)
  const figures: [string, string][] = [
    [words.t('reports.events'), words.number(events)],
    [words.t('reports.shifts'), words.number(shifts)],
    [words.t('reports.people'), words.number(people)],
    [words.t('reports.hours'), words.number(Math.round(hours))],
    ...(filled === undefined ? [] : [[words.t('reports.coverage'), `${words.number(filled)} %`] as [string, string]]),
  ]
  return html`<section aria-label="${words.t('reports.key_figures')}"><dl class="key-figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}

function sectionView(data: ReportPageData, table: ReportTable, isPrinted: boolean): Html {
  const { words, choice, report } = data
  const chart = chartOf(data, table)
  const body = tableOf(words, table)
  const isCut = table.name === 'members' && report.hasMoreMembers
  return html`<section class="report-section" aria-labelledby="report-${table.name}"><h2 id="report-${table.name}">${table.title}</h2>
${table.help && html`<p class="muted">${table.help}</p>`}
${chart}
${chart && !isPrinted ? html`<details class="report-figures"><summary>${words.t('reports.figures')}</summary>${body}</details>` : body}
${isCut && html`<p class="muted">${words.t('reports.members_cut', { count: table.rows.length })}</p>`}
${!isPrinted && html`<p>${linkButtonView({ href: `${REPORT_EXPORT}${reportQuery(choice, { table: table.name })}`, label: words.t('reports.csv'), icon: 'download', kind: 'quiet', small: true, attributes: { 'aria-label': words.t('reports.csv_of', { name: table.title }) } })}</p>`}</section>`
}

function tableOf(words: Words, { title, columns, rows, total }: ReportTable): Html {
  const text = (value: number | undefined) => (value === undefined ? '–' : words.number(value))
  return tableView<ReportTable['rows'][number]>({
    caption: title,
    rows: total ? [...rows, total] : rows,
    columns: columns.map((label, index) =>
      index === 0
        ? { label, main: true, cell: (row) => (row === total ? html`<b>${row.label}</b>` : row.label) }
        : { label, numeric: true, cell: (row) => text(row.values[index - 1]) },
    ),
  })
}

/** Tables by month have a chart. */
function chartOf({ words, report }: ReportPageData, { name, title, rows }: ReportTable): Html | false {
  const parts: { series: string[]; of: (index: number) => number[] } | undefined = {
    coverage: {
      series: [words.t('reports.filled'), words.t('reports.missing')],
      of: (index: number) => [rows[index]!.values[2]!, rows[index]!.values[3]!],
    },
    hours: {
      series: seriesOf(report).map((each) => seriesTitle(words, each)),
      of: (index: number) => seriesOf(report).map(({ hoursAt }) => hoursAt(index + 1)),
    },
    people: { series: [words.t('reports.people')], of: (index: number) => [rows[index]!.values[0]!] },
    reliability: {
      series: [words.t('reports.kept'), words.t('reports.declined'), words.t('reports.absent')],
      of: (index: number) => [rows[index]!.values[0]!, rows[index]!.values[1]!, rows[index]!.values[3]!],
    },
    types: undefined,
    members: undefined,
    partners: undefined,
  }[name]
  if (!parts) return false
  const columns = report.months.map((month, index) => ({
    name: monthText(words, month),
    label: shortMonth(words, month),
    parts: parts.of(index),
  }))
  return chartView({ words, id: `chart-${name}`, title, series: parts.series, columns })
}

const shortMonth = (words: Words, month: string): string => monthText(words, month).slice(0, 3)
