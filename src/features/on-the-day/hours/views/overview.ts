import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { selectField } from '#platform/ui/fields.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { type Column, tableView } from '#platform/ui/table.ts'
import type { PartnerHours } from '../queries.ts'
import { ENTRIES, type HoursRow, sumHours, type TypeColumn, type YearOfHours } from '../rules.ts'
import {
  amountText,
  downloadButtons,
  filtersView,
  HOURS,
  type HoursQuery,
  hoursListView,
  hoursQuery,
  type OverviewPerson,
  partnerHoursView,
  periodText,
  workerPath,
  yearsView,
} from './hours.ts'

export type OverviewQuery = HoursQuery & { group: number | undefined; sort: 'name' | 'total'; page: number }

export function overviewPath({ group, sort, page, ...query }: OverviewQuery, path = HOURS): string {
  return `${path}${hoursQuery(query)}${group === undefined ? '' : `&group=${group}`}${sort === 'total' ? '&sort=total' : ''}${page > 1 ? `&page=${page}` : ''}`
}

type OverviewData = {
  words: Words
  query: OverviewQuery
  types: readonly TypeColumn[]
  groups: readonly { id: number; name: string }[]
  people: readonly OverviewPerson[]
  count: number
  sum: number
  pageSize: number
}

export function overviewView({ words, query, types, groups, people, count, sum, pageSize }: OverviewData): Html {
  const amount = (hours: number | undefined) => (hours ? amountText(words, sumHours([{ hours }])) : '–')
  const columns: Column<OverviewPerson>[] = [
    {
      label: words.t('hours.person'),
      main: true,
      cell: ({ userId, name }) => html`<a href="${`${workerPath(userId)}${hoursQuery(query)}`}">${name}</a>`,
    },
    ...types.map(
      ({ id, title }): Column<OverviewPerson> => ({ label: title, numeric: true, cell: ({ parts }) => amount(parts[id]) }),
    ),
    { label: words.t('hours.entries'), numeric: true, cell: ({ parts }) => amount(parts[ENTRIES]) },
    { label: words.t('hours.sum'), numeric: true, cell: ({ total }) => html`<b>${amount(total)}</b>` },
  ]
  const extra = [
    groups.length > 0 &&
      selectField({
        words,
        name: 'group',
        label: words.t('hours.group'),
        value: query.group,
        placeholder: words.t('hours.any_group'),
        options: groups.map(({ id, name }) => ({ value: id, label: name })),
      }),
    selectField({
      words,
      name: 'sort',
      label: words.t('hours.sort'),
      value: query.sort,
      placeholder: false,
      options: [
        { value: 'name', label: words.t('hours.sort_name') },
        { value: 'total', label: words.t('hours.sort_total') },
      ],
    }),
  ]
  return html`${pageHeadView({
    title: words.t('hours.overview'),
    facts: words.t('hours.overview_sum', { hours: sumHours([{ hours: sum }]), period: periodText(words, query) }),
    actions: [
      linkButtonView({
        href: overviewPath({ ...query, page: 1 }, `${HOURS}export/`),
        label: words.t('hours.csv'),
        icon: 'download',
      }),
    ],
  })}
${filtersView({ words, action: HOURS, query, types, extra })}
${people.length ? html`${tableView({ caption: words.t('hours.overview'), columns, rows: people })}` : emptyView({ icon: 'users', text: words.t('hours.no_people') })}
${pagerView({ words, page: query.page, pageSize, total: count, href: (page) => overviewPath({ ...query, page }) })}`
}

type WorkerData = {
  words: Words
  worker: { id: number; name: string; mayDecide: boolean }
  query: HoursQuery
  types: readonly TypeColumn[]
  rows: readonly HoursRow[]
  partnerHours: readonly PartnerHours[]
  years: readonly YearOfHours[]
}

export function workerView({ words, worker, query, types, rows, partnerHours, years }: WorkerData): Html {
  const path = workerPath(worker.id)
  return html`${pageHeadView({
    title: worker.name,
    facts: words.t('hours.overview_sum', { hours: sumHours(rows), period: periodText(words, query) }),
    actions: [
      worker.mayDecide && linkButtonView({ href: `${path}add/`, label: words.t('hours.add'), icon: 'plus', kind: 'primary' }),
      ...downloadButtons(words, path, query),
    ],
  })}
${filtersView({ words, action: path, query, types })}
${hoursListView({ words, rows, query, isEditable: worker.mayDecide })}
${partnerHoursView(words, partnerHours)}
${years.length > 0 && html`<section class="section-block"><header class="section-head"><h2>${words.t('hours.by_year')}</h2></header>${yearsView(words, years, types, path)}</section>`}`
}
