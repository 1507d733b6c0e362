import { findGroupsWithRights } from '#features/accounts/users/queries/group-rights.ts'
import { changeSettings } from '#features/operations/settings/commands.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import type { Child } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type PageResponse,
  type Refused,
  sensitive,
  viewPage,
} from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import {
  changeProvider,
  createProvider,
  deleteProvider,
  type ProviderRefusal,
  providerValues,
  setProviderEnabled,
} from '../commands/providers.ts'
import { type Discovered, discoverProvider, ProviderError } from '../provider.ts'
import {
  findEnabledProviders,
  findGroupNames,
  findManagedProviders,
  findQualificationNames,
  findWithheldGroups,
  getGroupRules,
  type ManagedProvider,
  requireProvider,
} from '../queries.ts'
import { formatQualificationLines } from '../rules/claims.ts'
import { listGroups } from '../rules/groups.ts'
import { CALLBACK_PATH, DEFAULT_SCOPES, discoveryForm, providerForm, signInSettings, signInSettingsForm } from '../schema.ts'
import { groupsCardView } from '../views/groups.ts'
import {
  discoveryView,
  NEW_DETAILS,
  NEW_PROVIDER,
  newProviderView,
  PROVIDERS,
  type ProviderFormData,
  providerListView,
  providerPath,
  providerView,
  testIntroView,
} from '../views/manage.ts'
import { start } from './sign-in.ts'

const crumbs = (words: Words, provider?: ManagedProvider) => [
  ...manageCrumbs(words, { href: PROVIDERS, label: words.t('identity.list') }),
  ...(provider ? [{ href: providerPath(provider.id), label: provider.label }] : []),
]

const listPage = formPage({
  path: PROVIDERS,
  access: staff,
  form: signInSettingsForm.schema,
  show: async ({ context: { words, db }, csrfToken }, refused) => {
    const settings = refused ?? signInSettingsForm.state(await getSettings(db, signInSettings))
    const main = providerListView({ words, csrfToken, providers: await findManagedProviders(db), settings })
    return { title: words.t('identity.list'), breadcrumb: manageCrumbs(words), main }
  },
  submit: async ({ context: { words, db }, commandContext }, form) => {
    if (form.hide_local_sign_in && !(await findEnabledProviders(db)).length)
      return { refused: [{ field: 'hide_local_sign_in', text: words.t('identity.hide_needs_provider') }] }
    await changeSettings(commandContext, signInSettings, form)
    return { redirect: PROVIDERS, flash: { kind: 'good', text: words.t('identity.settings_saved') } }
  },
})

const newPage = (outbound: Outbound): Page =>
  formPage({
    path: NEW_PROVIDER,
    access: staff,
    form: discoveryForm.schema,
    show: async ({ context: { words }, csrfToken }, refused) => ({
      title: words.t('identity.new'),
      breadcrumb: crumbs(words),
      main: discoveryView({ words, csrfToken, state: refused ?? discoveryForm.state({}) }),
    }),
    submit: async (request, { base_url }): Promise<PageResponse | { refused: FormError[] }> => {
      const { words } = request.context
      let found: Discovered
      try {
        found = await discoverProvider(outbound, base_url)
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        const key = error.code === 'unreachable' ? 'identity.discovery_unreachable' : 'identity.discovery_failed'
        return { refused: [{ field: 'base_url', text: words.t(key, { why: error.why }) }] }
      }
      return detailsBody(request, discoveredState(found))
    },
  })

const discoveredState = (found: Discovered): FormState =>
  providerForm.state({
    internal_name: new URL(found.issuer).hostname,
    issuer: found.issuer,
    authorization_endpoint: found.authorizationEndpoint,
    token_endpoint: found.tokenEndpoint,
    jwks_uri: found.jwksUri,
    userinfo_endpoint: found.userinfoEndpoint,
    end_session_endpoint: found.endSessionEndpoint,
    token_auth_method: found.tokenAuthMethod,
    scopes: DEFAULT_SCOPES,
    creates_accounts: true,
  })

async function formData(
  { context, csrfToken }: PageRequest,
  { action, state, hasSecret }: { action: string; state: FormState; hasSecret: boolean },
): Promise<ProviderFormData> {
  const { words, db, site } = context
  const callbackUrl = `${site.url}${CALLBACK_PATH}`
  return { words, csrfToken, action, state, groups: await findGroupNames(db), callbackUrl, hasSecret }
}

async function detailsBody(request: PageRequest, state: FormState): Promise<PageBody> {
  const { words } = request.context
  const main = newProviderView(await formData(request, { action: NEW_DETAILS, state, hasSecret: false }))
  return { title: words.t('identity.new'), breadcrumb: crumbs(words), main }
}

function toError(words: Words, refusal: ProviderRefusal): FormError {
  if (refusal.reason === 'outdated') return { text: words.t('identity.outdated') }
  if (refusal.reason === 'name_taken') return { field: refusal.field, text: words.t('identity.name_taken') }
  return { field: refusal.field, text: words.t('identity.line_invalid', { line: refusal.line, text: refusal.text }) }
}

const newDetailsPage = formPage({
  path: NEW_DETAILS,
  access: staff,
  form: providerForm.schema,
  show: async (request, refused) =>
    detailsBody(request, refused ?? providerForm.state({ scopes: DEFAULT_SCOPES, creates_accounts: true })),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createProvider(commandContext, form)
    if (!outcome.ok) return { refused: [toError(words, outcome.refusal)] }
    const flash = { kind: 'good' as const, text: words.t('identity.created', { label: form.label }) }
    return { redirect: providerPath(outcome.id), flash }
  },
})

