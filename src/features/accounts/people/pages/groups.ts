import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import { groupState } from '#features/accounts/users/rules.ts'
import { groupForm, memberForm } from '#features/accounts/users/schema.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormState } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { addMembers, changeGroup, createGroup, deleteGroup, type GroupRefusal, removeMembers } from '../commands/groups.ts'
import { groupPage } from '../points.ts'
import {
  findGroups,
  findMembers,
  findNonMembers,
  type GroupUses,
  type GroupWithBundles,
  getGroupUses,
  hasOtherManagement,
  requireGroup,
} from '../queries/groups.ts'
import { GROUPS, groupFormView, groupListView, groupPath, groupView, membersView } from '../views/groups.ts'
import { groupPatternsPage } from './group-patterns.ts'

const MOST_SHOWN = 100

const crumbs = (words: Words, group?: GroupWithBundles) =>
  manageCrumbs(
    words,
    { href: GROUPS, label: words.t('groups.title') },
    ...(group ? [{ href: groupPath(group.id), label: group.name }] : []),
  )

const listPage = viewPage({
  path: GROUPS,
  access: permission('view_group'),
  show: async ({ context: { words, db, actor } }) => ({
    title: words.t('groups.title'),
    breadcrumb: manageCrumbs(words),
    main: groupListView(words, await findGroups(db), hasPermission(actor, 'add_group')),
  }),
})

const FIELD_OF: Record<GroupRefusal, string | undefined> = {
  name_taken: 'name',
  bundles_unknown: 'bundles',
  bundles_last: 'bundles',
  targets_unknown: 'publish_for',
  changed_meanwhile: undefined,
}
const refusalErrors = (reasons: readonly GroupRefusal[], words: Words): FormError[] =>
  reasons.map((reason) => ({ field: FIELD_OF[reason], text: words.t(`groups.refused_${reason}`) }))

const newPage = formPage({
  path: `${GROUPS}new/`,
  requires: 'recentSignInToSubmit',
  access: permission('add_group'),
  form: groupForm.schema,
  show: async ({ context: { words, db }, csrfToken, url }, refused) => {
    const form = groupFormView({
      words,
      csrfToken,
      action: url,
      submit: words.t('groups.create'),
      loose: [],
      state: refused ?? EMPTY_STATE,
      targets: await findGroupChoices(db),
    })
    const title = words.t('groups.new')
    return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createGroup(commandContext, form)
    if (!outcome.ok) return { refused: refusalErrors(outcome.reasons, words) }
    const text = words.t('groups.created', { name: form.name })
    return { redirect: groupPath(outcome.id, 'members'), flash: { kind: 'good', text } }
  },
})

const storedState = ({ name, bundles, publishFor, decideHoursFor }: GroupWithBundles): FormState =>
  groupForm.state({ name, bundles, publish_for: publishFor, decide_hours_for: decideHoursFor })

/** The form always contains the current state, so that saving again after a conflict overwrites it knowingly. */
const withSeen = (state: FormState, group: GroupWithBundles): FormState => ({
  ...state,
  values: { ...state.values, seen: groupState(group) },
})

async function showGroup(request: PageRequest<{ id: number }>, refused?: Refused): Promise<PageBody> {
  const { words, db, actor, site } = request.context
  const group = await requireGroup(request.context, request.path.id)
  const form = hasPermission(actor, 'change_group')
    ? {
        words,
        csrfToken: request.csrfToken,
        action: groupPath(group.id),
        submit: words.t('groups.save'),
        loose: group.loose,
        state: withSeen(refused ?? storedState(group), group),
        targets: await findGroupChoices(db),
      }
    : undefined
  const sections = form ? await Promise.all(site.added(groupPage.section).map((section) => section(request.context, group))) : []
  const main = groupView({ words, group, form, sections, mayDelete: hasPermission(actor, 'delete_group') })
  return { title: group.name, breadcrumb: crumbs(words), main }
}

