import { type PeopleQuery, peopleFiltersView, peoplePath, personBadges } from '#features/accounts/people/views/people.ts'
import type { PersonRow } from '#features/accounts/users/queries/people.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { shownAddress } from '#platform/no-address.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, selectField } from '#platform/ui/fields.ts'
import { formView } from '#platform/ui/form.ts'
import { errorOf, type FormState, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { ACTION_KINDS } from '../rules.ts'
import { type ActionHead, actionPath, headingOf } from './action.ts'

export const SELECT = '/manage/people/select/'

type SelectData = {
  words: Words
  now: Date
  today: string
  csrfToken: string
  state: FormState
  query: PeopleQuery
  groups: readonly { id: number; name: string }[]
  qualifications: readonly { id: number; name: string }[]
  people: readonly PersonRow[]
  count: number
  hasMore: boolean
  pageSize: number
  seesHidden: boolean
  /** Everybody on the page is ticked at first. */
  isTicked: boolean
  recent: readonly (ActionHead & { id: number })[]
}

export function selectView(data: SelectData): Html {
  const { words, query, count, hasMore, pageSize, people, recent } = data
  const ticked = (page: number) => `${peoplePath({ ...query, page }, 'select/')}`
  return html`${pageHeadView({ title: words.t('people_actions.title'), facts: words.t(hasMore ? 'people.count_more' : 'people.count', { count }) })}
${peopleFiltersView({ ...data, action: SELECT })}
${people.length ? selectionFormView(data) : emptyView({ icon: 'search-x', text: words.t('people.none') })}
${pagerView({ words, page: query.page, pageSize, total: count, hasMore, href: ticked })}
${
  recent.length > 0 &&
  cardView({
    title: words.t('people_actions.recent'),
    body: html`<ul>${recent.map((action) => html`<li><a href="${actionPath(action.id)}">${headingOf(words, action)}</a> · ${words.t('people.count', { count: action.people })}</li>`)}</ul>`,
  })
}`
}

function selectionFormView({ words, csrfToken, state, query, count, hasMore, ...data }: SelectData): Html {
  const { values, errors } = state
  const here = peoplePath(query, 'select/')
  const other = data.isTicked ? here : `${here}${here.includes('?') ? '&' : '?'}ticked=1`
  const chosen = new Set(fieldValues(values, 'people'))
  return formView({
    words,
    action: here,
    csrfToken,
    guard: false,
    errors,
    submit: words.t('people_actions.go_on'),
    cancel: { href: peoplePath(query) },
    fields: html`${selectField({
      words,
      name: 'kind',
      label: words.t('people_actions.kind'),
      value: fieldValue(values, 'kind'),
      error: errorOf(errors, 'kind'),
      required: true,
      options: [...ACTION_KINDS, 'export' as const].map((kind) => ({
        value: kind,
        label: words.t(`people_actions.kind_${kind}`),
      })),
    })}
${!hasMore && checkboxField({ words, name: 'all', label: words.t('people_actions.all', { count }), checked: fieldValue(values, 'all') !== '' })}
<fieldset class="field group" id="field-people"><legend>${words.t('people_actions.who')}</legend>
<p><a href="${other}">${words.t(data.isTicked ? 'people_actions.tick_none' : 'people_actions.tick_all')}</a></p>
<ul class="ticks" role="list">${data.people.map((person) => tickView(words, person, { ...data, isChosen: data.isTicked || chosen.has(String(person.id)) }))}</ul></fieldset>`,
  })
}

type TickData = { now: Date; today: string; isChosen: boolean }

function tickView(words: Words, person: PersonRow, { now, today, isChosen }: TickData): Html {
  const { id, name, email, username, groups } = person
  const about = [shownAddress(email) ?? username, groups.length > 0 && words.list(groups)].filter(Boolean).join(' · ')
  return html`<li><label class="choice" for="person-${id}"><input ${attrs({ type: 'checkbox', id: `person-${id}`, name: 'people', value: id, checked: isChosen })}><span>${name} ${personBadges(words, person, { now, today })}${about && html`<small>${about}</small>`}</span></label></li>`
}