async function storedState({ context }: PageRequest, provider: ManagedProvider): Promise<FormState> {
  const qualifications = await findQualificationNames(context.db)
  const { qualification_uuids, ...values } = providerValues(provider)
  return providerForm.state({
    ...values,
    version: provider.version,
    default_groups: provider.defaultGroupIds,
    qualification_lines: formatQualificationLines(qualification_uuids, qualifications),
  })
}

async function loadGroupsCard({ context: { words, db } }: PageRequest, { id, groupClaim }: ManagedProvider): Promise<Child> {
  const hasClaim = groupClaim !== ''
  const [groups, rules, withheld] = await Promise.all([
    findGroupsWithRights(db),
    getGroupRules(db, id),
    findWithheldGroups(db, id),
  ])
  const lines = listGroups({ groups, ...rules, withheld, hasClaim })
  return groupsCardView({ words, providerId: id, lines, hasClaim, keepsNamed: rules.keepsNamed })
}

const editPage = formPage({
  path: `${PROVIDERS}{id}/`,
  access: staff,
  form: providerForm.schema,
  show: async (request, refused?: Refused) => {
    const provider = await requireProvider(request.context, request.path.id)
    const { words } = request.context
    const state = refused
      ? { ...refused, values: { ...refused.values, version: String(provider.version) } }
      : await storedState(request, provider)
    const hasSecret = provider.clientSecretSealed !== null
    const data = await formData(request, { action: providerPath(provider.id), state, hasSecret })
    const groupsCard = await loadGroupsCard(request, provider)
    return { title: provider.label, breadcrumb: crumbs(words), main: providerView({ ...data, provider, groupsCard }) }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeProvider(commandContext, path.id, form))
    if (!outcome.ok) {
      const isOutdated = outcome.refusal.reason === 'outdated'
      return { refused: [toError(words, outcome.refusal)], ...(isOutdated ? { status: 409 } : {}) }
    }
    const text = outcome.isChanged ? words.t('identity.saved', { label: form.label }) : words.t('identity.unchanged')
    return { redirect: providerPath(path.id), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  },
})

const testPage = viewPage({
  path: `${PROVIDERS}{id}/test/`,
  access: staff,
  show: async (request) => {
    const { words } = request.context
    const provider = await requireProvider(request.context, request.path.id)
    const title = words.t('identity.test_title', { label: provider.label })
    return { title, breadcrumb: crumbs(words, provider), main: testIntroView(words, provider) }
  },
})

const testStartPage = (outbound: Outbound): Page =>
  viewPage({
    path: `${PROVIDERS}{id}/test/start/`,
    access: staff,
    show: (request) => start(request, outbound, request.path.id, 'test', providerPath(request.path.id)),
  })

const enablePage = actionPage({
  path: `${PROVIDERS}{id}/enable/`,
  access: staff,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext, path }) => {
    const label = requireFound(await setProviderEnabled(commandContext, path.id, true))
    return { redirect: providerPath(path.id), flash: { kind: 'good', text: words.t('identity.enabled_done', { label }) } }
  },
})

type Confirmation = {
  what: 'disable' | 'delete'
  consequences: (words: Words, provider: ManagedProvider) => string[]
  perform: (request: PageRequest<{ id: number }>) => Promise<PageResponse>
}

/** A page that lists the consequences and asks for confirmation. */
const confirmPage = ({ what, consequences, perform }: Confirmation): Page =>
  formPage({
    path: `${PROVIDERS}{id}/${what}/`,
    access: staff,
    form: emptyForm,
    show: async (request) => {
      const { words } = request.context
      const provider = await requireProvider(request.context, request.path.id)
      const title = words.t(`identity.${what}_title`, { label: provider.label })
      const main = confirmView({
        words,
        title,
        consequences: consequences(words, provider),
        action: providerPath(provider.id, what),
        csrfToken: request.csrfToken,
        submit: words.t(`identity.${what}`),
        danger: what === 'delete',
        cancel: { href: providerPath(provider.id) },
      })
      return { title, breadcrumb: crumbs(words, provider), main }
    },
    submit: perform,
  })

const effects = (words: Words, { people }: ManagedProvider): string[] => [
  words.t('identity.effect_people', { count: people }),
  words.t('identity.effect_accounts_stay'),
]

const disablePage = confirmPage({
  what: 'disable',
  consequences: effects,
  perform: async ({ context: { words }, commandContext, path }) => {
    const label = requireFound(await setProviderEnabled(commandContext, path.id, false))
    return { redirect: providerPath(path.id), flash: { kind: 'good', text: words.t('identity.disabled_done', { label }) } }
  },
})

const deletePage = confirmPage({
  what: 'delete',
  consequences: (words, provider) => [...effects(words, provider), words.t('identity.effect_links_deleted')],
  perform: async ({ context: { words }, commandContext, path }) => {
    const label = requireFound(await deleteProvider(commandContext, path.id))
    return { redirect: PROVIDERS, flash: { kind: 'good', text: words.t('identity.deleted', { label }) } }
  },
})

export const providerManagePages = ({ outbound }: { outbound: Outbound }): Page[] =>
  sensitive([
    listPage,
    newPage(outbound),
    newDetailsPage,
    editPage,
    testPage,
    testStartPage(outbound),
    enablePage,
    disablePage,
    deletePage,
  ])
