import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { requireGuestId } from '../access.ts'
import { readToldChanges, type ToldChanges } from '../queries/updates.ts'
import { placeOf, writeCursor } from '../rules/cursor.ts'
import { forgetGone, numberChanges } from './guest-updates.ts'

const MOST_RECORDS = 500

type Told = Omit<ToldChanges, 'position'> & { cursor: string; isFromStart: boolean }

/** What changed for the guest since its cursor, also if nobody has told it yet. Undefined: it has not asked to be told. */
export async function tellChanges(
  context: CommandContext,
  after: string | undefined,
  limit = MOST_RECORDS,
): Promise<Told | undefined> {
  const guestId = requireGuestId(context.actor)
  return transact(context.db, async (tx) => {
    const feed = await numberChanges(tx, guestId, context.now)
    if (!feed) return undefined
    const place = placeOf(feed, after)
    if (place !== undefined) await forgetGone(tx, guestId, place)
    const isFromStart = place === undefined
    const asked = { guestId, after: place ?? 0, isFromStart, last: feed.position, limit, now: context.now }
    const { position, ...changes } = await readToldChanges(tx, asked)
    return { ...changes, cursor: writeCursor({ feedId: feed.feedId, position }), isFromStart }
  })
}
