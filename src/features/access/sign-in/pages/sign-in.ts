import { relyingPartyOf } from '#features/access/second-factor/rules.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { accountSettings } from '#features/operations/settings/schema/settings.ts'
import type { Child } from '#platform/html/html.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { roundUpToMinute } from '#platform/http/mail-limits.ts'
import { nextPath } from '#platform/http/next-path.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { createFirstAdministrator } from '../commands/administrators.ts'
import { GUARD, type Guard } from '../commands/attempts.ts'
import type { FactorGuard } from '../commands/second-step.ts'
import { sessionCookie, signOut } from '../commands/sessions.ts'
import { signIn } from '../commands/sign-in.ts'
import { TRY_OUT_GUARD } from '../commands/try-out.ts'
import { NO_OTHER_WAYS, type OtherWays } from '../mount.ts'
import { hasPeople, isFirstAdministratorLink } from '../queries.ts'
import { firstAdministratorForm, PENDING_SIGN_IN, signInForm } from '../schema.ts'
import { SECOND_STEP } from '../views/second-step.ts'
import { administratorErrors, firstAdministratorView, invalidLinkView, newInstanceView, signInView } from '../views/sign-in.ts'
import { confirmPages } from './confirm.ts'
import { getFormData, pendingCookie, secondsUntil, tooManyRequests } from './forms.ts'
import { linkPages } from './links.ts'
import { secondStepPages } from './second-step.ts'
import { securityPages } from './security.ts'
import { tryOutPage } from './try-out.ts'

type SignInPagesOptions = {
  /** Limits failed attempts by IP address. */
  limiter: RateLimiter
  /** Limits requests for links by IP address. */
  resets: RateLimiter
  /** Limits failed second factors by account. */
  steps?: RateLimiter
  guard?: Guard
  factorGuard?: FactorGuard
  otherWays?: OtherWays
  isTryOut?: boolean | undefined
}

const SIGN_IN = '/accounts/login/'

export function signInPages(options: SignInPagesOptions): Page[] {
  const { limiter, resets, steps = limiter, guard = GUARD, factorGuard, otherWays = NO_OTHER_WAYS, isTryOut } = options
  return [
    ...(isTryOut ? [tryOutPage] : []),
    signInPage(limiter, guard, otherWays),
    signOutPage(otherWays),
    firstAdministratorPage,
    ...securityPages({ guard, otherWays }),
    ...linkPages({ resets }),
    ...confirmPages({ steps, guard, factorGuard, otherWays }),
    ...secondStepPages({ limiter, steps, onExternalSession: otherWays.onSession, guard: factorGuard }),
  ]
}

function signInPage(limiter: RateLimiter, guard: Guard, otherWays: OtherWays): Page {
  return formPage({
    path: SIGN_IN,
    access: open('this is where people show who they are'),
    form: signInForm.schema,
    show: async (request, refused) => {
      if (request.browser.sessionHash) return { redirect: nextPath(request.query.get('next')) }
      const ways = await otherWays.load(request, nextPath(request.query.get('next')))
      if ('redirect' in ways && !refused) return ways
      return signInBody(request, 'redirect' in ways ? ONLY_LOCAL : ways, refused)
    },
    submit: async (request, input) => {
      const { commandContext, browser } = request
      const { words } = request.context
      const late = async (seconds: number, text: string): Promise<PageBody> => {
        const refused = { values: { email: input.email }, errors: [{ text }] }
        return tooManyRequests(await signInBody(request, ONLY_LOCAL, refused), seconds)
      }
      const { allowed, resetSeconds, settle } = await limiter.reserve(addressKey(browser.ip))
      if (!allowed) return late(resetSeconds, words.t('sign_in.address_limit', { count: resetSeconds }))
      const next = nextPath(request.query.get('next'))
      const attempt = { ...input, next, device: browser.device, userAgent: browser.userAgent }
      const outcome = await signIn(commandContext, attempt, guard).catch((error: unknown) => {
        settle({ failed: false })
        throw error
      })
      settle({ failed: !outcome.ok && outcome.reason !== 'second_step' })
      if (outcome.ok) return { redirect: next, session: sessionCookie(outcome) }
      if (outcome.reason === 'second_step')
        return { redirect: SECOND_STEP, cookies: { [PENDING_SIGN_IN]: pendingCookie(outcome.step) } }
      if (outcome.reason === 'wrong') return { refused: [{ text: words.t('sign_in.wrong') }] }
      const seconds = secondsUntil(outcome.retryAt, commandContext.now)
      return late(seconds, words.t('sign_in.account_limit', { time: words.time(roundUpToMinute(outcome.retryAt)) }))
    },
  })
}

