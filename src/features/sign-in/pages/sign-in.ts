import { open, signedIn } from '#platform/http/access.ts'
import { addressKey, type Limiter } from '#platform/http/limits.ts'
import { actionPage, formPage, type Page, type PageBody, type Refused, type Visit } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { createFirstAdministrator } from '../commands/administrators.ts'
import type { EndCredentials } from '../commands/passwords.ts'
import { signOut } from '../commands/sessions.ts'
import { GUARD, type Guard, signIn } from '../commands/sign-in.ts'
import { isFirstAdministratorLink } from '../queries.ts'
import { firstAdministratorForm, nextPath, nothing, signInForm } from '../schema.ts'
import { administratorErrors, deadLinkView, firstAdministratorView, signInView } from '../views/sign-in.ts'
import { formOf, secondsUntil, sessionCookie, tooManyRequests, wholeMinute } from './forms.ts'
import { linkPages } from './links.ts'
import { securityPages } from './security.ts'

export type SignInPagesOptions = {
  /** Of failed attempts, by address. */
  limiter: Limiter
  /** Of links asked for, by address. */
  resets: Limiter
  endCredentials: EndCredentials
  guard?: Guard
}

const SIGN_IN = '/accounts/login/'

export function signInPages({ limiter, resets, endCredentials, guard = GUARD }: SignInPagesOptions): Page[] {
  return [
    signInPage(limiter, guard),
    signOutPage,
    firstAdministratorPage,
    ...securityPages({ endCredentials, guard }),
    ...linkPages({ resets, endCredentials }),
  ]
}

function signInPage(limiter: Limiter, guard: Guard): Page {
  return formPage({
    path: SIGN_IN,
    access: open('this is where people show who they are'),
    form: signInForm,
    show: async (visit, refused) => {
      if (visit.browser.sessionHash) return { redirect: nextPath(visit.query.get('next')) }
      return signInBody(visit, refused)
    },
    submit: async (visit, input) => {
      const { doing, browser } = visit
      const { words } = visit.ask
      const late = (seconds: number, text: string): PageBody => {
        const refused = { values: { email: input.email }, errors: [{ text }] }
        return tooManyRequests(signInBody(visit, refused), seconds)
      }
      const address = addressKey(browser.ip)
      const { allowed, resetSeconds } = limiter.peek(address)
      if (!allowed) return late(resetSeconds, words.t('sign-in.address_limit', { count: resetSeconds }))
      const outcome = await signIn(doing, { ...input, device: browser.device, userAgent: browser.userAgent }, guard)
      if (outcome.ok) return { redirect: nextPath(visit.query.get('next')), session: sessionCookie(outcome) }
      limiter.take(address)
      if (outcome.reason === 'wrong') return { refused: [{ text: words.t('sign-in.wrong') }] }
      const seconds = secondsUntil(outcome.retryAt, doing.now)
      return late(seconds, words.t('sign-in.account_limit', { time: words.time(wholeMinute(outcome.retryAt)) }))
    },
  })
}

function signInBody(visit: Visit, refused?: Refused): PageBody {
  const { words } = visit.ask
  const next = nextPath(visit.query.get('next'))
  const action = next === '/' ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`
  return { title: words.t('sign-in.title'), bare: true, main: signInView({ ...formOf(visit, refused), action }) }
}

const signOutPage = actionPage({
  path: '/accounts/logout/',
  access: signedIn,
  form: nothing,
  submit: async ({ doing, ask }) => {
    await signOut(doing)
    return { redirect: SIGN_IN, session: 'end', flash: { kind: 'good', text: ask.words.t('sign-in.signed_out') } }
  },
})

const firstAdministratorPage = formPage({
  path: '/accounts/first-administrator/{token}/',
  access: open('the secret in the address is the permission, and works once'),
  form: firstAdministratorForm,
  show: async (visit, refused) => {
    const { words, db, now } = visit.ask
    const token = visit.path.token!
    if (!(await isFirstAdministratorLink(db, token, now))) return deadLink(words)
    const main = firstAdministratorView({ ...formOf(visit, refused), action: visit.url })
    return { title: words.t('sign-in.first_title'), bare: true, main }
  },
  submit: async (visit, { password_again, ...input }) => {
    const { words } = visit.ask
    if (input.password !== password_again) {
      return { refused: [{ field: 'password_again', text: words.t('sign-in.password_differs') }] }
    }
    const { device, userAgent } = visit.browser
    const wish = { ...input, token: visit.path.token!, language: words.language, device, userAgent }
    const outcome = await createFirstAdministrator(visit.doing, wish)
    if (!outcome.ok) {
      return outcome.isLinkDead ? deadLink(words) : { refused: administratorErrors(outcome.reasons, words) }
    }
    const flash = { kind: 'good' as const, text: words.t('sign-in.first_done', { name: input.name }) }
    return { redirect: '/', session: sessionCookie(outcome), flash }
  },
})

const deadLink = (words: Words): PageBody => ({
  title: words.t('sign-in.dead_title'),
  bare: true,
  status: 404,
  main: deadLinkView(words),
})
