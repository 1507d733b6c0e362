import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import type { AccountPlace } from '../rules.ts'

/** The places that become free when an account is closed. */
export function placesView(words: Words, places: readonly AccountPlace[], now: Date): Html {
  const placeView = ({ start, end, isConfirmed, shift, event }: AccountPlace) => {
    const title = event ? html`<a href="${event.href}">${event.title}</a>` : words.t('people.place_hidden')
    const state = isConfirmed
      ? badgeView({ tone: 'good', text: words.t('people.place_confirmed') })
      : badgeView({ tone: 'warn', text: words.t('people.place_requested') })
    return html`<li>${title}<br><span class="muted">${words.span(start, end, now)}${shift && html`, ${shift}`}</span> ${state}</li>`
  }
  return html`<h2>${words.t('people.places')}</h2><ul>${places.map(placeView)}</ul>`
}
