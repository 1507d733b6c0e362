import { makePasskeyOptions } from '#features/access/second-factor/commands/passkeys.ts'
import { getFactorKinds } from '#features/access/second-factor/queries.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { open } from '#platform/http/access.ts'
import { roundUpToMinute } from '#platform/http/mail-limits.ts'
import { nextPath } from '#platform/http/next-path.ts'
import {
  actionPage,
  type Download,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Redirect,
} from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormState } from '#platform/ui/form-values.ts'
import {
  cancelPendingSignIn,
  FACTOR_GUARD,
  type FactorGuard,
  finishSecondStep,
  type Proof,
  type SecondStep,
  signInByPasskey,
} from '../commands/second-step.ts'
import { sessionCookie } from '../commands/sessions.ts'
import type { OnExternalSession } from '../mount.ts'
import { getPendingSignIn, type PendingSignIn } from '../queries.ts'
import { PENDING_SIGN_IN, passkeySignInForm, secondStepForm } from '../schema.ts'
import { PASSKEY_SIGN_IN, SECOND_STEP, secondStepView } from '../views/second-step.ts'
import { secondsUntil, tooManyRequests } from './forms.ts'

const SIGN_IN = '/accounts/login/'
const NO_STORE = { 'cache-control': 'no-store' }

type StepOptions = {
  /** Limits failed attempts by IP address. */
  limiter: RateLimiter
  /** Limits failed second factors by account. */
  steps: RateLimiter
  onExternalSession: OnExternalSession
  guard?: FactorGuard | undefined
}

export const secondStepPages = (options: StepOptions): Page[] => [
  stepPage(options),
  stepOptionsPage,
  cancelPage,
  passkeySignInPage(options),
  passkeySignInOptionsPage,
]

const getPending = ({ context, browser }: PageRequest): Promise<PendingSignIn | undefined> =>
  getPendingSignIn(context.db, { pendingId: browser.cookie(PENDING_SIGN_IN), device: browser.device, now: context.now })

const expired = (words: Words): Redirect => ({
  redirect: SIGN_IN,
  cookies: { [PENDING_SIGN_IN]: 'end' },
  flash: { kind: 'info', text: words.t('second_step.expired') },
})

async function stepBody(request: PageRequest, { userId }: PendingSignIn, state: FormState): Promise<PageBody> {
  const { context, csrfToken, query } = request
  const { words, db } = context
  const kinds = await getFactorKinds(db, userId)
  const wantsRecovery = query.get('with') === 'recovery' && kinds.recovery
  return {
    title: words.t('second_step.title'),
    bare: true,
    headers: NO_STORE,
    scripts: [assetUrl('passkeys.js')],
    main: secondStepView({ words, csrfToken, state, kinds, wantsRecovery }),
  }
}

function stepPage({ steps, onExternalSession, guard = FACTOR_GUARD }: StepOptions): Page {
  return formPage({
    path: SECOND_STEP,
    access: open('the person has no session yet; the cookie shows that the password was right'),
    form: secondStepForm,
    show: async (request, refused) => {
      const pending = await getPending(request)
      if (!pending) return request.browser.sessionHash ? { redirect: '/' } : expired(request.context.words)
      return stepBody(request, pending, refused ?? EMPTY_STATE)
    },
    submit: async (request, input) => {
      const { commandContext, context, browser } = request
      const { words } = context
      const pending = await getPending(request)
      if (!pending) return expired(words)
      const late = async (seconds: number, text: string): Promise<PageBody> =>
        tooManyRequests(await stepBody(request, pending, { values: {}, errors: [{ text }] }), seconds)
      // The place is taken before the check, so that parallel attempts cannot exceed the limit, whichever node they reach.
      const { allowed, resetSeconds, settle } = await steps.reserve(`second factor ${pending.userId}`)
      if (!allowed) return late(resetSeconds, words.t('second_step.limit_seconds', { count: resetSeconds }))
      const outcome = await finishSecondStep(
        commandContext,
        {
          pendingId: browser.cookie(PENDING_SIGN_IN),
          proof: toProof(input),
          device: { device: browser.device, userAgent: browser.userAgent },
          trusts: 'trust' in input && input.trust,
        },
        { onExternalSession, guard },
      ).catch((error: unknown) => {
        settle({ failed: false })
        throw error
      })
      settle({ failed: isFailure(outcome) })
      if (outcome.ok) {
        const flash =
          input.method === 'recovery' ? { flash: { kind: 'info' as const, text: words.t('second_step.recovered') } } : {}
        return {
          redirect: outcome.next,
          session: sessionCookie(outcome.session),
          cookies: { [PENDING_SIGN_IN]: 'end' },
          ...flash,
        }
      }
      if (outcome.reason === 'expired') return expired(words)
      if (!('retryAt' in outcome)) return { refused: [wrongError(words, input.method)] }
      const seconds = secondsUntil(outcome.retryAt, commandContext.now)
      return late(seconds, words.t('second_step.limit', { time: words.time(roundUpToMinute(outcome.retryAt)) }))
    },
  })
}

