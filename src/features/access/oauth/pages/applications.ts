import { staff } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Refused,
  sensitive,
  viewPage,
} from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import {
  type Refused as ApplicationRefused,
  type Credentials,
  changeApplication,
  createApplication,
  deleteApplication,
  disableApplication,
  enableApplication,
  rotateSecret,
} from '../commands/applications.ts'
import { type ApplicationWithUse, findApplications, getApplication } from '../queries/applications.ts'
import { applicationForm } from '../schema.ts'
import {
  APPLICATIONS,
  applicationListView,
  applicationPath,
  applicationView,
  credentialsView,
  newApplicationView,
} from '../views/applications.ts'

const crumbs = (words: Words, application?: ApplicationWithUse) => [
  { href: APPLICATIONS, label: words.t('oauth.manage_title') },
  ...(application ? [{ href: applicationPath(application.id), label: application.name }] : []),
]

async function requireApplication({ context, path }: PageRequest<{ id: number }>): Promise<ApplicationWithUse> {
  return requireFound(await getApplication(context.db, path.id))
}

const listPage = viewPage({
  path: APPLICATIONS,
  access: staff,
  show: async ({ context }) => ({
    title: context.words.t('oauth.manage_title'),
    main: applicationListView(context.words, await findApplications(context.db)),
  }),
})

const storedState = (application: ApplicationWithUse): FormState =>
  applicationForm.state({
    name: application.name,
    redirect_uris: application.redirectUris.join('\n'),
    allowed_scopes: application.allowedScopes,
    require_pkce: application.requirePkce,
    trusted: application.trusted,
    allows_devices: application.allowsDevices,
    is_for_assistants: application.isForAssistants,
    post_logout_redirect_uris: application.postLogoutRedirectUris.join('\n'),
    allowed_origins: application.allowedOrigins.join('\n'),
  })

const refusalErrors = ({ refusals }: ApplicationRefused, words: Words): FormError[] =>
  refusals.map((refusal) => {
    if (refusal.field === 'trusted') return { field: refusal.field, text: words.t('oauth.bad_public_trusted') }
    if (!('address' in refusal) && refusal.field === 'redirect_uris')
      return { field: refusal.field, text: words.t('oauth.redirect_missing') }
    if (refusal.field === 'allowed_scopes') return { field: refusal.field, text: words.t('form.invalid') }
    return { field: refusal.field, text: words.t(`oauth.bad_${refusal.reason}`, { address: refusal.address }) }
  })

/** Not cached and not stored, so it cannot be shown again. */
function credentialsBody({ context }: PageRequest, name: string, credentials: Credentials): PageBody {
  const { words, site } = context
  return {
    title: words.t('oauth.secret_title', { name }),
    headers: { 'cache-control': 'no-store' },
    breadcrumb: crumbs(words),
    main: credentialsView({ words, name, ...credentials, siteUrl: site.url }),
  }
}

const newPage = formPage({
  path: `${APPLICATIONS}new/`,
  access: staff,
  form: applicationForm.schema,
  show: async ({ context: { words }, csrfToken, url }, refused) => {
    const state = refused ?? applicationForm.state({ client_type: 'confidential', require_pkce: true })
    const shared = { words, csrfToken, action: url, state, submit: words.t('oauth.create') }
    return { title: words.t('oauth.manage_new'), breadcrumb: crumbs(words), main: newApplicationView(shared) }
  },
  submit: async (request, form) => {
    const outcome = await createApplication(request.commandContext, form)
    if (!outcome.ok) return { refused: refusalErrors(outcome, request.context.words) }
    return credentialsBody(request, form.name, outcome)
  },
})

async function showApplication(request: PageRequest<{ id: number }>, refused?: Refused): Promise<PageBody> {
  const application = await requireApplication(request)
  const { words, site } = request.context
  const main = applicationView({
    words,
    csrfToken: request.csrfToken,
    action: applicationPath(application.id),
    state: refused ?? storedState(application),
    submit: words.t('oauth.save'),
    application,
    siteUrl: site.url,
  })
  return { title: application.name, breadcrumb: crumbs(words), main }
}

