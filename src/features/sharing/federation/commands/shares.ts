import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** Shares an event with exactly these instances. Call it in the command that saves the event, under its lock. */
export async function shareEventWith(
  tx: Tx,
  context: CommandContext,
  eventId: number,
  guestIds: readonly number[],
): Promise<void> {
  const known = await tx.selectFrom('federated_guest').select('id').forKeyShare().execute()
  const wanted = new Set(known.map(({ id }) => id).filter((id) => guestIds.includes(id)))
  const before = await tx.selectFrom('event_share').select('federated_guest_id').where('event_id', '=', eventId).execute()
  const had = new Set(before.map(({ federated_guest_id }) => federated_guest_id))
  const added = [...wanted].filter((id) => !had.has(id))
  const removed = [...had].filter((id) => !wanted.has(id))
  if (!added.length && !removed.length) return
  if (removed.length)
    await tx.deleteFrom('event_share').where('event_id', '=', eventId).where('federated_guest_id', 'in', removed).execute()
  if (added.length)
    await tx
      .insertInto('event_share')
      .values(added.map((federated_guest_id) => ({ event_id: eventId, federated_guest_id, shared_at: context.now })))
      .execute()
  await record(tx, context, {
    kind: 'event.shared',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { added, removed },
  })
}
