/** A place in what a host tells a guest. `feedId`: positions of another feed mean nothing. */
export type Cursor = { feedId: string; position: number }

export const writeCursor = ({ feedId, position }: Cursor): string => `${feedId}.${position}`

export function readCursor(text: string): Cursor | undefined {
  const found = /^(?<feedId>[0-9a-f-]{36})\.(?<position>0|[1-9]\d{0,14})$/.exec(text)?.groups
  return found && { feedId: found.feedId!, position: Number(found.position) }
}

/** Positions after this one are missing at the guest; undefined: it has to begin from the start. */
export function placeOf(feed: Cursor, text: string | undefined): number | undefined {
  const cursor = text === undefined ? undefined : readCursor(text)
  return cursor && cursor.feedId === feed.feedId && cursor.position <= feed.position ? cursor.position : undefined
}

/** A notice about this place is news for a guest that has reached `known`. */
export function isNews(noticed: Cursor, known: string | null): boolean {
  const cursor = known === null ? undefined : readCursor(known)
  return cursor?.feedId !== noticed.feedId || noticed.position > cursor.position
}
