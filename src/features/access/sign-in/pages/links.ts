import { open } from '#platform/http/access.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { requestReset } from '../commands/links.ts'
import { setPasswordByLink } from '../commands/passwords.ts'
import { sessionCookie } from '../commands/sessions.ts'
import { getLinkOwner, type LinkPurpose } from '../queries.ts'
import { linkForm, PENDING_SIGN_IN, resetForm } from '../schema.ts'
import { invalidMailLinkView, resetSentView, resetView, resetWithoutMailView, setPasswordView } from '../views/links.ts'
import { SECOND_STEP } from '../views/second-step.ts'
import { administratorErrors } from '../views/sign-in.ts'
import { getFormData, pendingCookie, secondsUntil, tooManyRequests } from './forms.ts'

const RESET = '/accounts/reset/'

export function linkPages({ resets }: { resets: RateLimiter }): Page[] {
  return [
    resetPage(resets),
    mailLinkPage('reset_password', '/accounts/reset/{token}/'),
    mailLinkPage('welcome', '/accounts/welcome/{token}/'),
    mailLinkPage('invitation', '/accounts/invitation/{token}/'),
  ]
}

function resetPage(resets: RateLimiter): Page {
  return formPage({
    path: RESET,
    access: open('who has forgotten a password cannot show who they are'),
    form: resetForm.schema,
    show: async (request, refused) =>
      request.context.site.isMailOff ? withoutMail(request.context.words) : resetBody(request, getFormData(request, refused)),
    submit: async (request, { email }) => {
      const { words, site } = request.context
      if (site.isMailOff) return { ...withoutMail(words), status: 422 }
      const late = (seconds: number, text: string) =>
        tooManyRequests(resetBody(request, getFormData(request, { values: { email }, errors: [{ text }] })), seconds)
      const { allowed, resetSeconds } = await resets.takeShared(addressKey(request.browser.ip))
      if (!allowed) return late(resetSeconds, words.t('reset.address_limit', { count: resetSeconds }))
      const outcome = await requestReset(request.commandContext, { email })
      if (outcome.ok) return { title: words.t('reset.sent_title'), bare: true, main: resetSentView({ words, email }) }
      const { now } = request.context
      return late(secondsUntil(outcome.retryAt, now), mailRefusalText(words, now, outcome))
    },
  })
}

const withoutMail = (words: Words): PageBody => ({ title: words.t('reset.title'), bare: true, main: resetWithoutMailView(words) })

const resetBody = ({ context: { words } }: PageRequest, form: ReturnType<typeof getFormData>): PageBody => ({
  title: words.t('reset.title'),
  bare: true,
  main: resetView({ ...form, action: RESET }),
})

function mailLinkPage(purpose: LinkPurpose, path: `${string}{token}/`): Page {
  return formPage({
    path,
    access: open('the secret in the address is the permission, and works once'),
    form: linkForm.schema,
    show: async (request, refused) => {
      const { words, db, now } = request.context
      const owner = await getLinkOwner(db, { token: request.path.token, purpose, now })
      if (!owner) return invalidLink(words, purpose)
      const title =
        purpose !== 'reset_password' ? words.t('reset.welcome_title', { name: owner.name }) : words.t('reset.new_title')
      const main = setPasswordView({ ...getFormData(request, refused), action: request.url, purpose, owner })
      return { title, bare: true, main, headers: NO_STORE }
    },
    submit: async (request, { password, password_again }) => {
      const { words } = request.context
      if (password !== password_again) {
        return { refused: [{ field: 'password_again', text: words.t('sign_in.password_differs') }] }
      }
      const { device, userAgent } = request.browser
      const wish = { token: request.path.token, purpose, password, device, userAgent }
      const outcome = await setPasswordByLink(request.commandContext, wish)
      if (!outcome.ok) {
        return outcome.isLinkInvalid ? invalidLink(words, purpose) : { refused: administratorErrors([outcome.reason], words) }
      }
      const strength = words.t(`security.strength_${outcome.strength}`)
      if ('step' in outcome) {
        const flash = { kind: 'good' as const, text: words.t('reset.done_step', { strength }) }
        return { redirect: SECOND_STEP, cookies: { [PENDING_SIGN_IN]: pendingCookie(outcome.step) }, session: 'end', flash }
      }
      const text = words.t(purpose !== 'reset_password' ? 'reset.welcome_done' : 'reset.done', { strength })
      return { redirect: '/', session: sessionCookie(outcome), flash: { kind: 'good', text } }
    },
  })
}

const NO_STORE = { 'cache-control': 'no-store' }

const invalidLink = (words: Words, purpose: LinkPurpose): PageBody => ({
  title: words.t('reset.dead_title'),
  bare: true,
  status: 404,
  main: invalidMailLinkView(words, purpose),
})
