import type { AccountPlace, Mention, PlaceAtPartner } from '#features/accounts/users/rules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'

const stateView = (words: Words, isConfirmed: boolean): Html =>
  isConfirmed
    ? badgeView({ tone: 'good', text: words.t('people.place_confirmed') })
    : badgeView({ tone: 'warn', text: words.t('people.place_requested') })

/** Places that partner instances keep, so that somebody tells them. */
export function partnerPlacesView(words: Words, places: readonly PlaceAtPartner[], now: Date): Html {
  const placeView = ({ host, title, shift, start, end, isConfirmed }: PlaceAtPartner) =>
    html`<li>${title} (${host})<br><span class="muted">${words.span(start, end, now)}${shift && html`, ${shift}`}</span> ${stateView(words, isConfirmed)}</li>`
  return html`<h2>${words.t('people.places_at_partners')}</h2><p>${words.t('people.places_at_partners_text')}</p><ul>${places.map(placeView)}</ul>`
}

/** The places that become free when an account is closed. */
export function placesView(words: Words, places: readonly AccountPlace[], now: Date): Html {
  const placeView = ({ start, end, isConfirmed, shift, event }: AccountPlace) => {
    const title = event ? html`<a href="${event.href}">${event.title}</a>` : words.t('people.place_hidden')
    return html`<li>${title}<br><span class="muted">${words.span(start, end, now)}${shift && html`, ${shift}`}</span> ${stateView(words, isConfirmed)}</li>`
  }
  return html`<h2>${words.t('people.places')}</h2><ul>${places.map(placeView)}</ul>`
}

const MENTION_PATHS = { event: '/events/', page: '/manage/pages/', instance: '/manage/instance/' } as const

/** Texts that name a person who is to be deleted; somebody has to change them. */
export const mentionsView = (words: Words, mentions: readonly Mention[]): Html =>
  html`<h2>${words.t('people.mentions')}</h2><p>${words.t('people.mentions_help')}</p><ul>${mentions.map(
    ({ kind, id, title }) => {
      const href = id === null ? MENTION_PATHS[kind] : `${MENTION_PATHS[kind]}${id}/`
      return html`<li><a href="${href}">${title || words.t('people.mention_instance')}</a></li>`
    },
  )}</ul>`
