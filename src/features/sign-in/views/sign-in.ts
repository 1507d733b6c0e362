import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emailField, passwordField, textField } from '#platform/ui/fields.ts'
import { type FormError, formView, linkButtonView } from '#platform/ui/form.ts'
import type { AdministratorRefusal } from '../rules/administrator.ts'
import { SHORTEST_PASSWORD } from '../rules/passwords.ts'

export type FormData = {
  words: Words
  action: string
  csrfToken: string
  values: Record<string, string | string[]>
  errors: readonly FormError[]
}

export const typed = (values: FormData['values'], name: string): string => [values[name] ?? ''].flat()[0] ?? ''
export const errorOf = (errors: readonly FormError[], name: string) => errors.find(({ field }) => field === name)?.text

export function signInView({ words, action, csrfToken, values, errors }: FormData): Html {
  const email = typed(values, 'email')
  const fields = [
    emailField({
      words,
      name: 'email',
      label: words.t('sign_in.email'),
      value: email,
      error: errorOf(errors, 'email'),
      // Where nothing is wrong yet, typing can begin at once.
      attributes: { autocomplete: 'username', autofocus: !errors.length },
    }),
    passwordField({
      words,
      name: 'password',
      label: words.t('sign_in.password'),
      autocomplete: 'current-password',
      error: errorOf(errors, 'password'),
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
      value: typed(values, 'name'),
      error: errorOf(errors, 'name'),
      attributes: { autocomplete: 'name' },
    }),
    emailField({
      words,
      name: 'email',
      label: words.t('sign_in.email'),
      help: words.t('sign_in.email_help'),
      value: typed(values, 'email'),
      error: errorOf(errors, 'email'),
      attributes: { autocomplete: 'username' },
    }),
    passwordField({
      words,
      name: 'password',
      label: words.t('sign_in.password'),
      help: words.t('sign_in.password_help', { count: SHORTEST_PASSWORD }),
      autocomplete: 'new-password',
      error: errorOf(errors, 'password'),
    }),
    passwordField({
      words,
      name: 'password_again',
      label: words.t('sign_in.password_again'),
      autocomplete: 'new-password',
      error: errorOf(errors, 'password_again'),
    }),
  ]
  return html`<h1>${words.t('sign_in.first_title')}</h1>
<p>${words.t('sign_in.first_intro')}</p>
${formView({ words, action, csrfToken, submit: words.t('sign_in.first_submit'), fields, errors, guard: false })}`
}

/** A refusal is named after the field that it is about. */
export function administratorErrors(refusals: readonly (AdministratorRefusal | 'email_taken')[], words: Words): FormError[] {
  return refusals.map((refusal) => ({
    field: refusal.split('_')[0],
    text: words.t(`sign_in.${refusal}` as 'sign_in.password_short', { count: SHORTEST_PASSWORD }),
  }))
}

export function deadLinkView(words: Words): Html {
  return html`<h1>${words.t('sign_in.dead_title')}</h1>
<p>${words.t('sign_in.dead_text')}</p>
<p>${linkButtonView({ href: '/accounts/login/', label: words.t('sign_in.submit'), kind: 'primary' })}</p>`
}
