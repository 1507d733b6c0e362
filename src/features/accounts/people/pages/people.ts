import { requireEditor } from '#features/accounts/users/access.ts'
import { createPerson, type PersonRefusal } from '#features/accounts/users/commands/people.ts'
import {
  filterOf,
  findGroupChoices,
  findQualificationChoices,
  readPeopleQuery,
  searchPeople,
} from '#features/accounts/users/queries/people.ts'
import { dayOf, splitGroups } from '#features/accounts/users/rules.ts'
import { personForm } from '#features/accounts/users/schema.ts'
import { hasPermission, hasRecentProof, isStaff } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { PEOPLE, peoplePath, peopleView, personPath } from '../views/people.ts'
import { personFormView } from '../views/person-form.ts'

const PAGE_SIZE = 50
const listPage = viewPage({
  path: PEOPLE,
  access: permission('view_user'),
  show: async ({ context, query: raw }) => {
    const { words, now, actor, site } = context
    const query = readPeopleQuery(raw)
    const [{ count, hasMore, people, isSimilar }, groups, qualifications] = await Promise.all([
      searchPeople(context, filterOf(query), { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
      findGroupChoices(context.db),
      findQualificationChoices(context.db),
    ])
    // The list may have become shorter since the previous page was loaded.
    if (!people.length && count > 0) return { redirect: peoplePath({ ...query, page: Math.ceil(count / PAGE_SIZE) }) }
    const main = peopleView({
      words,
      now,
      today: dayOf(now, site.timeZone),
      query,
      groups,
      qualifications,
      people,
      isSimilar,
      count,
      hasMore,
      pageSize: PAGE_SIZE,
      mayAdd: hasPermission(actor, 'add_user'),
      mayChange: hasPermission(actor, 'change_user'),
      seesHidden: isStaff(actor),
    })
    return { title: words.t('people.title'), breadcrumb: manageCrumbs(words), main }
  },
})

const FIELD_OF: Record<PersonRefusal, string | undefined> = {
  email_taken: 'email',
  email_locked: 'email',
  email_needed: 'email',
  username_taken: 'username',
  date_of_birth_future: 'date_of_birth',
  phone_invalid: 'phone',
  groups_locked: 'groups',
  groups_unknown: 'groups',
  is_staff_locked: 'is_staff',
  is_staff_last: 'is_staff',
  is_visible_locked: 'is_visible',
  changed_meanwhile: undefined,
}

export const personErrors = (reasons: readonly PersonRefusal[], words: Words): FormError[] =>
  reasons.map((reason) => ({ field: FIELD_OF[reason], text: words.t(`people.refused_${reason}`) }))

export const peopleCrumbs = (words: Words) => manageCrumbs(words, { href: PEOPLE, label: words.t('people.title') })

const newPage = formPage({
  path: `${PEOPLE}new/`,
  requires: 'recentSignInForSome',
  access: permission('add_user'),
  form: personForm.schema,
  show: async ({ context, csrfToken, url }: PageRequest, refused) => {
    const { words } = context
    const editor = requireEditor(context.actor)
    const { open } = splitGroups(editor, await findGroupChoices(context.db), [])
    const form = personFormView({
      words,
      csrfToken,
      action: url,
      cancel: PEOPLE,
      submit: words.t('people.create'),
      help: words.t('people.create_help'),
      state: refused ?? personForm.state({ language: words.language, is_visible: true }),
      groups: open,
      lockedGroups: [],
      languages: offeredLanguages(context.site),
      isEmailLocked: false,
      showsStaff: editor.isStaff,
      showsVisible: editor.isStaff,
    })
    const title = words.t('people.new')
    return { title, breadcrumb: peopleCrumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words, actor, now, site }, commandContext }, form) => {
    if (form.is_staff && !hasRecentProof(actor, now)) return { needsRecentSignIn: true }
    const outcome = await createPerson(commandContext, form)
    if (!outcome.ok) return { refused: personErrors(outcome.reasons, words) }
    const text = words.t('people.created', { name: form.name })
    return { redirect: personPath(outcome.userId, site.isMailOff ? 'invitation' : ''), flash: { kind: 'good', text } }
  },
})

export const peoplePages: Page[] = [listPage, newPage]
