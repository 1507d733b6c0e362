import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type ButtonData, buttonView, csrfField } from '#platform/ui/form.ts'

type PasskeyFormData = {
  words: Words
  action: string
  csrfToken: string
  /** Where the script gets the challenge. */
  options: string
  create?: boolean
  /** Also offers passkeys in the list of the e-mail field. */
  inField?: boolean
  fields?: Child
  submit: ButtonData
}

/** Shown and sent by `passkeys.js`. */
export function passkeyFormView({ words, action, csrfToken, options, create, inField, fields, submit }: PasskeyFormData): Html {
  const data = { 'data-passkey': create ? 'create' : 'get', 'data-options': options, 'data-in-field': inField }
  const texts = {
    'data-cancelled': words.t('factor.passkey_cancelled'),
    'data-failed': words.t('factor.passkey_failed'),
    'data-known': create && words.t('factor.passkey_known'),
  }
  return html`<form class="form" method="post" action="${action}" hidden ${attrs(data)}>${csrfField(csrfToken)}<input type="hidden" name="state"><input type="hidden" name="response">${fields}
<p class="field-error" role="alert" tabindex="-1" data-passkey-error hidden ${attrs(texts)}></p>
<div class="form-actions">${buttonView(submit)}</div></form>`
}

/** For browsers without scripts or without passkeys; the script hides it in others. */
export const passkeyMissingView = (text: Child): Html => html`<p class="muted" data-passkey-missing>${text}</p>`
