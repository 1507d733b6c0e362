import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from '#platform/ui/icon.ts'

/** Search on OpenStreetMap. */
const mapPath = (place: string): string => `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`

export const mapLinkView = (words: Words, place: string): Html =>
  html`<a class="map-link" href="${mapPath(place)}" target="_blank" rel="noreferrer"><span aria-hidden="true">${words.t('find.map')}</span>${iconView('external-link', { size: 14 })}<span class="sr-only">${words.t('find.map_of', { place })}</span></a>`
