import type { Provider } from 'oidc-provider'
import { signOut } from '#features/sign-in/commands/sessions.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, type PageResponse } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { allowApplication } from '../commands/consents.ts'
import { consentPath, resumePath } from '../provider.ts'
import { getQuestion, type Question } from '../queries/question.ts'
import { consentForm } from '../schema.ts'
import { consentView, endedView, signInAgainView } from '../views/consent.ts'

type Providing = () => Promise<Provider>

export const consentPages = (provider: Providing): Page[] => [consentPage(provider), againPage]

function consentPage(provider: Providing): Page {
  return formPage({
    path: '/accounts/authorize/{uid}/',
    access: signedIn,
    form: consentForm,
    show: async (request) => {
      const question = await getQuestion(request.context, request.path.uid)
      if (!question) return ended(request)
      const { words } = request.context
      const { client, scopes, actor, redirectUri } = question
      const shared = { words, csrfToken: request.csrfToken, action: consentPath(question.uid), name: client.name }
      if (question.mustSignIn) {
        return { title: words.t('oauth.again_title'), bare: true, headers: FRESH, main: signInAgainView(shared) }
      }
      if (question.isKnown && !question.prompts.includes('consent')) return finish(await provider(), question, {})
      const { host } = new URL(redirectUri)
      const main = consentView({ ...shared, host, person: actor.displayName, email: actor.email, scopes })
      const title = words.t('oauth.consent_title', { name: client.name })
      // The answer leads over our own address to the application; browsers ask for leave for the whole way.
      return { title, bare: true, headers: FRESH, main, formTargets: [formTarget(redirectUri)] }
    },
    submit: async (request, { decision }) => {
      const question = await getQuestion(request.context, request.path.uid)
      if (!question) return ended(request)
      const running = await provider()
      if (decision === 'deny') {
        return answer(running, question.uid, { error: 'access_denied', error_description: 'the person did not allow it' })
      }
      if (question.mustSignIn) return { redirect: consentPath(question.uid) }
      const { client, scopes, actor } = question
      await allowApplication(request.commandContext, {
        userId: actor.userId,
        applicationId: client.id,
        scopes,
        now: request.commandContext.now,
      })
      const grant = new running.Grant({ accountId: String(actor.userId), clientId: client.clientId })
      grant.addOIDCScope(scopes.join(' '))
      return finish(running, question, { consent: { grantId: await grant.save() } })
    },
  })
}

const FRESH = { 'cache-control': 'no-store' }

/** An IPv6 address cannot be written there. */
function formTarget(uri: string): string {
  const { origin, hostname, protocol } = new URL(uri)
  return hostname.startsWith('[') ? protocol : origin
}

/** Who it was stands in the result: the way back is open to this person only. */
function finish(provider: Provider, { uid, actor, signedInAt }: Question, more: Record<string, unknown>): Promise<PageResponse> {
  const login = { accountId: String(actor.userId), ts: Math.floor(signedInAt.getTime() / 1000), remember: false }
  return answer(provider, uid, { login, ...more })
}

const ANSWERED_SECONDS = 300

async function answer(provider: Provider, uid: string, result: Record<string, unknown>): Promise<PageResponse> {
  const interaction = await provider.Interaction.find(uid)
  if (!interaction) return { redirect: consentPath(uid) }
  interaction.result = result
  await interaction.save(ANSWERED_SECONDS)
  return { redirect: resumePath(uid) }
}

function ended({ context: { words } }: PageRequest): PageResponse {
  return { title: words.t('oauth.expired_title'), bare: true, status: 404, main: endedView(words) }
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