const editPage = formPage({
  path: `${APPLICATIONS}{id}/`,
  access: staff,
  form: applicationForm.schema,
  show: showApplication,
  submit: async (request, form) => {
    const { id } = await requireApplication(request)
    const { words } = request.context
    const outcome = requireFound(await changeApplication(request.commandContext, id, form))
    if (!outcome.ok) return { refused: refusalErrors(outcome, words) }
    const text = words.t(outcome.isNarrowed ? 'oauth.saved_narrowed' : 'oauth.saved', { name: form.name })
    return { redirect: APPLICATIONS, flash: { kind: 'good', text } }
  },
})

type Confirmation = {
  what: 'secret' | 'disable' | 'delete'
  title: (words: Words, name: string) => string
  consequences: (words: Words, application: ApplicationWithUse) => string[]
  button: (words: Words) => string
  perform: (request: PageRequest, application: ApplicationWithUse) => Promise<PageBody | { redirect: string; flash: Flashed }>
}
type Flashed = { kind: 'good'; text: string }

/** A page that lists the consequences and asks for confirmation. */
const confirmPage = ({ what, title, consequences, button, perform }: Confirmation): Page =>
  formPage({
    path: `${APPLICATIONS}{id}/${what}/`,
    access: staff,
    form: emptyForm,
    show: async (request) => {
      const application = await requireApplication(request)
      const { words } = request.context
      const { id, name } = application
      const main = confirmView({
        words,
        title: title(words, name),
        consequences: consequences(words, application),
        action: applicationPath(id, what),
        csrfToken: request.csrfToken,
        submit: button(words),
        cancel: { href: applicationPath(id) },
      })
      return { title: title(words, name), breadcrumb: crumbs(words, application), main }
    },
    submit: async (request) => perform(request, await requireApplication(request)),
  })

const secretPage = confirmPage({
  what: 'secret',
  title: (words, name) => words.t('oauth.rotate_title', { name }),
  consequences: (words, { name }) => [
    words.t('oauth.rotate_first'),
    words.t('oauth.rotate_second', { name }),
    words.t('oauth.rotate_third'),
  ],
  button: (words) => words.t('oauth.rotate_submit'),
  perform: async (request, { id, name }) =>
    credentialsBody(request, name, requireFound(await rotateSecret(request.commandContext, id))),
})

const disablePage = confirmPage({
  what: 'disable',
  title: (words, name) => words.t('oauth.disable_title', { name }),
  consequences: (words, { people }) => [
    words.t('oauth.disable_first'),
    words.t('oauth.disable_second', { count: people }),
    words.t('oauth.disable_third'),
  ],
  button: (words) => words.t('oauth.disable'),
  perform: async ({ context, commandContext }, { id, name }) => {
    requireFound(await disableApplication(commandContext, id))
    return { redirect: applicationPath(id), flash: { kind: 'good', text: context.words.t('oauth.disabled', { name }) } }
  },
})

const deletePage = confirmPage({
  what: 'delete',
  title: (words, name) => words.t('oauth.delete_title', { name }),
  consequences: (words, { people }) => [
    words.t('oauth.disable_second', { count: people }),
    words.t('oauth.delete_first'),
    words.t('oauth.delete_third'),
  ],
  button: (words) => words.t('oauth.delete_submit'),
  perform: async ({ context, commandContext }, { id, name }) => {
    requireFound(await deleteApplication(commandContext, id))
    return { redirect: APPLICATIONS, flash: { kind: 'good', text: context.words.t('oauth.deleted', { name }) } }
  },
})

const enablePage = actionPage({
  path: `${APPLICATIONS}{id}/enable/`,
  access: staff,
  form: emptyForm,
  submit: async (request) => {
    const { id, name } = await requireApplication(request)
    requireFound(await enableApplication(request.commandContext, id))
    return { redirect: applicationPath(id), flash: { kind: 'good', text: request.context.words.t('oauth.enabled', { name }) } }
  },
})

export const applicationPages: Page[] = sensitive([listPage, newPage, editPage, secretPage, disablePage, deletePage, enablePage])
