import { wireTime } from '#platform/http/time-format.ts'
import { type FeedState, formatCursor } from '../rules/cursor.ts'
import type { SeenChange } from './changes.ts'

/** A change as the API and webhooks tell it. */
export const presentChange = (
  { position, kind, recordId, what, cause, at }: SeenChange,
  { id }: Pick<FeedState, 'id'>,
  zone: string,
) => ({
  cursor: formatCursor({ id }, position),
  kind,
  id: recordId,
  version: position,
  what,
  cause,
  at: wireTime(at, zone),
})
