import { eventPath } from '#features/events/rules/slug.ts'
import type { Told } from './relevance.ts'

/** A page that the reader can open; its label is a text of the room `notification`. */
export type Link = { path: string; label: 'open' | 'open_board' | 'open_events' }

/** `federatedGuestId`: the reader is a visitor, who comes by the page of the partner. Guests without an account have no page yet. */
export function linkOf(
  { kind, event, shift }: Told,
  reader: { isUser: boolean; federatedGuestId: number | undefined },
): Link | undefined {
  if (!event) return undefined
  if (!reader.isUser) {
    const isOpen = event.isListed && reader.federatedGuestId !== undefined
    return isOpen ? { path: `/events/shared/${event.id}/${reader.federatedGuestId}/`, label: 'open' } : undefined
  }
  if (!event.isShown) return { path: '/events/', label: 'open_events' }
  if (kind === 'participation_request' && shift && event.isResponsible)
    return { path: `/shifts/${shift.id}/disposition/`, label: 'open_board' }
  return { path: eventPath(event.id, event.title), label: 'open' }
}
