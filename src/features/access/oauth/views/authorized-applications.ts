import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { postButtonView } from '#platform/ui/form.ts'
import type { AuthorizedApplication } from '../queries/accounts.ts'
import { scopeListView } from './scopes.ts'

export function authorizedApplicationsView({
  words,
  csrfToken,
  applications,
}: {
  words: Words
  csrfToken: string
  applications: readonly AuthorizedApplication[]
}): Html {
  if (!applications.length) return emptyView({ icon: 'shield-check', text: words.t('oauth.granted_empty') })
  return html`<p>${words.t('oauth.granted_intro')}</p><div class="granted">${applications.map((application) => authorizedApplicationCard(words, csrfToken, application))}</div>`
}

function authorizedApplicationCard(
  words: Words,
  csrfToken: string,
  { id, name, scopes, redirectUris, grantedAt, lastUsedAt }: AuthorizedApplication,
): Html {
  const hosts = [...new Set(redirectUris.map((uri) => URL.parse(uri)?.host ?? uri))]
  const used = lastUsedAt ? words.t('oauth.granted_used', { date: words.date(lastUsedAt) }) : words.t('oauth.granted_never')
  const facts = [words.list(hosts), words.t('oauth.granted_since', { date: words.date(grantedAt) }), used]
  return cardView({
    title: name,
    body: html`<p class="facts">${facts.join(' · ')}</p><p>${words.t('oauth.granted_may')}</p>${scopeListView(words, scopes)}`,
    footer: postButtonView({
      action: `/settings/applications/${id}/revoke/`,
      csrfToken,
      label: words.t('oauth.revoke_named', { name }),
      kind: 'secondary',
      small: true,
      icon: 'circle-x',
    }),
  })
}
