import { sessionCookie } from '#features/access/sign-in/commands/sessions.ts'
import type { OtherWays } from '#features/access/sign-in/mount.ts'
import { PENDING_SIGN_IN } from '#features/access/sign-in/schema.ts'
import { SECOND_STEP } from '#features/access/sign-in/views/second-step.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { nextPath } from '#platform/http/next-path.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type PageResponse,
  viewPage,
} from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { finishProviderSignIn, type SignInGuard } from '../commands/finish-sign-in.ts'
import { confirmLink, rememberExternalSession, unlinkIdentity } from '../commands/links.ts'
import { startProviderSignIn } from '../commands/start-sign-in.ts'
import { type Purpose, readPendingLink } from '../commands/state-cookie.ts'
import { buildSignOutUrl } from '../provider.ts'
import { findEnabledProviders, findIdentitiesOf, getExternalSession, getProvider, hasPassword } from '../queries.ts'
import { decideSignInWays } from '../rules/accounts.ts'
import { CALLBACK_PATH, PROVIDER_STATE, signInSettings, unlinkForm } from '../schema.ts'
import { accountSectionView } from '../views/account.ts'

import {
  againButtonsView,
  CONFIRM_LINK,
  notStartedView,
  providerButtonsView,
  refusalTitle,
  refusalView,
  SIGNED_OUT,
  signedOutView,
  signInToLinkView,
  startPath,
} from '../views/sign-in.ts'
import { testResultView } from '../views/test-result.ts'

const SECURITY = '/settings/security/'
const NO_STORE = { 'cache-control': 'no-store' }

type ProviderPagesOptions = {
  outbound: Outbound
  /** Limits failed attempts by IP address. */
  limiter: RateLimiter
  guard?: SignInGuard
}

/** What the sign-in page and the security page show about identity providers. */
export const providerWays = (outbound: Outbound): OtherWays => ({
  onSession: rememberExternalSession,
  load: async ({ context, query }, next) => {
    const [providers, settings] = await Promise.all([findEnabledProviders(context.db), getSettings(context.db, signInSettings)])
    const ways = decideSignInWays({
      providers: providers.length,
      hidesLocal: settings.hide_local_sign_in,
      redirects: settings.redirect_to_provider,
      wantsLocal: query.get('local') === 'true',
      isSignedOut: query.has('signed_out'),
    })
    if (ways.redirects) return { redirect: startPath(providers[0]!.id, next) }
    return {
      buttons: providers.length ? providerButtonsView(context.words, providers, next) : undefined,
      showsLocal: ways.showsLocal,
    }
  },
  signOut: async ({ context, browser }) => {
    const { db, words, site } = context
    const external = browser.sessionHash && (await getExternalSession(db, browser.sessionHash))
    const provider = external && (await getProvider(db, external.providerId))
    const url = provider && buildSignOutUrl(provider, site, outbound, site.keyring.unseal(external.idTokenSealed))
    if (url) {
      const start = site.keyring.seal(JSON.stringify({ kind: 'signed_out', label: provider.label, url }))
      // Browsers keep no larger cookies; the page then only says that the person is signed out here.
      if (start.length <= MAX_COOKIE_LENGTH)
        return { redirect: SIGNED_OUT, cookies: { [PROVIDER_STATE]: { start, maxAgeSeconds: SIGNED_OUT_SECONDS } } }
    }
    // Otherwise the sign-in page would redirect to the provider, and the person would be signed in again.
    if (!(await getSettings(db, signInSettings)).redirect_to_provider) return undefined
    return { redirect: '/accounts/login/?signed_out=true', flash: { kind: 'good', text: words.t('identity.signed_out_title') } }
  },
  again: async ({ context: { db, words, actor } }, next) => {
    if (actor.kind !== 'user') return undefined
    const [providers, identities] = await Promise.all([findEnabledProviders(db), findIdentitiesOf(db, actor.userId)])
    const own = providers.filter(({ id }) => identities.some(({ providerId }) => providerId === id))
    return own.length ? againButtonsView(words, own, next) : undefined
  },
  section: async ({ context, csrfToken }) => {
    const { db, words, now, actor } = context
    if (actor.kind !== 'user') return undefined
    const [providers, identities] = await Promise.all([findEnabledProviders(db), findIdentitiesOf(db, actor.userId)])
    if (!providers.length && !identities.length) return undefined
    const others = providers.filter(({ id }) => !identities.some(({ providerId }) => providerId === id))
    return accountSectionView({ words, csrfToken, now, identities, others, hasPassword: await hasPassword(db, actor.userId) })
  },
})

