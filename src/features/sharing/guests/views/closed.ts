import { shortStateBadge } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { OwnPlace } from '../rules.ts'

type ClosedData = {
  words: Words
  now: Date
  text: string
  /** The event, if the reader may know about it. */
  event?: { title: string; start: Date | null; end: Date | null } | undefined
  places?: readonly OwnPlace[]
  note?: string | undefined
  hasImprint: boolean
}

/** A link that does not work: why, and what to do. */
export function closedView({ words, now, text, event, places = [], note, hasImprint }: ClosedData): Html {
  return html`<h1>${words.t('guests.closed_title')}</h1>
${event && html`<p><strong>${event.title}</strong>${event.start && event.end && html`, ${words.span(event.start, event.end, now)}`}</p>`}
<p>${text}</p>
${
  places.length > 0 &&
  html`<p>${words.t('guests.personal_places')}</p>
<ul>${places.map(({ label, start, end, state }) => html`<li>${label && `${label}, `}${words.span(start, end, now)}: ${shortStateBadge(words, state, end < now)?.text}</li>`)}</ul>`
}
${note && html`<p>${note}</p>`}
<p>${hasImprint ? html`${words.t('guests.contact_imprint')} <a href="/imprint/">${words.t('instance.imprint')}</a>.` : words.t('guests.contact')}</p>`
}
