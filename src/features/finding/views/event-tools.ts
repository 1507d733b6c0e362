import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { IconName } from '#platform/ui/icon.ts'

type Tool = { href: string; label: string; icon: IconName }
export type EventTools = {
  words: Words
  eventId: number
  mayChange: boolean
  isDraft: boolean
  hasShifts: boolean
}

/** What can be done with an event besides changing it. One more is one more line. */
export function eventToolsView({ words, eventId, mayChange, isDraft, hasShifts }: EventTools): Html | false {
  const at = (what: string) => `/events/${eventId}/${what}`
  const planned: Tool[] = [
    { href: at('board/'), label: words.t('find.disposition'), icon: 'list-checks' },
    { href: at('roster/'), label: words.t('find.roster'), icon: 'printer' },
    { href: at('message/'), label: words.t('find.message'), icon: 'send' },
  ]
  const tools: Tool[] = [
    { href: at('calendar.ics'), label: words.t('find.add_to_calendar'), icon: 'calendar-plus' },
    ...(mayChange ? planned : []),
  ]
  if (isDraft || !hasShifts) return false
  return html`<ul class="event-tools" role="list">${tools.map((tool) => html`<li>${linkButtonView({ ...tool, kind: 'quiet', small: true })}</li>`)}</ul>`
}

export const dispositionPath = (shiftId: number): string => `/shifts/${shiftId}/disposition/`

/** Where a place is, on a map of the whole world that anybody may look at. */
export const mapPath = (place: string): string => `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`