const MAX_COOKIE_LENGTH = 3_800
const SIGNED_OUT_SECONDS = 60

/** GET, because nothing changes here and because browsers do not let a form redirect to another site. */
const startPage = (outbound: Outbound): Page =>
  viewPage({
    writes: true,
    path: '/accounts/oidc/{id}/',
    access: open('this is where people show who they are'),
    show: async (request) => {
      const next = nextPath(request.query.get('next'))
      if (request.browser.sessionHash) return { redirect: next }
      return start(request, outbound, request.path.id, 'sign_in', next)
    },
  })

const linkStartPage = (outbound: Outbound): Page =>
  viewPage({
    writes: true,
    path: '/accounts/oidc/{id}/link/',
    access: signedIn,
    requires: 'recentSignIn',
    show: (request) => start(request, outbound, request.path.id, 'link', SECURITY),
  })

const againStartPage = (outbound: Outbound): Page =>
  viewPage({
    writes: true,
    path: '/accounts/oidc/{id}/again/',
    access: signedIn,
    isForFactorSetup: true,
    show: (request) => start(request, outbound, request.path.id, 'confirm', nextPath(request.query.get('next'))),
  })

/** Sends the browser to the provider. */
export async function start(
  request: PageRequest,
  outbound: Outbound,
  provider: number,
  purpose: Purpose,
  next: string,
): Promise<PageResponse> {
  const { words } = request.context
  const outcome = requireFound(await startProviderSignIn(request.commandContext, outbound, provider, { purpose, next }))
  if (!outcome.ok) return refusalBody(words, { reason: 'failed', label: outcome.label, providerId: provider, next })
  return { redirect: outcome.redirect, cookies: { [PROVIDER_STATE]: outcome.cookie } }
}

type RefusalInput = Omit<Parameters<typeof refusalView>[0], 'words'>

const STATUS: Partial<Record<RefusalInput['reason'], number>> = { failed: 502, unreachable: 503, denied: 200 }

const refusalBody = (words: Words, refusal: RefusalInput): PageBody => ({
  title: refusalTitle(words, refusal.reason, refusal.label),
  bare: true,
  status: STATUS[refusal.reason] ?? 403,
  headers: NO_STORE,
  main: refusalView({ words, ...refusal }),
})

const notStarted = (words: Words): PageBody => ({
  title: words.t('identity.not_started_title'),
  bare: true,
  status: 403,
  headers: NO_STORE,
  main: notStartedView(words),
})

/** The address that ephios registered at providers, so that they work unchanged after an import. */
const callbackPage = ({ outbound, limiter, guard }: ProviderPagesOptions): Page =>
  viewPage({
    writes: true,
    path: CALLBACK_PATH,
    access: open('the person has no session yet; state and code authenticate the request'),
    show: async (request): Promise<PageResponse> => {
      const { context, commandContext, browser, query } = request
      const { words } = context
      const { allowed, resetSeconds, settle } = await limiter.reserve(addressKey(browser.ip))
      if (!allowed) throw new Problem('too_many_requests', { headers: { 'retry-after': String(resetSeconds) } })
      const { device, userAgent } = browser
      const callback = { cookie: browser.cookie(PROVIDER_STATE), query, device: { device, userAgent }, language: words.language }
      const services = { outbound, ...(guard ? { guard } : {}) }
      const outcome = await finishProviderSignIn(commandContext, callback, services).catch((error: unknown) => {
        settle({ failed: false })
        throw error
      })
      settle({ failed: outcome.kind === 'refused' || outcome.kind === 'not_started' })
      switch (outcome.kind) {
        case 'signed_in':
          return { redirect: outcome.next, session: sessionCookie(outcome.session), cookies: { [PROVIDER_STATE]: 'end' } }
        case 'confirmed':
          return { redirect: outcome.next, cookies: { [PROVIDER_STATE]: 'end' } }
        case 'second_step': {
          const { pendingId, maxAgeSeconds } = outcome.step
          return {
            redirect: SECOND_STEP,
            cookies: { [PENDING_SIGN_IN]: { start: pendingId, maxAgeSeconds }, [PROVIDER_STATE]: 'end' },
          }
        }
        case 'confirm':
          return {
            redirect: outcome.isSignedIn ? CONFIRM_LINK : `${CONFIRM_LINK}sign-in/`,
            cookies: { [PROVIDER_STATE]: outcome.cookie },
          }
        case 'tested':
          if (!isStaff(context.actor)) throw new Problem('permission_denied')
          return {
            title: words.t('identity.test_title', outcome.result.provider),
            headers: NO_STORE,
            main: testResultView(words, outcome.result),
          }
        case 'refused':
          return refusalBody(words, outcome)
        case 'not_started':
          return notStarted(words)
      }
    },
  })

