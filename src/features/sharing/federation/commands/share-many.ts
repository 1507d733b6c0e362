import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** Of the events in `shown`, exactly `chosen` are shared afterwards; other events stay unchanged. */
type SharesInput = { guestId: number; shown: readonly number[]; chosen: readonly number[] }

/** Returns the number of changed events; undefined: the link has ended. */
export async function shareManyWith(
  context: CommandContext,
  { guestId, shown, chosen }: SharesInput,
): Promise<number | undefined> {
  return transact(context.db, async (tx) => {
    const guest = await tx.selectFrom('federated_guest').select('id').where('id', '=', guestId).forKeyShare().executeTakeFirst()
    if (!guest) return undefined
    // Locks events by id. Skips events that the caller may not change.
    const { rows } = await sql<{ id: number }>`
      select e.id from event e where e.id = any (${shown}::bigint[]) and e.deleted_at is null and ${changeableBy(context.actor)}
      order by e.id for no key update`.execute(tx)
    const had = new Set(
      (await tx.selectFrom('event_share').select('event_id').where('federated_guest_id', '=', guestId).execute()).map(
        ({ event_id }) => event_id,
      ),
    )
    const wanted = new Set(chosen)
    const changed = rows.filter(({ id }) => had.has(id) !== wanted.has(id))
    for (const { id } of changed) {
      const isAdded = wanted.has(id)
      if (isAdded)
        await tx.insertInto('event_share').values({ event_id: id, federated_guest_id: guestId, shared_at: context.now }).execute()
      else await tx.deleteFrom('event_share').where('event_id', '=', id).where('federated_guest_id', '=', guestId).execute()
      const changes = { added: isAdded ? [guestId] : [], removed: isAdded ? [] : [guestId] }
      await record(tx, context, { kind: 'event.shared', subject: { kind: 'event', id }, eventId: id, changes })
    }
    return changed.length
  })
}
