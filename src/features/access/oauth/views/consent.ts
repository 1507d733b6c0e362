import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { addressText } from '#platform/ui/contact.ts'
import { buttonView, csrfField, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { scopeListView } from './scopes.ts'

type ConsentData = {
  words: Words
  csrfToken: string
  action: string
  name: string
  /** The host or the app of the redirect URI. */
  leadsTo: string
  person: string
  email: string
  scopes: readonly string[]
}

export function consentView({ words, csrfToken, action, name, leadsTo, person, email, scopes }: ConsentData): Html {
  return html`<section class="consent"><h1>${words.t('oauth.consent_title', { name })}</h1>
<p>${words.t('oauth.consent_who', { name, person, email: addressText(words, email) })}</p>
<h2>${words.t('oauth.consent_scopes')}</h2>
${scopeListView(words, scopes)}
<p class="consent-host">${iconView('external-link', { size: 18 })}<span>${words.t('oauth.consent_leads')} <strong>${leadsTo}</strong></span></p>
<form method="post" action="${action}">${csrfField(csrfToken)}<div class="consent-answers">${buttonView({ label: words.t('oauth.deny'), kind: 'secondary', name: 'decision', value: 'deny' })}${buttonView({ label: words.t('oauth.allow'), name: 'decision', value: 'allow' })}</div></form>
<p class="help">${words.t('oauth.consent_later')}</p>
${postButtonView({ action: `${action}again/`, csrfToken, label: words.t('oauth.other_person', { person }), kind: 'quiet', small: true })}</section>`
}

/** The application requires a recent sign-in. */
export function signInAgainView({
  words,
  csrfToken,
  action,
  name,
}: Pick<ConsentData, 'words' | 'csrfToken' | 'action' | 'name'>): Html {
  return html`<h1>${words.t('oauth.again_title')}</h1><p>${words.t('oauth.again_text', { name })}</p>
${postButtonView({ action: `${action}again/`, csrfToken, label: words.t('oauth.again_submit'), icon: 'log-in' })}`
}

export function expiredView(words: Words): Html {
  return html`<h1>${words.t('oauth.expired_title')}</h1><p>${words.t('oauth.error_expired')}</p>
<p>${linkButtonView({ href: '/', label: words.t('oauth.to_start'), kind: 'primary' })}</p>`
}

type EndSessionData = Pick<ConsentData, 'words' | 'csrfToken' | 'action'> & { name: string | undefined }

export function endSessionView({ words, csrfToken, action, name }: EndSessionData): Html {
  const text = name === undefined ? words.t('oauth.end_text_unknown') : words.t('oauth.end_text', { name })
  return html`<h1>${words.t('oauth.end_title')}</h1><p>${text}</p>
<div class="button-row">${postButtonView({ action, csrfToken, label: words.t('oauth.end_submit'), icon: 'log-out' })}${linkButtonView({ href: '/', label: words.t('oauth.end_stay'), kind: 'secondary' })}</div>`
}
