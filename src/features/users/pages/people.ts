import { hasPermission, isStaff } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { requireEditor } from '../access.ts'
import { type AccountHooks, createPerson, type PersonRefusal } from '../commands/people.ts'
import { findGroupChoices, findPeople, findQualificationChoices, type PeopleFilter } from '../queries/people.ts'
import { getPeopleCsv } from '../queries/people-export.ts'
import { dayOf, splitGroups } from '../rules.ts'
import { personForm } from '../schema.ts'
import { isPeopleState, PEOPLE, type PeopleQuery, peoplePath, peopleView, personPath } from '../views/people.ts'
import { personFormView } from '../views/person-form.ts'

const PAGE_SIZE = 50
const LONGEST_SEARCH = 200
const MOST_TERMS = 10

/** Invalid values count as absent: people edit addresses by hand. */
function readQuery(raw: URLSearchParams): PeopleQuery {
  const whole = (name: string, most = 1e15) => {
    const text = raw.get(name) ?? ''
    return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined
  }
  const state = raw.get('state') ?? ''
  return {
    q: (raw.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    group: whole('group'),
    qualification: whole('qualification'),
    state: isPeopleState(state) ? state : 'active',
    page: whole('page', 1_000_000) ?? 1,
  }
}

const filterOf = ({ q, group, qualification, state }: PeopleQuery): PeopleFilter => ({
  terms: q.split(/\s+/).filter(Boolean).slice(0, MOST_TERMS),
  groupId: group,
  qualificationId: qualification,
  state,
})

const listPage = viewPage({
  path: PEOPLE,
  access: permission('view_user'),
  show: async ({ context, query: raw }) => {
    const { words, now, actor, site } = context
    const query = readQuery(raw)
    const [{ count, people }, groups, qualifications] = await Promise.all([
      findPeople(context, filterOf(query), { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
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
      count,
      pageSize: PAGE_SIZE,
      mayAdd: hasPermission(actor, 'add_user'),
      seesHidden: isStaff(actor),
    })
    return { title: words.t('people.title'), breadcrumb: manageCrumbs(words), main }
  },
})

const exportPage = viewPage({
  path: `${PEOPLE}export/`,
  access: permission('view_user'),
  show: async ({ context, query }) => ({
    content: await getPeopleCsv(context, filterOf(readQuery(query))),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="people.csv"', 'cache-control': 'no-store' },
  }),
})

const FIELD_OF: Record<PersonRefusal, string | undefined> = {
  email_taken: 'email',
  email_locked: 'email',
  date_of_birth_future: 'date_of_birth',
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

const newPage = (hooks: AccountHooks): Page =>
  formPage({
    path: `${PEOPLE}new/`,
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
        isEmailLocked: false,
        showsStaff: editor.isStaff,
        showsVisible: editor.isStaff,
      })
      const title = words.t('people.new')
      return { title, breadcrumb: peopleCrumbs(words), main: html`${pageHeadView({ title })}${form}` }
    },
    submit: async ({ context: { words }, commandContext }, form) => {
      const outcome = await createPerson(commandContext, form, hooks)
      if (!outcome.ok) return { refused: personErrors(outcome.reasons, words) }
      const text = words.t('people.created', { name: form.name })
      return { redirect: personPath(outcome.userId), flash: { kind: 'good', text } }
    },
  })

export const peoplePages = (hooks: AccountHooks): Page[] => [listPage, exportPage, newPage(hooks)]
