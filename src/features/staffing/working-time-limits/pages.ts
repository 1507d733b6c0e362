import { getGroup } from '#features/accounts/people/queries/groups.ts'
import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import { html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeLimits } from './commands.ts'
import { findStoredLimits } from './queries.ts'
import { type LimitsForm, limitsForm, readLimits, writeLimits } from './schema.ts'
import { groupLimitsPath, INSTANCE_LIMITS, LIMITS, limitsFormView, limitsView } from './views.ts'

const crumbs = (words: Words) => manageCrumbs(words, { href: LIMITS, label: words.t('limits.title') })

const listPage = viewPage({
  path: LIMITS,
  access: staff,
  show: async ({ context: { db, words } }) => ({
    title: words.t('limits.title'),
    breadcrumb: manageCrumbs(words),
    main: limitsView(words, await findStoredLimits(db), await findGroupChoices(db)),
  }),
})

type Scope = { groupId: number | null; title: string; path: string }

async function showForm({ context, csrfToken }: PageRequest, { groupId, title, path }: Scope, refused: Refused | undefined) {
  const { db, words } = context
  const stored = (await findStoredLimits(db)).filter((limit) => limit.groupId === groupId)
  const state = refused ?? limitsForm.state(writeLimits(stored))
  const intro = words.t(groupId === null ? 'limits.instance_intro' : 'limits.group_intro')
  const form = limitsFormView({ words, csrfToken, action: path, state })
  return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title, facts: intro })}${form}` }
}

async function save({ context: { words }, commandContext }: PageRequest, groupId: number | null, form: LimitsForm) {
  const isChanged = await changeLimits(commandContext, groupId, readLimits(form))
  const flash = isChanged
    ? { kind: 'good' as const, text: words.t('limits.saved') }
    : { kind: 'info' as const, text: words.t('limits.unchanged') }
  return { redirect: LIMITS, flash }
}

const instancePage = formPage({
  path: INSTANCE_LIMITS,
  access: staff,
  form: limitsForm.schema,
  show: (request, refused) => {
    const scope = { groupId: null, title: request.context.words.t('limits.for_all'), path: INSTANCE_LIMITS }
    return showForm(request, scope, refused)
  },
  submit: (request, form) => save(request, null, form),
})

const groupPage = formPage({
  path: '/manage/limits/groups/{id}/',
  access: staff,
  form: limitsForm.schema,
  show: async (request, refused) => {
    const group = requireFound(await getGroup(request.context.db, request.path.id))
    const title = request.context.words.t('limits.for_group', { group: group.name })
    return showForm(request, { groupId: group.id, title, path: groupLimitsPath(group.id) }, refused)
  },
  submit: (request, form) => save(request, request.path.id, form),
})

export const limitPages: Page[] = [listPage, instancePage, groupPage]