const editPage = formPage({
  path: `${GROUPS}{id}/`,
  requires: 'recentSignInToSubmit',
  access: permission('view_group'),
  form: groupForm.schema,
  show: showGroup,
  submit: async (request, form) => {
    const { words } = request.context
    const { id } = await requireGroup(request.context, request.path.id)
    const outcome = requireFound(await changeGroup(request.commandContext, id, form))
    if (!outcome.ok) {
      const isLate = outcome.reasons.includes('changed_meanwhile')
      return { refused: refusalErrors(outcome.reasons, words), ...(isLate ? { status: 409 } : {}) }
    }
    const text = outcome.isChanged ? words.t('groups.saved', { name: form.name }) : words.t('groups.unchanged')
    return { redirect: groupPath(id), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  },
})

const membersPage = viewPage({
  path: `${GROUPS}{id}/members/`,
  access: permission('change_group'),
  show: async (request) => {
    const { words, db, actor } = request.context
    const group = await requireGroup(request.context, request.path.id)
    const q = (request.query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200)
    const terms = q.split(/\s+/).filter(Boolean).slice(0, 10)
    const showsEmail = hasPermission(actor, 'view_user')
    const search = { terms, limit: MOST_SHOWN, showsEmail }
    const [members, outsiders] = await Promise.all([findMembers(db, group.id, search), findNonMembers(db, group.id, search)])
    const { csrfToken } = request
    const main = membersView({ words, csrfToken, group, q, members, outsiders, most: MOST_SHOWN, showsEmail })
    return { title: words.t('groups.members_of', { name: group.name }), breadcrumb: crumbs(words, group), main }
  },
})

const changeMembersPage = (what: 'add' | 'remove'): Page =>
  actionPage({
    path: `${GROUPS}{id}/members/${what}/`,
    ...(what === 'add' ? { requires: 'recentSignInForSome' as const } : {}),
    access: permission('change_group'),
    form: memberForm,
    submit: async (request, { people }) => {
      const { words } = request.context
      const { id } = await requireGroup(request.context, request.path.id)
      const move = what === 'add' ? addMembers : removeMembers
      const count = requireFound(await move(request.commandContext, { groupId: id, userIds: people }))
      const done = what === 'add' ? 'groups.added' : 'groups.removed'
      const text = count ? words.t(done, { count }) : words.t('groups.ticked_none')
      return { redirect: groupPath(id, 'members'), flash: { kind: count ? 'good' : 'info', text } }
    },
  })

function consequences(words: Words, group: GroupWithBundles, { events, alone, titles, types }: GroupUses): string[] {
  const more = events > titles.length ? ` ${words.t('groups.and_more', { count: events - titles.length })}` : ''
  return [
    words.t('groups.delete_members', { count: group.members }),
    ...(events ? [words.t('groups.delete_events', { count: events, titles: `${titles.join(', ')}${more}` })] : []),
    ...(alone ? [words.t('groups.delete_alone', { count: alone })] : []),
    ...(types ? [words.t('groups.delete_types', { count: types })] : []),
    words.t('groups.delete_people'),
    words.t('groups.delete_final'),
  ]
}

const deletePage = formPage({
  path: `${GROUPS}{id}/delete/`,
  requires: 'recentSignInToSubmit',
  access: permission('delete_group'),
  form: emptyForm,
  show: async (request) => {
    const { words, db, now } = request.context
    const group = await requireGroup(request.context, request.path.id)
    if (group.bundles.includes('management') && !(await hasOtherManagement(db, group.id)))
      return { redirect: groupPath(group.id), flash: { kind: 'bad', text: words.t('groups.refused_bundles_last') } }
    const title = words.t('groups.delete_title', { name: group.name })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      submit: words.t('groups.delete'),
      consequences: consequences(words, group, await getGroupUses(db, group.id, now)),
      action: groupPath(group.id, 'delete'),
      cancel: { href: groupPath(group.id) },
    })
    return { title, breadcrumb: crumbs(words, group), main }
  },
  submit: async (request) => {
    const { words } = request.context
    const { id } = await requireGroup(request.context, request.path.id)
    const outcome = requireFound(await deleteGroup(request.commandContext, id))
    if (!outcome.ok) return { redirect: groupPath(id), flash: { kind: 'bad', text: words.t(`groups.refused_${outcome.reason}`) } }
    return { redirect: GROUPS, flash: { kind: 'good', text: words.t('groups.deleted', { name: outcome.name }) } }
  },
})

export const groupPages: Page[] = [
  listPage,
  groupPatternsPage,
  newPage,
  editPage,
  membersPage,
  changeMembersPage('add'),
  changeMembersPage('remove'),
  deletePage,
]
