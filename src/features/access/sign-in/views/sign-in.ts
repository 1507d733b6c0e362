import { passkeyFormView } from '#features/access/second-factor/views/passkey-form.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type FormError, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import type { AdministratorRefusal } from '../rules/administrator.ts'
import { MIN_PASSWORD_LENGTH } from '../rules/passwords.ts'
import { SAMPLE_ROLES, TRY_OUT } from '../rules/try-out.ts'
import { firstAdministratorForm, signInForm } from '../schema.ts'
import { PASSKEY_SIGN_IN } from './second-step.ts'

export type FormData = { words: Words; action: string; csrfToken: string; state: FormState }

/** The first field of a page has the focus unless the summary of errors takes it. */
export const focusFirst = ({ errors }: FormState) => ({ attributes: { autofocus: !errors.length } })

type SignInData = FormData & {
  /** Other ways to sign in. */
  buttons: Child
  showsLocal: boolean
  hasPasskeys: boolean
  next: string
  /** People can create an account themselves. */
  mayRegister: boolean
  /** The program is tried out with sample data. */
  isTryOut: boolean
}

export function signInView(data: SignInData): Html {
  const { words, action, csrfToken, state, buttons, showsLocal, hasPasskeys, next, mayRegister, isTryOut } = data
  const form = signInForm.view({
    words,
    action,
    csrfToken,
    state,
    submit: { label: words.t('sign_in.submit'), icon: 'log-in' },
    guard: false,
    layout: (field) => [
      field('email', {
        attributes: { ...focusFirst(state).attributes, ...(hasPasskeys ? { autocomplete: 'username webauthn' } : {}) },
      }),
      field('password'),
    ],
  })
  const passkey =
    hasPasskeys &&
    passkeyFormView({
      words,
      action: next === '/' ? PASSKEY_SIGN_IN : `${PASSKEY_SIGN_IN}?next=${encodeURIComponent(next)}`,
      csrfToken,
      options: `${PASSKEY_SIGN_IN}options/`,
      inField: true,
      submit: { label: words.t('sign_in.passkey'), kind: 'secondary', icon: 'key-round' },
    })
  const local = html`${buttons && html`<p class="separator"><span>${words.t('sign_in.or')}</span></p>`}${form}${passkey}
<p><a href="/accounts/reset/">${words.t('security.forgotten')}</a></p>${mayRegister && html`<p><a href="/accounts/register/">${words.t('sign_in.register')}</a></p>`}`
  return html`<h1>${words.t('sign_in.title')}</h1>
${buttons}${showsLocal && local}${isTryOut && tryOutView(words, csrfToken)}`
}

/** Nobody can sign in before the first administrator has an account. */
export const newInstanceView = (words: Words): Html =>
  html`<h1>${words.t('sign_in.new_title')}</h1><p>${words.t('sign_in.new_text')}</p><p class="muted">${words.t('sign_in.new_again')}</p>`

const tryOutView = (words: Words, csrfToken: string): Html =>
  html`<section class="try-out" aria-label="${words.t('sign_in.try_out')}"><p>${words.t('sign_in.try_out_intro')}</p>${SAMPLE_ROLES.map(
    (role) =>
      postButtonView({
        action: TRY_OUT,
        csrfToken,
        fields: { role },
        label: words.t(`sign_in.try_out_${role}`),
        kind: 'secondary',
      }),
  )}</section>`

export function firstAdministratorView({ words, action, csrfToken, state }: FormData): Html {
  const form = firstAdministratorForm.view({
    words,
    action,
    csrfToken,
    state,
    submit: words.t('sign_in.first_submit'),
    guard: false,
    layout: (field) => [
      field('name'),
      field('email'),
      field('password', { help: words.t('sign_in.password_help', { count: MIN_PASSWORD_LENGTH }) }),
      field('password_again'),
    ],
  })
  return html`<h1>${words.t('sign_in.first_title')}</h1>
<p>${words.t('sign_in.first_intro')}</p>
${form}`
}

/** Each refusal begins with the name of its field. */
export function administratorErrors(refusals: readonly (AdministratorRefusal | 'email_taken')[], words: Words): FormError[] {
  return refusals.map((refusal) => ({
    field: refusal.split('_')[0],
    text: words.t(`sign_in.${refusal}` as 'sign_in.password_short', { count: MIN_PASSWORD_LENGTH }),
  }))
}

export function invalidLinkView(words: Words): Html {
  return html`<h1>${words.t('sign_in.dead_title')}</h1>
<p>${words.t('sign_in.dead_text')}</p>
<p>${linkButtonView({ href: '/accounts/login/', label: words.t('sign_in.submit'), kind: 'primary' })}</p>`
}