type StepInput = { method: 'code' | 'recovery'; code: string } | { method: 'passkey'; state: string; response: string }

const toProof = (input: StepInput): Proof =>
  input.method === 'passkey'
    ? { kind: 'passkey', state: input.state, response: input.response }
    : { kind: input.method, code: input.code }

const isFailure = (outcome: SecondStep): boolean => !outcome.ok && outcome.reason === 'wrong'

const wrongError = (words: Words, method: StepInput['method']) =>
  method === 'passkey'
    ? { text: words.t('second_step.passkey_wrong') }
    : { field: 'code', text: words.t(method === 'code' ? 'second_step.wrong' : 'second_step.recovery_wrong') }

const stepOptionsPage = actionPage({
  path: `${SECOND_STEP}passkey/`,
  access: open('the person has no session yet; the cookie shows that the password was right'),
  form: emptyForm,
  submit: async (request) => {
    const pending = requireFound(await getPending(request))
    const use = { purpose: 'second_step' as const, binding: pending.idHash.toString('hex') }
    return toJson(await makePasskeyOptions(request.commandContext, use, pending.userId))
  },
})

const toJson = (value: object): Download => ({
  content: JSON.stringify(value),
  contentType: 'application/json; charset=utf-8',
  headers: NO_STORE,
})

const cancelPage = actionPage({
  path: `${SECOND_STEP}cancel/`,
  access: open('the person has no session yet'),
  form: emptyForm,
  submit: async ({ commandContext, browser }) => {
    await cancelPendingSignIn(commandContext.db, browser.cookie(PENDING_SIGN_IN))
    return { redirect: SIGN_IN, cookies: { [PENDING_SIGN_IN]: 'end' } }
  },
})

const passkeySignInOptionsPage = actionPage({
  path: `${PASSKEY_SIGN_IN}options/`,
  access: open('this is where people show who they are'),
  form: emptyForm,
  submit: async ({ commandContext, browser }) => {
    const use = { purpose: 'sign_in' as const, binding: hashSecret(browser.device).toString('hex') }
    return toJson(await makePasskeyOptions(commandContext, use))
  },
})

const passkeySignInPage = ({ limiter, guard = FACTOR_GUARD }: StepOptions): Page =>
  actionPage({
    path: PASSKEY_SIGN_IN,
    access: open('this is where people show who they are'),
    form: passkeySignInForm,
    submit: async (request, answer) => {
      const { commandContext, browser, context, query } = request
      const { allowed, resetSeconds, settle } = await limiter.reserve(addressKey(browser.ip))
      if (!allowed) throw new Problem('too_many_requests', { headers: { 'retry-after': String(resetSeconds) } })
      const device = { device: browser.device, userAgent: browser.userAgent }
      const outcome = await signInByPasskey(commandContext, { answer, device }, guard.passkey).catch((error: unknown) => {
        settle({ failed: false })
        throw error
      })
      settle({ failed: !outcome.ok })
      const next = nextPath(query.get('next'))
      if (outcome.ok) return { redirect: next, session: sessionCookie(outcome.session), cookies: { [PENDING_SIGN_IN]: 'end' } }
      const target = next === '/' ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`
      return { redirect: target, flash: { kind: 'bad', text: context.words.t('sign_in.passkey_wrong') } }
    },
  })
