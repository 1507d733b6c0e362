import { type Html, html } from '#platform/html/html.ts'
import { nameOfLanguage } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tableView } from '#platform/ui/table.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { ShownRow } from '../queries/imports.ts'
import { type Change, VERDICTS, type Verdict } from '../rules/judgement.ts'
import { joinUntil } from '../rules/lists.ts'
import type { RowProblem } from '../rules/row.ts'
import type { KeptReason } from '../rules/undo.ts'
import { importPath } from './start.ts'

export type RowsData = {
  words: Words
  importId: number
  counts: Readonly<Record<Verdict, number>>
  /** People that undo has left. */
  kept: number
  filter: Verdict | 'all' | 'kept'
  rows: readonly ShownRow[]
  count: number
  page: number
  pageSize: number
}

const TONES: Record<Verdict, Tone> = { new: 'good', updated: 'info', same: 'quiet', conflict: 'warn', error: 'bad' }

export function rowsView(data: RowsData): Html {
  const { words, importId, counts, kept, filter, rows, count, page, pageSize } = data
  const href = (show: string, at = 1) => {
    const query = new URLSearchParams({ ...(show === 'all' ? {} : { show }), ...(at > 1 ? { page: String(at) } : {}) })
    return `${importPath(importId)}${query.size ? `?${query}` : ''}#rows`
  }
  const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0)
  const tabs = [
    { href: href('all'), label: words.t('people_import.all'), count: total, current: filter === 'all' },
    ...(kept ? [{ href: href('kept'), label: words.t('people_import.kept'), count: kept, current: filter === 'kept' }] : []),
    ...VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === filter).map((verdict) => ({
      href: href(verdict),
      label: words.t(`people_import.verdict_${verdict}`),
      count: counts[verdict],
      current: filter === verdict,
    })),
  ]
  return html`<div id="rows">${tabsView({ label: words.t('people_import.filter'), tabs })}
${rows.length ? tableOf(words, rows) : emptyView({ icon: 'search-x', text: words.t('people_import.no_rows') })}
${pagerView({ words, page, pageSize, total: count, href: (at) => href(filter, at) })}</div>`
}

const tableOf = (words: Words, rows: readonly ShownRow[]): Html =>
  tableView<ShownRow>({
    caption: words.t('people_import.filter'),
    rows,
    columns: [
      {
        label: words.t('people_import.person'),
        main: true,
        cell: ({ userId, name, email }) =>
          html`${userId === null || !name ? name || '–' : html`<a href="/manage/people/${userId}/">${name}</a>`}${email && html`<br><small class="wrap muted">${email}</small>`}`,
      },
      { label: words.t('people_import.row'), numeric: true, cell: ({ number }) => String(number) },
      {
        label: words.t('people_import.verdict'),
        cell: ({ verdict, outcome }) =>
          outcome
            ? badgeView({ tone: outcome === 'kept' ? 'warn' : TONES[verdict], text: words.t(`people_import.outcome_${outcome}`) })
            : badgeView({ tone: TONES[verdict], text: words.t(`people_import.verdict_${verdict}`) }),
      },
      { label: words.t('people_import.what'), cell: (row) => linesView(linesOf(words, row)) },
    ],
  })

const linesView = (lines: readonly string[]): Html => html`<div>${lines.map((line) => html`<div>${line}</div>`)}</div>`

function linesOf(words: Words, { verdict, problems, changes, keptBecause }: ShownRow): string[] {
  if (keptBecause) return [words.t(`people_import.kept_${keptBecause as KeptReason}`)]
  if (problems.length) return problems.map((problem) => problemText(words, problem))
  if (changes.length) return changes.map((change) => changeText(words, change))
  return [words.t(verdict === 'new' ? 'people_import.is_created' : 'people_import.is_same')]
}

export const problemText = (words: Words, { code, value = '' }: RowProblem): string =>
  words.t(`people_import.problem_${code}`, { value } as never)

function changeText(words: Words, { field, from, to }: Change): string {
  const label = words.t(`people_import.change_${field}`)
  const shown = (value: string) => (value === '' ? words.t('people_import.change_empty') : readable(words, field, value))
  return from === undefined
    ? words.t('people_import.change_added', { field: label, to: shown(to) })
    : words.t('people_import.change', { field: label, from: shown(from), to: shown(to) })
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** Days as people of the language write them. */
function readable(words: Words, field: Change['field'], value: string): string {
  const day = (text: string) => (words.language === 'de' ? text.replace(DAY, '$3.$2.$1') : text)
  if (field === 'birth_date') return day(value)
  if (field === 'language') return nameOfLanguage(value)
  const [, name, until] = /^(.*) \((\d{4}-\d{2}-\d{2})\)$/s.exec(value) ?? []
  return field === 'qualification' && name !== undefined ? joinUntil(name, day(until!)) : value
}