type ShownWays = { buttons: Child; showsLocal: boolean }
const ONLY_LOCAL: ShownWays = { buttons: undefined, showsLocal: true }

async function signInBody(request: PageRequest, { buttons, showsLocal }: ShownWays, refused?: Refused): Promise<PageBody> {
  const { words, db } = request.context
  if (!(await hasPeople(db))) return { title: words.t('sign_in.new_title'), bare: true, main: newInstanceView(words) }
  const mayRegister = (await getSettings(db, accountSettings)).self_registration !== 'off'
  const next = nextPath(request.query.get('next'))
  const action = next === '/' ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`
  // A refused form stays, so that its errors are seen.
  const hasPasskeys = relyingPartyOf(request.context.site.url) !== undefined
  const isTryOut = TRY_OUT_GUARD.mayEnter(request.context, request.browser.ip)
  const shows = { showsLocal: showsLocal || refused !== undefined, hasPasskeys, next, mayRegister, isTryOut }
  const main = signInView({ ...getFormData(request, refused), action, buttons, ...shows })
  return { title: words.t('sign_in.title'), bare: true, main, ...(hasPasskeys ? { scripts: [assetUrl('passkeys.js')] } : {}) }
}

const signOutPage = (otherWays: OtherWays): Page =>
  actionPage({
    path: '/accounts/logout/',
    access: signedIn,
    isForFactorSetup: true,
    isForViewing: true,
    form: emptyForm,
    submit: async (request) => {
      const elsewhere = await otherWays.signOut(request)
      await signOut(request.commandContext)
      if (elsewhere) return { ...elsewhere, session: 'end' }
      const flash = { kind: 'good' as const, text: request.context.words.t('sign_in.signed_out') }
      return { redirect: SIGN_IN, session: 'end', flash }
    },
  })

const firstAdministratorPage = formPage({
  path: '/accounts/first-administrator/{token}/',
  access: open('the secret in the address is the permission, and works once'),
  form: firstAdministratorForm.schema,
  show: async (request, refused) => {
    const { words, db, now } = request.context
    const token = request.path.token
    if (!(await isFirstAdministratorLink(db, token, now))) return invalidLink(words)
    const main = firstAdministratorView({ ...getFormData(request, refused), action: request.url })
    return { title: words.t('sign_in.first_title'), bare: true, main }
  },
  submit: async (request, { password_again, ...input }) => {
    const { words } = request.context
    if (input.password !== password_again) {
      return { refused: [{ field: 'password_again', text: words.t('sign_in.password_differs') }] }
    }
    const { device, userAgent } = request.browser
    const wish = { ...input, token: request.path.token, language: words.language, device, userAgent }
    const outcome = await createFirstAdministrator(request.commandContext, wish)
    if (!outcome.ok) {
      return outcome.isLinkInvalid ? invalidLink(words) : { refused: administratorErrors(outcome.reasons, words) }
    }
    const flash = { kind: 'good' as const, text: words.t('sign_in.first_done', { name: input.name }) }
    return { redirect: '/', session: sessionCookie(outcome), flash }
  },
})

const invalidLink = (words: Words): PageBody => ({
  title: words.t('sign_in.dead_title'),
  bare: true,
  status: 404,
  main: invalidLinkView(words),
})
