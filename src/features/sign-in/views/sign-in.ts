import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type FormError, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import type { AdministratorRefusal } from '../rules/administrator.ts'
import { MIN_PASSWORD_LENGTH } from '../rules/passwords.ts'
import { firstAdministratorForm, signInForm } from '../schema.ts'

export type FormData = { words: Words; action: string; csrfToken: string; state: FormState }

/** The first field of a page has the focus unless the summary of errors takes it. */
export const focusFirst = ({ errors }: FormState) => ({ attributes: { autofocus: !errors.length } })

type SignInData = FormData & {
  /** Other ways to sign in. */
  buttons: Child
  showsLocal: boolean
}

export function signInView({ words, action, csrfToken, state, buttons, showsLocal }: SignInData): Html {
  const form = signInForm.view({
    words,
    action,
    csrfToken,
    state,
    submit: { label: words.t('sign_in.submit'), icon: 'log-in' },
    guard: false,
    layout: (field) => [field('email', focusFirst(state)), field('password')],
  })
  const local = html`${buttons && html`<p class="separator"><span>${words.t('sign_in.or')}</span></p>`}${form}
<p><a href="/accounts/reset/">${words.t('security.forgotten')}</a></p>`
  return html`<h1>${words.t('sign_in.title')}</h1>
${buttons}${showsLocal && local}`
}

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
