import { getFactors } from '#features/access/second-factor/queries.ts'
import { relyingPartyOf } from '#features/access/second-factor/rules.ts'
import { factorSectionView } from '#features/access/second-factor/views/section.ts'
import { settingsView } from '#features/accounts/users/views/settings.ts'
import { renderHtml } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { roundUpToMinute } from '#platform/http/mail-limits.ts'
import { actionPage, formPage, type Page, type PageBody, type Refused, type UserRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import type { Guard } from '../commands/attempts.ts'
import { changePassword, type PasswordChange } from '../commands/passwords.ts'
import { endOtherSessions, endOwnSession, sessionCookie } from '../commands/sessions.ts'
import type { OtherWays } from '../mount.ts'
import { findOwnSessions, getAccount, getPasswordHint } from '../queries.ts'
import { changePasswordForm, deviceForm, strengthForm } from '../schema.ts'
import { securityView, strengthView } from '../views/security.ts'
import { administratorErrors } from '../views/sign-in.ts'
import { secondsUntil, tooManyRequests } from './forms.ts'

const SECURITY = '/settings/security/'

type SecurityOptions = { guard: Guard; otherWays: OtherWays }

export const securityPages = (options: SecurityOptions): Page[] => [securityPage(options), strengthPage, devicePage, othersPage]

function securityPage(options: SecurityOptions): Page {
  const securityBody = makeSecurityBody(options.otherWays)
  return formPage({
    path: SECURITY,
    access: signedIn,
    requires: 'recentSignIn',
    form: changePasswordForm.schema,
    show: securityBody,
    submit: async (request, { current, password, password_again }) => {
      const { words } = request.context
      if (password !== password_again) {
        return { refused: [{ field: 'password_again', text: words.t('sign_in.password_differs') }] }
      }
      const { device, userAgent } = request.browser
      const outcome = await changePassword(request.commandContext, { current, password, device, userAgent }, options)
      if (!outcome.ok) return refusal(request, outcome, securityBody)
      const strength = words.t(`security.strength_${outcome.strength}`)
      const flash = { kind: 'good' as const, text: words.t('security.changed', { strength }) }
      return { redirect: SECURITY, session: sessionCookie(outcome), flash }
    },
  })
}

async function refusal(
  request: UserRequest,
  outcome: PasswordChange & { ok: false },
  securityBody: SecurityBody,
): Promise<PageBody | { refused: FormError[] }> {
  const { words } = request.context
  if (outcome.reason === 'too_many_guesses') {
    const text = words.t('security.guess_limit', { time: words.time(roundUpToMinute(outcome.retryAt)) })
    const page = await securityBody(request, { values: {}, errors: [{ text }] })
    return tooManyRequests(page, secondsUntil(outcome.retryAt, request.commandContext.now))
  }
  if (outcome.reason === 'current_wrong') return { refused: [{ field: 'current', text: words.t('security.current_wrong') }] }
  if (outcome.reason === 'password_same') return { refused: [{ field: 'password', text: words.t('security.same') }] }
  return { refused: administratorErrors([outcome.reason], words) }
}

type SecurityBody = (request: UserRequest, refused?: Refused) => Promise<PageBody>

const makeSecurityBody =
  (otherWays: OtherWays): SecurityBody =>
  async (request, refused) => {
    const { context, csrfToken } = request
    const { words, now, actor, db } = context
    const devices = await findOwnSessions(context)
    const { email, userId } = actor
    const { passwordHash } = await getAccount(db, email)
    const factors = await getFactors(db, userId, now)
    const hasPasskeys = relyingPartyOf(context.site.url) !== undefined
    const main = securityView({
      words,
      now,
      email,
      csrfToken,
      devices,
      state: refused ?? EMPTY_STATE,
      hasPassword: userId !== 0 && passwordHash !== null,
      factorSection: factorSectionView({ words, now, csrfToken, factors, hasPasskeys }),
      section: await otherWays.section(request),
    })
    return { title: words.t('settings.security'), main: settingsView({ context, current: 'security', main }) }
  }

/** A script requests it while the person types. Nothing is stored. */
const strengthPage = actionPage({
  path: '/settings/security/strength/',
  access: signedIn,
  form: strengthForm,
  submit: async ({ context }, { password }) => {
    const hint = password ? describeHint(context.words, getPasswordHint(context.actor, password)) : ''
    return { content: hint, contentType: 'text/html; charset=utf-8', headers: { 'cache-control': 'no-store' } }
  },
})

function describeHint(words: Words, { strength, weakness }: ReturnType<typeof getPasswordHint>): string {
  const advice = weakness ? administratorErrors([weakness], words)[0]!.text : undefined
  return renderHtml(strengthView(words, strength, advice ?? (strength === 'fair' ? words.t('security.longer') : undefined)))
}

const devicePage = actionPage({
  path: '/settings/security/device/',
  access: signedIn,
  requires: 'recentSignIn',
  form: deviceForm,
  submit: async ({ commandContext, context: { words } }, { device }) => {
    const isOut = await endOwnSession(commandContext, device)
    const flash = isOut
      ? { kind: 'good' as const, text: words.t('security.signed_out') }
      : { kind: 'info' as const, text: words.t('security.already_out') }
    return { redirect: SECURITY, flash }
  },
})

const othersPage = actionPage({
  path: '/settings/security/others/',
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  submit: async ({ commandContext, context: { words } }) => {
    const count = await endOtherSessions(commandContext)
    const text = count ? words.t('security.others_out', { count }) : words.t('security.alone')
    return { redirect: SECURITY, flash: { kind: 'good', text } }
  },
})
