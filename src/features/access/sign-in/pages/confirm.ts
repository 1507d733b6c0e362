import { makePasskeyOptions } from '#features/access/second-factor/commands/passkeys.ts'
import { getFactorKinds } from '#features/access/second-factor/queries.ts'
import { relyingPartyOf } from '#features/access/second-factor/rules.ts'
import { signedIn } from '#platform/http/access.ts'
import { roundUpToMinute } from '#platform/http/mail-limits.ts'
import { nextPath } from '#platform/http/next-path.ts'
import {
  actionPage,
  type ConfirmationLoader,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type PageResponse,
} from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormState, type FormValues } from '#platform/ui/form-values.ts'
import type { Guard } from '../commands/attempts.ts'
import { confirmationUse, confirmSignIn } from '../commands/confirm.ts'
import type { FactorGuard } from '../commands/second-step.ts'
import type { OtherWays } from '../mount.ts'
import { getAccount } from '../queries.ts'
import { confirmForm } from '../schema.ts'
import { CONFIRM, confirmSignInView, continueView } from '../views/confirm.ts'
import { secondsUntil, tooManyRequests } from './forms.ts'

const NO_STORE = { 'cache-control': 'no-store' }
/** A form that was interrupted can be sent so long. */
const RESUME_MS = 30 * 60_000

type ConfirmOptions = { steps: RateLimiter; guard: Guard; factorGuard?: FactorGuard | undefined; otherWays: OtherWays }
type Shown = { next: string; resume: string; state: FormState; method?: 'password' | 'code' | 'passkey' }

async function confirmBody(
  request: PageRequest,
  otherWays: OtherWays,
  { next, resume, state, method }: Shown,
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, db, actor, site } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  // For changes of what protects the account, a proof at an identity provider does not count.
  const isOwnOnly = request.query.get('own') === 'true'
  const [kinds, { passwordHash }] = await Promise.all([getFactorKinds(db, actor.userId), getAccount(db, actor.email)])
  const main = confirmSignInView({
    words,
    csrfToken,
    action: `${CONFIRM}?${isOwnOnly ? 'own=true&' : ''}next=${encodeURIComponent(next)}`,
    isOwnOnly,
    cancel: next.startsWith('/settings/') ? '/settings/' : '/',
    email: actor.email,
    state,
    method,
    resume,
    ways: {
      password: passwordHash !== null,
      app: kinds.app,
      passkey: kinds.passkey && relyingPartyOf(site.url) !== undefined,
      others: isOwnOnly ? undefined : await otherWays.again(request, next),
    },
  })
  return {
    title: words.t('confirm_sign_in.title'),
    bare: true,
    headers: NO_STORE,
    scripts: [assetUrl('passkeys.js')],
    main,
  }
}

/** For forms of sensitive pages: the page that asks carries what was typed, sealed. */
export const confirmationLoader =
  (otherWays: OtherWays): ConfirmationLoader =>
  (request, resume) =>
    confirmBody(request, otherWays, { next: '/', resume, state: EMPTY_STATE })

export const confirmPages = (options: ConfirmOptions): Page[] => [confirmPage(options), optionsPage]

function confirmPage({ steps, guard, factorGuard, otherWays }: ConfirmOptions): Page {
  return formPage({
    path: CONFIRM,
    access: signedIn,
    isForFactorSetup: true,
    form: confirmForm,
    show: async (request, refused) => {
      const next = nextPath(request.query.get('next'))
      const method = METHODS.find((each) => each === refused?.values.method)
      const resume = typeof refused?.values.resume === 'string' ? refused.values.resume : ''
      return confirmBody(request, otherWays, { next, resume, state: refused ?? EMPTY_STATE, ...(method ? { method } : {}) })
    },
    submit: async (request, input) => {
      const { commandContext, context, browser, query } = request
      const { words, actor } = context
      if (actor.kind !== 'user') throw new Problem('permission_denied')
      const next = nextPath(query.get('next'))
      const late = async (seconds: number, text: string): Promise<PageBody> =>
        tooManyRequests(
          await confirmBody(request, otherWays, { next, resume: input.resume, state: { values: {}, errors: [{ text }] } }),
          seconds,
        )
      const { allowed, resetSeconds, settle } = await steps.reserve(`second factor ${actor.userId}`)
      if (!allowed) return late(resetSeconds, words.t('second_step.limit_seconds', { count: resetSeconds }))
      const { method } = input
      const proof =
        method === 'password'
          ? { kind: method, password: input.password, device: browser.device }
          : method === 'code'
            ? { kind: method, code: input.code }
            : { kind: method, state: input.state, response: input.response }
      const outcome = await confirmSignIn(commandContext, proof, { guard, ...(factorGuard ? { factorGuard } : {}) }).catch(
        (error: unknown) => {
          settle({ failed: false })
          throw error
        },
      )
      settle({ failed: !outcome.ok && outcome.reason === 'wrong' })
      if (outcome.ok) return goOn(request, input.resume, next)
      if (!('retryAt' in outcome)) return { refused: [wrongError(words, method)] }
      const seconds = secondsUntil(outcome.retryAt, commandContext.now)
      return late(seconds, words.t('second_step.limit', { time: words.time(roundUpToMinute(outcome.retryAt)) }))
    },
  })
}

const METHODS = ['password', 'code', 'passkey'] as const

const wrongError = (words: Words, method: (typeof METHODS)[number]) => {
  if (method === 'password') return { field: 'password', text: words.t('confirm_sign_in.password_wrong') }
  if (method === 'code') return { field: 'code', text: words.t('second_step.wrong') }
  return { text: words.t('second_step.passkey_wrong') }
}

type Resume = { kind: 'resume'; url: string; values: FormValues; session: string; at: number }

function goOn(request: PageRequest, sealed: string, next: string): PageResponse {
  const { context, browser, csrfToken } = request
  const { words, site, now } = context
  const resume = readResume(site.keyring.unseal, sealed)
  const isOwn = resume && resume.session === browser.sessionHash?.toString('hex') && now.getTime() - resume.at < RESUME_MS
  if (!isOwn) return { redirect: next }
  const main = continueView({ words, csrfToken, url: resume.url, values: resume.values })
  return { title: words.t('confirm_sign_in.done'), bare: true, headers: NO_STORE, scripts: [assetUrl('passkeys.js')], main }
}

function readResume(unseal: (sealed: string) => string, sealed: string): Resume | undefined {
  if (!sealed) return undefined
  try {
    const value = JSON.parse(unseal(sealed)) as Resume
    return value.kind === 'resume' ? value : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

const optionsPage = actionPage({
  path: `${CONFIRM}passkey/`,
  access: signedIn,
  isForFactorSetup: true,
  form: emptyForm,
  submit: async ({ commandContext }) => {
    const { actor } = commandContext
    if (actor.kind !== 'user') throw new Problem('permission_denied')
    const options = await makePasskeyOptions(commandContext, confirmationUse(commandContext), actor.userId)
    return { content: JSON.stringify(options), contentType: 'application/json; charset=utf-8', headers: NO_STORE }
  },
})
