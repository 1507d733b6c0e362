import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { addressText } from '#platform/ui/contact.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { deviceForm } from '../schema.ts'
import { scopeListView } from './scopes.ts'

type DeviceFormData = { words: Words; csrfToken: string; action: string; state: FormState }

export function deviceCodeView({ words, ...form }: DeviceFormData): Html {
  return html`<h1>${words.t('oauth.device_title')}</h1><p>${words.t('oauth.device_intro')}</p>
${deviceForm.view({ words, ...form, submit: words.t('oauth.device_next'), layout: (field) => [field('user_code')] })}`
}

type DeviceConsentData = Omit<DeviceFormData, 'state'> & {
  name: string
  userCode: string
  person: string
  email: string
  scopes: readonly string[]
}

export function deviceConsentView({ words, csrfToken, action, name, userCode, person, email, scopes }: DeviceConsentData): Html {
  return html`<section class="consent"><h1>${words.t('oauth.consent_title', { name })}</h1>
<p>${words.t('oauth.device_who', { name, person, email: addressText(words, email) })}</p>
<p class="device-code">${userCode}</p>
<p>${words.t('oauth.device_compare')}</p>
<h2>${words.t('oauth.consent_scopes')}</h2>
${scopeListView(words, scopes)}
<form method="post" action="${action}">${csrfField(csrfToken)}<input type="hidden" name="user_code" value="${userCode}"><div class="consent-answers">${buttonView({ label: words.t('oauth.deny'), kind: 'secondary', name: 'decision', value: 'deny' })}${buttonView({ label: words.t('oauth.allow'), name: 'decision', value: 'allow' })}</div></form>
<p class="help">${words.t('oauth.consent_later')}</p></section>`
}

export function deviceDoneView(words: Words, name: string, { isAllowed }: { isAllowed: boolean }): Html {
  return html`<h1>${words.t(isAllowed ? 'oauth.device_allowed' : 'oauth.device_denied')}</h1>
<p>${words.t(isAllowed ? 'oauth.device_allowed_text' : 'oauth.device_denied_text', { name })}</p>
<p>${linkButtonView({ href: '/', label: words.t('oauth.to_start'), kind: 'primary' })}</p>`
}
