import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { LinkPurpose } from '../rules/sessions.ts'
import { linkForm, resetForm } from '../schema.ts'
import { newPasswordDetails, usernameField } from './security.ts'
import { type FormData, focusFirst } from './sign-in.ts'

const back = (words: Words): Html => html`<p><a href="/accounts/login/">${words.t('reset.back')}</a></p>`

export function resetView({ words, action, csrfToken, state }: FormData): Html {
  const form = resetForm.view({
    words,
    action,
    csrfToken,
    state,
    submit: { label: words.t('reset.submit'), icon: 'mail' },
    guard: false,
    layout: (field) => field('email', focusFirst(state)),
  })
  return html`<h1>${words.t('reset.title')}</h1>
<p>${words.t('reset.intro')}</p>
${form}
${back(words)}`
}

/** Without mails, people are told who can help. */
export function resetWithoutMailView(words: Words): Html {
  return html`<h1>${words.t('reset.title')}</h1>
<p>${words.t('reset.intro')}</p>
${back(words)}`
}

/** Does not tell whether the address is known. */
export function resetSentView({ words, email }: { words: Words; email: string }): Html {
  return html`<h1>${words.t('reset.sent_title')}</h1>
<p>${words.t('reset.sent_text', { email })}</p>
<p class="muted">${words.t('reset.sent_help')}</p>
<p>${linkButtonView({ href: '/accounts/reset/', label: words.t('reset.again') })}</p>
${back(words)}`
}

type LinkFormData = FormData & { purpose: LinkPurpose; owner: { name: string; email: string } }

export function setPasswordView({ words, action, csrfToken, state, purpose, owner }: LinkFormData): Html {
  const isWelcome = purpose !== 'reset_password'
  const form = linkForm.view({
    words,
    action,
    csrfToken,
    state,
    submit: words.t(isWelcome ? 'reset.welcome_submit' : 'reset.new_submit'),
    guard: false,
    layout: (field) => [usernameField(words, owner.email), field('password', newPasswordDetails(words)), field('password_again')],
  })
  return html`<h1>${isWelcome ? words.t('reset.welcome_title', { name: owner.name }) : words.t('reset.new_title')}</h1>
<p>${isWelcome ? words.t('reset.welcome_intro', { email: owner.email }) : words.t('reset.new_intro', { name: owner.name })}</p>
${form}`
}

const DEAD = {
  reset_password: 'reset.dead_text',
  welcome: 'reset.welcome_dead',
  invitation: 'reset.invitation_dead',
} as const

export function invalidMailLinkView(words: Words, purpose: LinkPurpose): Html {
  return html`<h1>${words.t('reset.dead_title')}</h1>
<p>${words.t(DEAD[purpose])}</p>
<p>${linkButtonView({ href: '/accounts/reset/', label: words.t('reset.dead_action'), kind: 'primary' })}</p>
${back(words)}`
}
