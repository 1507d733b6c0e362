import { findGroupsWithRights, type GroupWithRights } from '#features/accounts/users/queries/group-rights.ts'
import { staff } from '#platform/http/access.ts'
import {
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Redirect,
  type Refused,
  sensitive,
} from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { confirmGroup, endNamedGroups, removeMapping } from '../commands/group-mappings.ts'
import { getGroupRules, type ManagedProvider, requireProvider } from '../queries.ts'
import { rightsState } from '../rules/groups.ts'
import { confirmGroupForm, mappingForm } from '../schema.ts'
import { confirmGroupPath, endNamesPath, newMappingView, rightsLines } from '../views/groups.ts'
import { PROVIDERS, providerPath } from '../views/manage.ts'

const crumbs = (words: Words, { id, label }: ManagedProvider) => [
  ...manageCrumbs(words, { href: PROVIDERS, label: words.t('identity.list') }),
  { href: providerPath(id), label },
]

const newMappingPage = formPage({
  path: `${PROVIDERS}{id}/groups/new/`,
  access: staff,
  form: mappingForm.schema,
  show: async (request, refused?: Refused) => {
    const { context, csrfToken, query } = request
    const { words, db } = context
    const provider = await requireProvider(request.context, request.path.id)
    const state = refused ?? mappingForm.state({ value: query.get('value') ?? '', group: query.get('group') ?? '' })
    const groups = await findGroupsWithRights(db)
    const main = newMappingView({ words, csrfToken, providerId: provider.id, state, groups })
    return { title: words.t('identity.mapping_new'), breadcrumb: crumbs(words, provider), main }
  },
  submit: async ({ path }, { value, group }) => ({ redirect: confirmGroupPath(path.id, value, group) }),
})

/** Names the rights that people are going to get. Nothing is given before. */
async function confirmationBody(
  request: PageRequest<{ id: number }>,
  { value, group, isChanged }: { value: string; group: GroupWithRights; isChanged: boolean },
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, db } = context
  const provider = await requireProvider(request.context, request.path.id)
  const { label } = provider
  const lines = rightsLines(words, group, await findGroupsWithRights(db))
  const title = words.t('identity.mapping_title', { group: group.name })
  const who = value
    ? words.t('identity.mapping_who', { label, value, claim: provider.groupClaim || '–' })
    : words.t('identity.mapping_who_everybody', { label })
  const main = confirmView({
    words,
    title,
    text: isChanged ? words.t('identity.mapping_changed') : who,
    consequences: [
      ...(isChanged ? [who] : []),
      ...(lines.length
        ? lines.map((line) => words.t('identity.mapping_right', { line }))
        : [words.t('identity.mapping_no_rights')]),
      words.t('identity.mapping_controls', { label }),
      words.t('identity.mapping_later'),
    ],
    action: providerPath(provider.id, 'groups/confirm'),
    csrfToken,
    submit: words.t('identity.mapping_confirm'),
    danger: lines.length > 0,
    fields: { value, group: group.id, seen: rightsState(group) },
    cancel: { href: providerPath(provider.id) },
  })
  return { title, breadcrumb: crumbs(words, provider), main, ...(isChanged ? { status: 409 } : {}) }
}

const gone = (words: Words, providerId: number): Redirect => ({
  redirect: providerPath(providerId),
  flash: { kind: 'bad', text: words.t('identity.mapping_gone') },
})

const confirmGroupPage = formPage({
  path: `${PROVIDERS}{id}/groups/confirm/`,
  access: staff,
  form: confirmGroupForm,
  show: async (request) => {
    const { context, query, path } = request
    const asked = confirmGroupForm.safeParse({ value: query.get('value') ?? '', group: query.get('group') ?? '' })
    const groups = await findGroupsWithRights(context.db)
    const group = groups.find(({ id }) => id === asked.data?.group)
    if (!asked.success || !group) return gone(context.words, path.id)
    return confirmationBody(request, { value: asked.data.value, group, isChanged: false })
  },
  submit: async (request, { value, group: groupId, seen }) => {
    const { context, commandContext, path } = request
    const { words } = context
    const outcome = requireFound(await confirmGroup(commandContext, path.id, { value, groupId, seen }))
    if (outcome.ok) {
      const text = words.t('identity.mapping_done', { group: outcome.group })
      return { redirect: providerPath(path.id), flash: { kind: 'good', text } }
    }
    const group = (await findGroupsWithRights(context.db)).find(({ id }) => id === groupId)
    if (outcome.reason === 'unknown_group' || !group) return gone(words, path.id)
    return confirmationBody(request, { value, group, isChanged: true })
  },
})

const removeMappingPage = formPage({
  path: `${PROVIDERS}{id}/groups/{mapping}/remove/`,
  access: staff,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken, path } = request
    const { words, db } = context
    const provider = await requireProvider(request.context, request.path.id)
    const rules = await getGroupRules(db, provider.id)
    const mapping = rules.mappings.find(({ id }) => id === path.mapping)
    const group = mapping && (await findGroupsWithRights(db)).find(({ id }) => id === mapping.groupId)
    if (!mapping || !group) return gone(words, provider.id)
    const title = words.t('identity.unmap_title', { value: mapping.value, group: group.name })
    const main = confirmView({
      words,
      title,
      consequences: [
        words.t(rules.keepsNamed ? 'identity.unmap_kept' : 'identity.unmap_first', { group: group.name }),
        words.t('identity.unmap_second'),
      ],
      action: providerPath(provider.id, `groups/${mapping.id}/remove`),
      csrfToken,
      submit: words.t('identity.unmap'),
      cancel: { href: providerPath(provider.id) },
    })
    return { title, breadcrumb: crumbs(words, provider), main }
  },
  submit: async ({ commandContext, context: { words }, path }) => {
    if (!(await removeMapping(commandContext, path.id, path.mapping))) return gone(words, path.id)
    return { redirect: providerPath(path.id), flash: { kind: 'good', text: words.t('identity.unmapped') } }
  },
})

const endNamesPage = formPage({
  path: `${PROVIDERS}{id}/groups/end-names/`,
  access: staff,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words } = context
    const provider = await requireProvider(request.context, request.path.id)
    const title = words.t('identity.names_title')
    const main = confirmView({
      words,
      title,
      consequences: [words.t('identity.names_first'), words.t('identity.names_second')],
      action: endNamesPath(provider.id),
      csrfToken,
      submit: words.t('identity.names_end'),
      cancel: { href: providerPath(provider.id) },
    })
    return { title, breadcrumb: crumbs(words, provider), main }
  },
  submit: async (request) => {
    const { id } = await requireProvider(request.context, request.path.id)
    await endNamedGroups(request.commandContext, id)
    return { redirect: providerPath(id), flash: { kind: 'good', text: request.context.words.t('identity.names_ended') } }
  },
})

export const groupMappingPages: Page[] = sensitive([newMappingPage, confirmGroupPage, removeMappingPage, endNamesPage])
