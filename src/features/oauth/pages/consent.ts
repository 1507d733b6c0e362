import type { Provider } from 'oidc-provider'
import { signOut } from '#features/sign-in/commands/sessions.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageAnswer, type Visit } from '#platform/http/page.ts'
import { allowApplication } from '../commands/consents.ts'
import { consentPath, resumePath } from '../provider.ts'
import { type Client, getClient } from '../queries/applications.ts'
import { getObject } from '../queries/objects.ts'
import { getConsent, getSignInTime } from '../queries/people.ts'
import { isCovered, splitScopes } from '../rules/scopes.ts'
import { mustSignInAgain } from '../rules/sign-in-again.ts'
import { consentForm, nothing } from '../schema.ts'
import { consentView, endedView, signInAgainView } from '../views/consent.ts'

type Providing = () => Promise<Provider>

/** What an application has asked for, and by whom it is to be answered. */
type Question = {
  uid: string
  client: Client
  scopes: string[]
  redirectUri: string
  prompts: string[]
  actor: UserActor
  signedInAt: Date
  mustSignIn: boolean
}

export const consentPages = (provider: Providing): Page[] => [consentPage(provider), againPage]

function consentPage(provider: Providing): Page {
  return formPage({
    path: '/accounts/authorize/{uid}/',
    access: signedIn,
    form: consentForm,
    show: async (visit) => {
      const question = await readQuestion(visit)
      if (!question) return ended(visit)
      const { words, db } = visit.ask
      const { client, scopes, actor, redirectUri } = question
      const shared = { words, csrfToken: visit.csrfToken, action: consentPath(question.uid), name: client.name }
      if (question.mustSignIn) {
        return { title: words.t('oauth.again_title'), bare: true, headers: FRESH, main: signInAgainView(shared) }
      }
      const isKnown = client.trusted || isCovered(scopes, await getConsent(db, actor.userId, client.id))
      if (isKnown && !question.prompts.includes('consent')) return finish(await provider(), question, {})
      const { host } = new URL(redirectUri)
      const main = consentView({ ...shared, host, person: actor.displayName, email: actor.email, scopes })
      const title = words.t('oauth.consent_title', { name: client.name })
      // The answer leads over our own address to the application; browsers ask for leave for the whole way.
      return { title, bare: true, headers: FRESH, main, formTargets: [formTarget(redirectUri)] }
    },
    submit: async (visit, { decision }) => {
      const question = await readQuestion(visit)
      if (!question) return ended(visit)
      const running = await provider()
      if (decision === 'deny') {
        return answer(running, question.uid, { error: 'access_denied', error_description: 'the person did not allow it' })
      }
      if (question.mustSignIn) return { redirect: consentPath(question.uid) }
      const { client, scopes, actor } = question
      await allowApplication(visit.doing, { userId: actor.userId, applicationId: client.id, scopes, now: visit.doing.now })
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

async function readQuestion({ ask, path }: Visit): Promise<Question | undefined> {
  const { db, now, actor } = ask
  const uid = path.uid!
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return undefined
  const stored = await getObject(db, { model: 'Interaction', idHash: hashSecret(uid), now, usedBefore: now })
  const signedInAt = await getSignInTime(db, actor.via.sessionHash)
  if (!stored || !signedInAt) return undefined
  const params = stored.payload.params as Record<string, string | undefined>
  const client = await getClient(db, params.client_id ?? '')
  if (!client || !params.redirect_uri) return undefined
  const prompts = (params.prompt ?? '').split(' ')
  const maxAge = params.max_age === undefined ? undefined : Number(params.max_age)
  const scopes = splitScopes(params.scope ?? '')
  const mustSignIn = mustSignInAgain({ prompts, maxAge, askedAt: stored.createdAt, signedInAt, now })
  return { uid, client, scopes, redirectUri: params.redirect_uri, prompts, actor, signedInAt, mustSignIn }
}

/** Who it was stands in the result: the way back is open to this person only. */
function finish(provider: Provider, { uid, actor, signedInAt }: Question, more: Record<string, unknown>): Promise<PageAnswer> {
  const login = { accountId: String(actor.userId), ts: Math.floor(signedInAt.getTime() / 1000), remember: false }
  return answer(provider, uid, { login, ...more })
}

const ANSWERED_SECONDS = 300

async function answer(provider: Provider, uid: string, result: Record<string, unknown>): Promise<PageAnswer> {
  const interaction = await provider.Interaction.find(uid)
  if (!interaction) return { redirect: consentPath(uid) }
  interaction.result = result
  await interaction.save(ANSWERED_SECONDS)
  return { redirect: resumePath(uid) }
}

function ended({ ask: { words } }: Visit): PageAnswer {
  return { title: words.t('oauth.expired_title'), bare: true, status: 404, main: endedView(words) }
}

const againPage = actionPage({
  path: '/accounts/authorize/{uid}/again/',
  access: signedIn,
  form: nothing,
  submit: async ({ doing, path }) => {
    await signOut(doing)
    return { redirect: `/accounts/login/?next=${encodeURIComponent(consentPath(path.uid!))}`, session: 'end' }
  },
})
