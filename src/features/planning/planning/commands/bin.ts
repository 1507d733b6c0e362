import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { type Entry, record } from '#platform/journal/journal.ts'

const DAY_MS = 24 * 3600_000
const BATCH_SIZE = 20

/** Deleted events can be restored for this many days. */
export const BIN_DAYS = 30

/** Permanently deletes one batch of expired events and returns their number. */
export function emptyBin(db: Kysely<DB>, now: Date): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from event where deleted_at < ${new Date(now.getTime() - BIN_DAYS * DAY_MS)}
      order by id limit ${BATCH_SIZE} for update skip locked`.execute(tx)
    for (const { id } of rows) {
      await tx.deleteFrom('event').where('id', '=', id).execute()
      const entry: Entry = { kind: 'event.removed', subject: { kind: 'event', id }, eventId: id }
      await record(tx, { actor: ANONYMOUS, now, requestId: null }, entry)
    }
    return rows.length
  })
}
