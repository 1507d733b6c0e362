import type { PersonRow } from '#features/accounts/users/queries/people.ts'
import { isMinorOn, isUnseen } from '#features/accounts/users/rules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isAddress, shownAddress } from '#platform/no-address.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { selectField, textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { tableView } from '#platform/ui/table.ts'

export const PEOPLE = '/manage/people/'
export const personPath = (id: number, what = ''): string => `${PEOPLE}${id}/${what && `${what}/`}`

const STATES = ['active', 'inactive', 'unattended', 'administrators', 'failed_address', 'all', 'hidden'] as const
type PeopleState = (typeof STATES)[number]

export type PeopleQuery = {
  q: string
  group: number | undefined
  qualification: number | undefined
  state: PeopleState
  page: number
}

export function peoplePath({ q, group, qualification, state, page }: PeopleQuery, what = ''): string {
  const query = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(group ? { group: String(group) } : {}),
    ...(qualification ? { qualification: String(qualification) } : {}),
    ...(state === 'active' ? {} : { state }),
    ...(page > 1 ? { page: String(page) } : {}),
  })
  return `${PEOPLE}${what}${query.size ? `?${query}` : ''}`
}

type PeopleData = {
  words: Words
  now: Date
  today: string
  query: PeopleQuery
  groups: readonly { id: number; name: string }[]
  qualifications: readonly { id: number; name: string }[]
  people: readonly PersonRow[]
  /** Nobody has the searched name; these have a similar one. */
  isSimilar: boolean
  count: number
  /** There are more people than `count`. */
  hasMore: boolean
  pageSize: number
  mayAdd: boolean
  mayChange: boolean
  seesHidden: boolean
}

export function peopleView(data: PeopleData): Html {
  const { words, query, count, hasMore, pageSize, mayAdd } = data
  const actions = [
    linkButtonView({ href: peoplePath({ ...query, page: 1 }, 'export/'), label: words.t('people.export'), icon: 'download' }),
    mayAdd && linkButtonView({ href: `${PEOPLE}import/`, label: words.t('people.import'), icon: 'upload' }),
    mayAdd && linkButtonView({ href: `${PEOPLE}new/`, label: words.t('people.new'), kind: 'primary', icon: 'user-plus' }),
  ]
  return html`${pageHeadView({ title: words.t('people.title'), facts: words.t(hasMore ? 'people.count_more' : 'people.count', { count }), actions })}
${peopleFiltersView({ ...data, action: PEOPLE })}
${data.isSimilar && data.people.length > 0 && html`<p class="help">${words.t('people.similar', { q: query.q })}</p>`}
${data.mayChange && data.people.length > 0 && html`<p class="above-list"><a href="${peoplePath(query, 'select/')}">${words.t('people.select')}</a></p>`}
${data.people.length ? listView(data) : emptyView({ icon: 'search-x', text: words.t('people.none') })}
${pagerView({ words, page: query.page, pageSize, total: count, hasMore, href: (page) => peoplePath({ ...query, page }) })}`
}

type FilterData = Pick<PeopleData, 'words' | 'query' | 'groups' | 'qualifications' | 'seesHidden'> & { action: string }

export function peopleFiltersView({ words, query, groups, qualifications, seesHidden, action }: FilterData): Html {
  const choices = (all: readonly { id: number; name: string }[]) => all.map(({ id, name }) => ({ value: id, label: name }))
  const states = STATES.filter((state) => state !== 'hidden' || seesHidden)
  return filterFormView({
    action,
    submit: words.t('people.filter'),
    reset: { href: action, label: words.t('people.reset') },
    fields: [
      textField({ words, name: 'q', label: words.t('people.search'), value: query.q, type: 'search' }),
      selectField({
        words,
        name: 'group',
        label: words.t('people.group'),
        value: query.group,
        placeholder: words.t('people.any_group'),
        options: choices(groups),
      }),
      selectField({
        words,
        name: 'qualification',
        label: words.t('people.qualification'),
        value: query.qualification,
        placeholder: words.t('people.any_qualification'),
        options: choices(qualifications),
        attributes: { title: words.t('people.qualification_help') },
      }),
      selectField({
        words,
        name: 'state',
        label: words.t('people.state'),
        value: query.state,
        placeholder: false as const,
        options: states.map((state) => ({ value: state, label: words.t(`people.state_${state}`) })),
      }),
    ],
  })
}

function listView({ words, now, today, people }: PeopleData): Html {
  return tableView<PersonRow>({
    caption: words.t('people.title'),
    rows: people,
    columns: [
      {
        label: words.t('people.name'),
        main: true,
        cell: (row) =>
          html`<a href="${personPath(row.id)}">${row.name}</a> <span class="cluster">${personBadges(words, row, { now, today })}</span>`,
      },
      {
        label: words.t('people.email'),
        cell: ({ email, username }) => html`<span class="wrap">${shownAddress(email) ?? username ?? '–'}</span>`,
      },
      { label: words.t('people.groups'), cell: ({ groups }) => (groups.length ? words.list(groups) : '–') },
      {
        label: words.t('people.qualifications'),
        cell: ({ qualifications }) => (qualifications.length ? qualifications.join(', ') : '–'),
      },
      {
        label: words.t('people.last_seen'),
        numeric: true,
        cell: ({ lastSeenAt }) => (lastSeenAt ? words.relative(lastSeenAt, now) : words.t('people.never')),
      },
    ],
  })
}

type Badged = Pick<
  PersonRow,
  'dateOfBirth' | 'isActive' | 'isVisible' | 'isStaff' | 'email' | 'emailInvalid' | 'createdAt' | 'lastSeenAt'
>

export function personBadges(words: Words, person: Badged, { now, today }: { now: Date; today: string }): Html[] {
  const { isActive, lastSeenAt, createdAt } = person
  return [
    person.isStaff && badgeView({ tone: 'info', text: words.t('people.administrator'), icon: 'shield-check' }),
    isMinorOn(person.dateOfBirth, today) && badgeView({ tone: 'warn', text: words.t('people.minor') }),
    !isActive && badgeView({ tone: 'quiet', text: words.t('people.inactive') }),
    isActive && isUnseen(lastSeenAt, createdAt, now) && badgeView({ tone: 'quiet', text: words.t('people.unseen') }),
    person.emailInvalid && isAddress(person.email) && badgeView({ tone: 'bad', text: words.t('people.bad_email') }),
    !person.isVisible && badgeView({ tone: 'quiet', text: words.t('people.hidden'), icon: 'eye-off' }),
  ].filter((badge): badge is Html => badge !== false)
}
