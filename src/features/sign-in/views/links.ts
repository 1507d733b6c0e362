import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emailField, passwordField } from '#platform/ui/fields.ts'
import { formView, linkButtonView } from '#platform/ui/form.ts'
import type { LinkPurpose } from '../rules/sessions.ts'
import { newPasswordField, usernameField } from './security.ts'
import { type FormData, getError, getValue } from './sign-in.ts'

const back = (words: Words): Html => html`<p><a href="/accounts/login/">${words.t('reset.back')}</a></p>`

export function resetView({ words, action, csrfToken, values, errors }: FormData): Html {
  const field = emailField({
    words,
    name: 'email',
    label: words.t('sign_in.email'),
    value: getValue(values, 'email'),
    error: getError(errors, 'email'),
    attributes: { autocomplete: 'username', autofocus: !errors.length },
  })
  const submit = { label: words.t('reset.submit'), icon: 'mail' as const }
  return html`<h1>${words.t('reset.title')}</h1>
<p>${words.t('reset.intro')}</p>
${formView({ words, action, csrfToken, submit, fields: field, errors, guard: false })}
${back(words)}`
}

/** The same for known and unknown addresses. */
export function resetSentView({ words, email }: { words: Words; email: string }): Html {
  return html`<h1>${words.t('reset.sent_title')}</h1>
<p>${words.t('reset.sent_text', { email })}</p>
<p class="muted">${words.t('reset.sent_help')}</p>
<p>${linkButtonView({ href: '/accounts/reset/', label: words.t('reset.again') })}</p>
${back(words)}`
}

export type LinkFormData = FormData & { purpose: LinkPurpose; owner: { name: string; email: string } }

export function setPasswordView({ words, action, csrfToken, errors, purpose, owner }: LinkFormData): Html {
  const isWelcome = purpose === 'welcome'
  const fields = [
    usernameField(words, owner.email),
    newPasswordField({ words, label: words.t('security.new'), errors }),
    passwordField({
      words,
      name: 'password_again',
      label: words.t('security.new_again'),
      autocomplete: 'new-password',
      error: getError(errors, 'password_again'),
    }),
  ]
  const submit = words.t(isWelcome ? 'reset.welcome_submit' : 'reset.new_submit')
  return html`<h1>${isWelcome ? words.t('reset.welcome_title', { name: owner.name }) : words.t('reset.new_title')}</h1>
<p>${isWelcome ? words.t('reset.welcome_intro', { email: owner.email }) : words.t('reset.new_intro', { name: owner.name })}</p>
${formView({ words, action, csrfToken, submit, fields, errors, guard: false })}`
}

export function invalidMailLinkView(words: Words, purpose: LinkPurpose): Html {
  return html`<h1>${words.t('reset.dead_title')}</h1>
<p>${words.t(purpose === 'welcome' ? 'reset.welcome_dead' : 'reset.dead_text')}</p>
<p>${linkButtonView({ href: '/accounts/reset/', label: words.t('reset.dead_action'), kind: 'primary' })}</p>
${back(words)}`
}
