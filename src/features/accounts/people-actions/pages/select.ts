import { PEOPLE, peoplePath } from '#features/accounts/people/views/people.ts'
import {
  filterOf,
  findGroupChoices,
  findQualificationChoices,
  readPeopleQuery,
  searchPeople,
} from '#features/accounts/users/queries/people.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { isStaff, type UserActor } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { selectPeople } from '../commands/select.ts'
import { findRecentActions } from '../queries.ts'
import { MOST_PEOPLE } from '../rules.ts'
import { selectionForm } from '../schema.ts'
import { actionPath } from '../views/action.ts'
import { SELECT, selectView } from '../views/select.ts'

const PAGE_SIZE = 200

export const selectPage: Page = formPage({
  path: SELECT,
  access: permission('change_user'),
  form: selectionForm,
  show: async ({ context, csrfToken, query: raw }, refused) => {
    const { words, now, actor, site, db } = context
    const query = readPeopleQuery(raw)
    const [{ count, hasMore, people }, groups, qualifications, recent] = await Promise.all([
      searchPeople(context, filterOf(query), { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
      findGroupChoices(db),
      findQualificationChoices(db),
      findRecentActions(db, actor as UserActor),
    ])
    if (!people.length && count > 0) return { redirect: peoplePath({ ...query, page: 1 }, 'select/') }
    const main = selectView({
      words,
      now,
      today: dayOf(now, site.timeZone),
      csrfToken,
      state: refused ?? EMPTY_STATE,
      query,
      groups,
      qualifications,
      people,
      count,
      hasMore,
      pageSize: PAGE_SIZE,
      seesHidden: isStaff(actor),
      isTicked: raw.get('ticked') === '1' && refused === undefined,
      recent,
    })
    const breadcrumb = manageCrumbs(words, { href: PEOPLE, label: words.t('people.title') })
    return { title: words.t('people_actions.title'), breadcrumb, main }
  },
  submit: async ({ context: { words, site }, commandContext, query: raw }, { people, all, kind }) => {
    if (kind === 'invite' && site.isMailOff) return { refused: [{ field: 'kind', text: words.t('people_actions.no_mail') }] }
    const query = { ...readPeopleQuery(raw), page: 1 }
    const nobody = { refused: [{ field: 'people', text: words.t('people_actions.nobody') }] }
    if (!all && !people.length) return nobody
    if (kind === 'export') {
      const path = peoplePath(query, 'export/')
      const chosen = new URLSearchParams(people.map((id) => ['person', String(id)]))
      return { redirect: all ? path : `${path}${path.includes('?') ? '&' : '?'}${chosen}` }
    }
    const filter = { ...filterOf(query), ...(all ? {} : { userIds: people }) }
    const outcome = await selectPeople(commandContext, { kind, filter })
    if (outcome.ok) return { redirect: actionPath(outcome.id) }
    if (outcome.reason === 'nobody') return nobody
    return { refused: [{ field: 'people', text: words.t('people_actions.too_many', { count: MOST_PEOPLE }) }] }
  },
})
