import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { shownAddress } from '#platform/no-address.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { selectField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ExpiringRow } from '../queries.ts'

export const EXPIRING = '/manage/expiring/'

export type ExpiringQuery = { qualification: number | undefined; group: number | undefined; days: number; page: number }
type Choice = { id: number; name: string }
type ExpiringData = {
  words: Words
  now: Date
  query: ExpiringQuery
  rows: readonly ExpiringRow[]
  count: number
  pageSize: number
  periods: readonly number[]
  qualifications: readonly Choice[]
  groups: readonly Choice[]
}

function expiringPath({ qualification, group, days, page }: ExpiringQuery, path = EXPIRING): string {
  const query = new URLSearchParams({ days: String(days) })
  if (qualification !== undefined) query.set('qualification', String(qualification))
  if (group !== undefined) query.set('group', String(group))
  if (page > 1) query.set('page', String(page))
  return `${path}?${query}`
}

const periodText = (words: Words, days: number): string =>
  days === 0 ? words.t('qualreq.period_expired') : words.t('qualreq.period_days', { count: days })

export function expiringView(data: ExpiringData): Html {
  const { words, now, query, rows, count, pageSize } = data
  const table = tableView<ExpiringRow>({
    caption: words.t('qualreq.expiring'),
    rows,
    columns: [
      {
        label: words.t('qualreq.person'),
        main: true,
        cell: ({ userId, name }) => html`<a href="/manage/people/${userId}/">${name}</a>`,
      },
      { label: words.t('qualreq.qualification'), cell: ({ qualification }) => qualification },
      { label: words.t('qualreq.valid_until'), cell: ({ expiresAt }) => words.date(expiresAt) },
      {
        label: words.t('qualreq.state'),
        cell: ({ expiresAt, isRequested }) =>
          html`<span class="cluster">${badgeView({ tone: expiresAt < now ? 'bad' : 'warn', text: words.relative(expiresAt, now) })}${isRequested && badgeView({ tone: 'info', text: words.t('qualreq.renewal_requested') })}</span>`,
      },
    ],
  })
  return html`${pageHeadView({
    title: words.t('qualreq.expiring'),
    facts: words.t('qualreq.expiring_intro'),
    actions: [
      linkButtonView({
        href: expiringPath({ ...query, page: 1 }, `${EXPIRING}export/`),
        label: words.t('qualreq.csv'),
        icon: 'download',
      }),
    ],
  })}
${filtersView(data)}
${rows.length ? table : emptyView({ icon: 'circle-check', text: words.t('qualreq.none_expiring') })}
${pagerView({ words, page: query.page, pageSize, total: count, href: (page) => expiringPath({ ...query, page }) })}`
}

function filtersView({ words, query, periods, qualifications, groups }: ExpiringData): Html {
  const optionsOf = (choices: readonly Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }))
  return filterFormView({
    action: EXPIRING,
    submit: words.t('qualreq.filter'),
    reset: { href: EXPIRING, label: words.t('qualreq.reset') },
    fields: [
      selectField({
        words,
        name: 'days',
        label: words.t('qualreq.period'),
        value: query.days,
        placeholder: false,
        options: [...periods, 0].map((days) => ({ value: days, label: periodText(words, days) })),
      }),
      selectField({
        words,
        name: 'qualification',
        label: words.t('qualreq.qualification'),
        value: query.qualification,
        placeholder: words.t('qualreq.any_qualification'),
        options: optionsOf(qualifications),
      }),
      selectField({
        words,
        name: 'group',
        label: words.t('qualreq.group'),
        value: query.group,
        placeholder: words.t('qualreq.any_group'),
        options: optionsOf(groups),
      }),
    ],
  })
}

export const expiringCsvRows = (words: Words, rows: readonly ExpiringRow[]): string[][] => [
  [words.t('qualreq.person'), words.t('qualreq.email'), words.t('qualreq.qualification'), words.t('qualreq.valid_until')],
  ...rows.map(({ name, email, qualification, expiresAt }) => [
    name,
    shownAddress(email) ?? '',
    qualification,
    words.inputDateTime(expiresAt).slice(0, 10),
  ]),
]
