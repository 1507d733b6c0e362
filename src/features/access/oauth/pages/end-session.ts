import { signOut } from '#features/access/sign-in/commands/sessions.ts'
import { open } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { getClient } from '../queries/applications.ts'
import { isRegistered } from '../rules/addresses.ts'
import { SIGN_OUT_PAGE } from '../rules/routes.ts'
import { endSessionView } from '../views/consent.ts'

type EndRequest = { name: string | undefined; target: string }
const SIGN_IN = '/accounts/login/'

/** Where the person goes afterwards: to a registered address, otherwise to our own page. */
async function readEndRequest({ context, query }: PageRequest): Promise<EndRequest> {
  const client = await getClient(context.db, query.get('client_id') ?? '')
  const uri = query.get('post_logout_redirect_uri')
  if (uri === null) return { name: client?.name, target: SIGN_IN }
  if (!client || !isRegistered(uri, client.postLogoutRedirectUris, client))
    throw new Problem('bad_request', { detail: context.words.t('oauth.error_redirect') })
  const target = new URL(uri)
  const state = query.get('state')
  if (state !== null) target.searchParams.set('state', state)
  return { name: client.name, target: target.href }
}

export const endSessionPage: Page = formPage({
  path: SIGN_OUT_PAGE,
  access: open('whoever is not signed in is sent on at once'),
  isForFactorSetup: true,
  leavesSite: true,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken, url } = request
    const { words, actor } = context
    const { name, target } = await readEndRequest(request)
    if (actor.kind !== 'user') return { redirect: target }
    const title = words.t('oauth.end_title')
    const main = endSessionView({ words, action: url, csrfToken, name })
    const targets = target === SIGN_IN ? [] : [new URL(target, context.site.url).href]
    return { title, bare: true, headers: { 'cache-control': 'no-store' }, main, formTargets: targets }
  },
  submit: async (request) => {
    const { target } = await readEndRequest(request)
    await signOut(request.commandContext)
    return { redirect: target, session: 'end' }
  },
})
