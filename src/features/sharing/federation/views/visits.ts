import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

type Home = { id: number; name: string; url: string }

/** Partners store the URLs of events, so these must not change. */
export const visitLinks = (guestId: number) => ({
  event: (id: number) => `/events/shared/${id}/${guestId}/`,
  signup: (shiftId: number) => `/shifts/shared/${shiftId}/${guestId}/signup/`,
  decline: (shiftId: number) => `/shifts/shared/${shiftId}/${guestId}/decline/`,
  undo: (shiftId: number) => `/shifts/shared/${shiftId}/${guestId}/undo/`,
})

const endVisitPath = (guestId: number): string => `/visits/${guestId}/end/`
/** All instances list external events at this path. */
export const homeListUrl = ({ url }: Pick<Home, 'url'>): string => `${url}/events/external/`

/** `tells`: also lists the personal data that the home instance shared. */
type BannerData = { words: Words; csrfToken: string; name: string; home: Home; tells: boolean }

export function visitBannerView({ words, csrfToken, name, home, tells }: BannerData): Html {
  return html`<aside class="visit-banner" aria-label="${words.t('visit.label')}">
<span class="visit-icon">${iconView('handshake')}</span>
<div class="visit-text"><p class="visit-title">${words.t('visit.here_as', { name, home: home.name })}</p>${tells && html`<p class="visit-told">${words.t('visit.told', { home: home.name })}</p>`}</div>
<div class="visit-actions">${linkButtonView({ href: homeListUrl(home), label: words.t('visit.back', { home: home.name }), kind: 'quiet', icon: 'arrow-left', small: true })}${postButtonView({ action: endVisitPath(home.id), csrfToken, label: words.t('visit.end'), kind: 'quiet', icon: 'log-out', small: true })}</div></aside>`
}

/** For a callback without a valid sign-in of this browser. */
export const expiredSignInView = ({ words }: { words: Words }): Html =>
  html`<h1>${words.t('visit.stranger_title')}</h1><p>${words.t('visit.stranger_text')}</p>`

export function homeUnreachableView({ words, home, again }: { words: Words; home: string; again: string }): Html {
  return html`<h1>${words.t('visit.silent_title')}</h1><p>${words.t('visit.silent_text', { home })}</p>
<p>${linkButtonView({ href: again, label: words.t('visit.again'), kind: 'primary', icon: 'refresh-cw' })}</p>`
}
