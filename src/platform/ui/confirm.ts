import type { Child, Html } from '#platform/html/html.ts'
import { html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type ButtonData, buttonView, csrfField, linkButtonView } from './form.ts'
import { iconView } from './icon.ts'

export type ConfirmData = {
  words: Words
  /** The question, as the page's h1: “Delete City marathon?” */
  title: string
  text?: string | undefined
  /** The consequences, one sentence each. */
  consequences: readonly string[]
  /** Shown below the consequences, for example a list of what is affected. */
  details?: Html | undefined
  action: string
  csrfToken: string
  submit: string
  /** Red button, for actions that cannot be undone. */
  danger?: boolean | undefined
  cancel: { href: string; label?: string | undefined }
  fields?: Record<string, string | number> | undefined
  /** Visible fields above the buttons. */
  inputs?: Child
}

export function confirmView({
  words,
  title,
  text,
  consequences,
  details,
  action,
  csrfToken,
  submit,
  danger = true,
  cancel,
  fields = {},
  inputs,
}: ConfirmData): Html {
  const button: ButtonData = { label: submit, kind: danger ? 'danger' : 'primary' }
  return html`<section class="confirm"><span class="confirm-icon tone-${danger ? 'bad' : 'info'}">${iconView(danger ? 'triangle-alert' : 'circle-question-mark', { size: 24 })}</span>
<h1>${title}</h1>${text && html`<p>${text}</p>`}
<h2>${words.t('ui.consequences')}</h2><ul>${consequences.map((sentence) => html`<li>${sentence}</li>`)}</ul>${details}
<form method="post" action="${action}">${csrfField(csrfToken)}${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${inputs}<div class="form-actions">${buttonView(button)}${linkButtonView({ href: cancel.href, label: cancel.label ?? words.t('ui.cancel'), kind: 'quiet' })}</div></form></section>`
}
