import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { type HoursRow, sumHours } from '../rules.ts'
import { amountText, dayText, type HoursQuery, periodText } from './hours.ts'

type StatementData = {
  words: Words
  now: Date
  organization: string
  person: string
  rows: readonly HoursRow[]
  query: HoursQuery
}

/** A statement of service to print and sign. */
export function statementView({ words, now, organization, person, rows, query }: StatementData): Html {
  const period = periodText(words, query)
  const byType = [...Map.groupBy(rows, ({ typeTitle }) => typeTitle ?? words.t('hours.entries'))]
    .map(([title, parts]) => ({ title, count: parts.length, hours: sumHours(parts) }))
    .sort((a, b) => b.hours - a.hours)
  return html`${pageHeadView({
    title: words.t('hours.statement_title'),
    facts: words.t('hours.statement_of', { person, organization, period }),
    actions: [
      buttonView({
        label: words.t('hours.print'),
        icon: 'printer',
        // Hidden without JavaScript; browsers can print without the button.
        attributes: { type: 'button', 'data-print': true, hidden: true },
      }),
    ],
  })}
${
  rows.length === 0
    ? emptyView({ icon: 'clock', text: words.t('hours.none', { period }) })
    : html`<p>${words.t('hours.statement_text', { person, organization, period, hours: sumHours(rows) })}</p>
<section class="section-block">${tableView({
        caption: words.t('hours.by_type'),
        rows: byType,
        columns: [
          { label: words.t('hours.type'), main: true, cell: ({ title }) => title },
          { label: words.t('hours.number'), numeric: true, cell: ({ count }) => words.number(count) },
          { label: words.t('hours.amount'), numeric: true, cell: ({ hours }) => amountText(words, hours) },
        ],
      })}</section>
<section class="section-block"><h2>${words.t('hours.list')}</h2>
${tableView<HoursRow>({
  caption: words.t('hours.list'),
  rows: rows.toReversed(),
  columns: [
    { label: words.t('hours.date'), cell: ({ date }) => dayText(words, date) },
    { label: words.t('hours.what'), main: true, cell: ({ title, label }) => (label ? `${title}, ${label}` : title) },
    { label: words.t('hours.amount'), numeric: true, cell: ({ hours }) => amountText(words, sumHours([{ hours }])) },
  ],
})}</section>
<p class="statement-sign">${words.t('hours.statement_sign')}</p>`
}
<p class="roster-foot">${words.t('hours.statement_made', { when: words.dateTime(now) })}</p>`
}
