import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emailField, passwordField, textField } from '#platform/ui/fields.ts'
import { type FormError, formView, linkButtonView } from '#platform/ui/form.ts'
import type { AdministratorRefusal } from '../rules/administrator.ts'
import { MIN_PASSWORD_LENGTH } from '../rules/passwords.ts'

export type FormData = {
  words: Words
  action: string
  csrfToken: string
  values: Record<string, string | string[]>
  errors: readonly FormError[]
}

export const getValue = (values: FormData['values'], name: string): string => [values[name] ?? ''].flat()[0] ?? ''
export const getError = (errors: readonly FormError[], name: string) => errors.find(({ field }) => field === name)?.text

export function signInView({ words, action, csrfToken, values, errors }: FormData): Html {
  const email = getValue(values, 'email')
  const fields = [
    emailField({
      words,
      name: 'email',
      label: words.t('sign_in.email'),
      value: email,
      error: getError(errors, 'email'),
      // Focus the field unless the error summary gets the focus.
      attributes: { autocomplete: 'username', autofocus: !errors.length },
    }),
    passwordField({
      words,
      name: 'password',
      label: words.t('sign_in.password'),
      autocomplete: 'current-password',
      error: getError(errors, 'password'),
    }),
  ]
  const submit = { label: words.t('sign_in.submit'), icon: 'log-in' as const }
  return html`<h1>${words.t('sign_in.title')}</h1>
${formView({ words, action, csrfToken, submit, fields, errors, guard: false })}
<p><a href="/accounts/reset/">${words.t('security.forgotten')}</a></p>`
}

export function firstAdministratorView({ words, action, csrfToken, values, errors }: FormData): Html {
  const fields = [
    textField({
      words,
      name: 'name',
      label: words.t('sign_in.name'),
      value: getValue(values, 'name'),
      error: getError(errors, 'name'),
      attributes: { autocomplete: 'name' },
    }),
    emailField({
      words,
      name: 'email',
      label: words.t('sign_in.email'),
      help: words.t('sign_in.email_help'),
      value: getValue(values, 'email'),
      error: getError(errors, 'email'),
      attributes: { autocomplete: 'username' },
    }),
    passwordField({
      words,
      name: 'password',
      label: words.t('sign_in.password'),
      help: words.t('sign_in.password_help', { count: MIN_PASSWORD_LENGTH }),
      autocomplete: 'new-password',
      error: getError(errors, 'password'),
    }),
    passwordField({
      words,
      name: 'password_again',
      label: words.t('sign_in.password_again'),
      autocomplete: 'new-password',
      error: getError(errors, 'password_again'),
    }),
  ]
  return html`<h1>${words.t('sign_in.first_title')}</h1>
<p>${words.t('sign_in.first_intro')}</p>
${formView({ words, action, csrfToken, submit: words.t('sign_in.first_submit'), fields, errors, guard: false })}`
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
