import type { Provider } from 'oidc-provider'
import { signOut } from '#features/access/sign-in/commands/sessions.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, type PageResponse } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { allowApplication } from '../commands/consents.ts'
import { type ConsentRequest, getConsentRequest } from '../queries/consent-request.ts'
import { consentPath, resumePath } from '../rules/routes.ts'
import { consentForm } from '../schema.ts'
import { consentView, expiredView, signInAgainView } from '../views/consent.ts'

type GetProvider = () => Promise<Provider>

export const consentPages = (provider: GetProvider): Page[] => [consentPage(provider), againPage]

function consentPage(provider: GetProvider): Page {
  return formPage({
    path: '/accounts/authorize/{uid}/',
    requires: 'recentSignIn',
    leavesSite: true,
    access: signedIn,
    form: consentForm,
    show: async (request) => {
      const consentRequest = await getConsentRequest(request.context, request.path.uid)
      if (!consentRequest) return showExpired(request)
      const { words } = request.context
      const { client, scopes, actor, redirectUri } = consentRequest
      const shared = { words, csrfToken: request.csrfToken, action: consentPath(consentRequest.uid), name: client.name }
      if (consentRequest.mustSignIn) {
        return { title: words.t('oauth.again_title'), bare: true, headers: NO_STORE, main: signInAgainView(shared) }
      }
      if (consentRequest.isKnown && !consentRequest.prompts.includes('consent'))
        return finish(await provider(), consentRequest, {})
      const main = consentView({
        ...shared,
        leadsTo: describeTarget(words, redirectUri),
        person: actor.displayName,
        email: actor.email,
        scopes,
      })
      const title = words.t('oauth.consent_title', { name: client.name })
      // The form submission redirects to the application, and form-action of the CSP applies to redirects, too.
      return { title, bare: true, headers: NO_STORE, main, formTargets: [redirectUri] }
    },
    submit: async (request, { decision }) => {
      const consentRequest = await getConsentRequest(request.context, request.path.uid)
      if (!consentRequest) return showExpired(request)
      const running = await provider()
      if (decision === 'deny') {
        return saveResult(running, consentRequest.uid, {
          error: 'access_denied',
          error_description: 'the person did not allow it',
        })
      }
      if (consentRequest.mustSignIn) return { redirect: consentPath(consentRequest.uid) }
      const { client, scopes, actor } = consentRequest
      await allowApplication(request.commandContext, {
        userId: actor.userId,
        applicationId: client.id,
        scopes,
        now: request.commandContext.now,
      })
      const grant = new running.Grant({ accountId: String(actor.userId), clientId: client.clientId })
      grant.addOIDCScope(scopes.join(' '))
      return finish(running, consentRequest, { consent: { grantId: await grant.save() } })
    },
  })
}

const NO_STORE = { 'cache-control': 'no-store' }

/** The host, or the app that opens the address: such an address has no host. */
function describeTarget(words: Words, uri: string): string {
  const { host, protocol } = new URL(uri)
  return host || words.t('oauth.consent_app', { app: protocol.slice(0, -1) })
}

/** The result contains the account, so that only this person can continue. */
function finish(
  provider: Provider,
  { uid, actor, signedInAt }: ConsentRequest,
  more: Record<string, unknown>,
): Promise<PageResponse> {
  const login = { accountId: String(actor.userId), ts: Math.floor(signedInAt.getTime() / 1000), remember: false }
  return saveResult(provider, uid, { login, ...more })
}

const RESULT_SECONDS = 300

async function saveResult(provider: Provider, uid: string, result: Record<string, unknown>): Promise<PageResponse> {
  const interaction = await provider.Interaction.find(uid)
  if (!interaction) return { redirect: consentPath(uid) }
  interaction.result = result
  await interaction.save(RESULT_SECONDS)
  return { redirect: resumePath(uid) }
}

function showExpired({ context: { words } }: PageRequest): PageResponse {
  return { title: words.t('oauth.expired_title'), bare: true, status: 404, main: expiredView(words) }
}

const againPage = actionPage({
  path: '/accounts/authorize/{uid}/again/',
  access: signedIn,
  form: emptyForm,
  submit: async ({ commandContext, path }) => {
    await signOut(commandContext)
    return { redirect: `/accounts/login/?next=${encodeURIComponent(consentPath(path.uid))}`, session: 'end' }
  },
})