const labelOf = async ({ context }: PageRequest, id: number): Promise<string> => (await getProvider(context.db, id))?.label ?? ''

/** For people who are not signed in yet. */
const signInToLinkPage = viewPage({
  writes: true,
  path: `${CONFIRM_LINK}sign-in/`,
  access: open('explains why the person has to sign in as before first'),
  show: async (request) => {
    const { words } = request.context
    const pending = readPendingLink(request.context, request.browser.cookie(PROVIDER_STATE))
    if (!pending) return notStarted(words)
    if (request.browser.sessionHash) return { redirect: CONFIRM_LINK }
    const main = signInToLinkView(words, await labelOf(request, pending.providerId))
    return { title: words.t('identity.prove_title'), bare: true, headers: NO_STORE, main }
  },
})

const confirmLinkPage = formPage({
  path: CONFIRM_LINK,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  show: async (request) => {
    const { words, actor } = request.context
    const pending = readPendingLink(request.context, request.browser.cookie(PROVIDER_STATE))
    if (!pending) return notStarted(words)
    const label = await labelOf(request, pending.providerId)
    if (actor.kind !== 'user' || actor.userId !== pending.userId)
      return refusalBody(words, { reason: 'linked_elsewhere', label, providerId: pending.providerId, next: '/' })
    const title = words.t('identity.confirm_title', { label })
    const main = confirmView({
      words,
      title,
      consequences: [words.t('identity.confirm_first', { label, email: actor.email }), words.t('identity.confirm_second')],
      action: CONFIRM_LINK,
      csrfToken: request.csrfToken,
      submit: words.t('identity.confirm'),
      danger: false,
      cancel: { href: SECURITY },
    })
    return { title, bare: true, headers: NO_STORE, main }
  },
  submit: async (request): Promise<PageResponse | { needsRecentSignIn: true }> => {
    const { words } = request.context
    const outcome = await confirmLink(request.commandContext, request.browser.cookie(PROVIDER_STATE))
    if (outcome.ok)
      return {
        redirect: outcome.next,
        cookies: { [PROVIDER_STATE]: 'end' },
        flash: { kind: 'good', text: words.t('identity.link_done') },
      }
    if (outcome.reason === 'expired') return notStarted(words)
    if (outcome.reason === 'not_recent') return { needsRecentSignIn: true }
    return {
      redirect: SECURITY,
      cookies: { [PROVIDER_STATE]: 'end' },
      flash: { kind: 'bad', text: words.t('identity.linked_elsewhere_text') },
    }
  },
})

const unlinkPage = actionPage({
  path: '/settings/security/unlink/',
  access: signedIn,
  requires: 'recentSignIn',
  form: unlinkForm,
  submit: async ({ commandContext, context: { words } }, { identity }) => {
    const outcome = await unlinkIdentity(commandContext, identity)
    if (outcome === 'no_password')
      return { redirect: SECURITY, flash: { kind: 'bad', text: words.t('identity.unlink_needs_password') } }
    return { redirect: SECURITY, flash: { kind: 'good', text: words.t('identity.unlinked') } }
  },
})

/** Goes on to the provider, if it ends sessions. A redirect of the sign-out form itself would be blocked by the content security policy. */
const signedOutPage = viewPage({
  writes: true,
  path: SIGNED_OUT,
  access: open('the session has just ended'),
  show: async ({ context: { words, site }, browser }) => {
    const provider = readSignedOut(site.keyring.unseal, browser.cookie(PROVIDER_STATE))
    return {
      title: words.t('identity.signed_out_title'),
      bare: true,
      headers: { ...NO_STORE, ...(provider ? { refresh: `0;url=${provider.url}` } : {}) },
      main: signedOutView(words, provider),
    }
  },
})

function readSignedOut(
  unseal: (sealed: string) => string,
  cookie: string | undefined,
): { label: string; url: string } | undefined {
  if (!cookie) return undefined
  try {
    const value = JSON.parse(unseal(cookie)) as { kind: string; label: string; url: string }
    return value.kind === 'signed_out' ? value : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

export const providerSignInPages = (options: ProviderPagesOptions): Page[] => [
  callbackPage(options),
  signInToLinkPage,
  confirmLinkPage,
  startPage(options.outbound),
  linkStartPage(options.outbound),
  againStartPage(options.outbound),
  unlinkPage,
  signedOutPage,
]
