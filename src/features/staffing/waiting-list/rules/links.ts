/** What a link is bound to: one offer to one person about one shift. */
export type OfferLink = { kind: 'waiting_list' | 'stand_in' | 'swap'; id: number; userId: number; shiftId: number }

const LETTERS = { waiting_list: 'w', stand_in: 's', swap: 'x' } as const
const KINDS: Readonly<Record<string, OfferLink['kind']>> = { w: 'waiting_list', s: 'stand_in', x: 'swap' }

/** Names the purpose, so that a signature made for something else cannot be used here. */
export const textToSign = ({ kind, id, userId, shiftId }: OfferLink): string =>
  `answer to offer ${kind} ${id} ${userId} ${shiftId}`

export const formatToken = ({ kind, id }: OfferLink, signature: string): string => `${LETTERS[kind]}${id}.${signature}`

/** Undefined if the token is malformed. The signature is not checked here. */
export function parseToken(token: string): { kind: OfferLink['kind']; id: number } | undefined {
  const [, letter = '', id] = /^([a-z])([1-9]\d{0,14})\.[\w-]{43}$/.exec(token) ?? []
  const kind = KINDS[letter]
  return kind && id !== undefined ? { kind, id: Number(id) } : undefined
}

export const offerPath = (token: string): string => `/offered/${token}/`
export const offerCalendarPath = (token: string): string => `/offered/${token}/calendar.ics`
export const waitingListPath = (shiftId: number): string => `/shifts/${shiftId}/line/`
export const joinPath = (shiftId: number): string => `${waitingListPath(shiftId)}join/`
export const leavePath = (shiftId: number): string => `${waitingListPath(shiftId)}leave/`
export const returnPath = (shiftId: number): string => `${waitingListPath(shiftId)}return/`
export const offerEntryPath = (shiftId: number, entryId: number): string => `${waitingListPath(shiftId)}${entryId}/offer/`
export const removeEntryPath = (shiftId: number, entryId: number): string => `${waitingListPath(shiftId)}${entryId}/remove/`

export type ShiftName = { label: string; eventTitle: string }
export const shiftNameOf = ({ label, eventTitle }: ShiftName): string => (label ? `${eventTitle}, ${label}` : eventTitle)
