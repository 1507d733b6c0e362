/** A place in the feed: after all changes up to this position. */
export type FeedState = { id: string; position: number; removedThrough: number }

const FEED_DIGITS = 12

/** The id of the feed is part of it, so that a cursor is worthless at another feed. */
export const formatCursor = (feed: Pick<FeedState, 'id'>, position: number): string =>
  `${feedPart(feed)}-${position.toString(36)}`

const feedPart = ({ id }: Pick<FeedState, 'id'>): string => id.replaceAll('-', '').slice(0, FEED_DIGITS)

/** Everything that is kept. */
export const START = 'start'

const CURSOR = /^([0-9a-f]{12})-([0-9a-z]{1,10})$/

export const isCursor = (text: string): boolean => text === START || CURSOR.test(text)

/** Undefined if the changes after the cursor are no longer known: it is too old, or of another feed. */
export function readCursor(text: string, feed: FeedState): number | undefined {
  if (text === START) return feed.removedThrough
  const [, of, digits] = CURSOR.exec(text) ?? []
  const position = Number.parseInt(digits ?? '', 36)
  const isKnown = of === feedPart(feed) && position >= feed.removedThrough && position <= feed.position
  return isKnown ? position : undefined
}
