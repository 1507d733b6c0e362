import { MIN_PASSWORD_LENGTH } from '#features/access/sign-in/rules/passwords.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import type { LinkEnd } from '../rules.ts'
import { confirmationForm, registrationForm } from '../schema.ts'

export const REGISTER = '/accounts/register/'
export const SIGN_IN = '/accounts/login/'

type RegistrationData = {
  words: Words
  csrfToken: string
  action: string
  state: FormState
  /** Undefined: an account without a group. */
  groupName: string | undefined
  needsApproval: boolean
  today: string
  /** Where people go who have an account. */
  signIn: string
}

export function registrationView(data: RegistrationData): Html {
  const { words, csrfToken, action, state, groupName, needsApproval, today, signIn } = data
  const form = registrationForm.view({
    words,
    csrfToken,
    action,
    state,
    guard: false,
    submit: { label: words.t(needsApproval ? 'joining.ask' : 'joining.register'), icon: 'user-plus' },
    layout: (field) => [
      field('name'),
      field('email'),
      field('date_of_birth', { attributes: { max: today } }),
      field('password', { help: words.t('sign_in.password_help', { count: MIN_PASSWORD_LENGTH }) }),
      field('password_again'),
    ],
  })
  const title = groupName === undefined ? words.t('joining.register_title') : words.t('joining.join_title', { group: groupName })
  return html`<h1>${title}</h1>
<p>${words.t(needsApproval ? 'joining.intro_approval' : 'joining.intro_open')}</p>
<p>${words.t('joining.have_account')} <a href="${signIn}">${words.t('joining.sign_in')}</a></p>
${form}`
}

type MemberData = {
  words: Words
  csrfToken: string
  action: string
  groupName: string
  needsApproval: boolean
  name: string
  state: 'open' | 'member' | 'waiting'
}

/** For people who are signed in. */
export function memberJoinView({ words, csrfToken, action, groupName, needsApproval, name, state }: MemberData): Html {
  const home = linkButtonView({ href: '/', label: words.t('joining.home') })
  if (state !== 'open')
    return html`<h1>${words.t('joining.join_title', { group: groupName })}</h1>
<p>${words.t(state === 'member' ? 'joining.already_member' : 'joining.already_asked', { group: groupName })}</p><p>${home}</p>`
  return html`<h1>${words.t('joining.join_title', { group: groupName })}</h1>
<p>${words.t(needsApproval ? 'joining.member_ask_text' : 'joining.member_join_text', { name, group: groupName })}</p>
<div class="button-row">${postButtonView({ action, csrfToken, label: words.t(needsApproval ? 'joining.member_ask' : 'joining.member_join'), icon: 'user-plus' })}${home}</div>`
}

export function closedView(words: Words, reason: LinkEnd | 'unknown'): Html {
  return html`<h1>${words.t('joining.closed_title')}</h1>
<p>${words.t(`joining.why_${reason}`)}</p>
<p>${linkButtonView({ href: SIGN_IN, label: words.t('joining.sign_in') })}</p>`
}

/** Does not tell whether the address has an account. */
export function registeredView({
  words,
  email,
  hasMail,
  needsApproval,
}: {
  words: Words
  email: string
  hasMail: boolean
  needsApproval: boolean
}): Html {
  if (hasMail)
    return html`<h1>${words.t('joining.sent_title')}</h1>
<p>${words.t('joining.sent_text', { email })}</p><p class="muted">${words.t('joining.sent_help')}</p>`
  return html`<h1>${words.t(needsApproval ? 'joining.asked_title' : 'joining.made_title')}</h1>
<p>${words.t(needsApproval ? 'joining.asked_without_mail' : 'joining.made_without_mail', { email })}</p>
<p>${linkButtonView({ href: SIGN_IN, label: words.t('joining.sign_in'), kind: needsApproval ? 'secondary' : 'primary' })}</p>`
}

type ConfirmData = { words: Words; csrfToken: string; action: string; state: FormState; email: string; name: string }

export function confirmationView({ words, csrfToken, action, state, email, name }: ConfirmData): Html {
  const form = confirmationForm.view({
    words,
    csrfToken,
    action,
    state,
    guard: false,
    submit: { label: words.t('joining.confirm'), icon: 'check' },
    layout: (field) => [
      html`<input type="text" name="username" value="${email}" autocomplete="username" hidden>`,
      field('password', { help: words.t('joining.confirm_password_help') }),
    ],
  })
  return html`<h1>${words.t('joining.confirm_title')}</h1>
<p>${words.t('joining.confirm_text', { name, email })}</p>
${form}`
}

export function confirmedView(words: Words): Html {
  return html`<h1>${words.t('joining.asked_title')}</h1>
<p>${words.t('joining.asked_text')}</p>
<p>${linkButtonView({ href: SIGN_IN, label: words.t('joining.sign_in') })}</p>`
}

export function endedView(words: Words, reason: 'invalid' | 'link_closed' | 'exists'): Html {
  return html`<h1>${words.t('joining.ended_title')}</h1>
<p>${words.t(`joining.ended_${reason}`)}</p>
<p>${linkButtonView({ href: SIGN_IN, label: words.t('joining.sign_in') })}</p>`
}
