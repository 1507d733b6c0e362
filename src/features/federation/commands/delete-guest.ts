import { sql } from 'kysely'
import { replaceVisitorsByPlaceholders } from '#features/participations/commands/cascades.ts'
import { removeVisitors } from '#features/participations/commands/visitors.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

export type GuestDeleted = { ok: true } | { ok: false; reason: 'unknown_guest' }

/** Ends the link to a partner that gets events of ours: its token, shares and people go, their places stay. */
export async function deleteGuest(context: CommandContext, guestId: number): Promise<GuestDeleted> {
  return transact(context.db, async (tx) => {
    // Holds off new visitors and a second deletion; then visitors by id, then events by id, as everywhere.
    const guest = await tx
      .selectFrom('federated_guest')
      .select(['name', 'url'])
      .where('id', '=', guestId)
      .forUpdate()
      .executeTakeFirst()
    if (!guest) return { ok: false, reason: 'unknown_guest' }
    const { rows: visitors } = await sql<{ id: number }>`
      select id from visitor where federated_guest_id = ${guestId} order by id for update`.execute(tx)
    const { participations } = await replaceVisitorsByPlaceholders(tx, {
      visitorIds: visitors.map(({ id }) => id),
      name: `Former guest of ${guest.name}`,
    })
    await removeVisitors(tx, guestId)
    await tx.deleteFrom('event_share').where('federated_guest_id', '=', guestId).execute()
    // Its tokens go with it by their foreign key.
    await tx.deleteFrom('federated_guest').where('id', '=', guestId).execute()
    await record(tx, context, {
      kind: 'federated_guest.deleted',
      subject: { kind: 'federated_guest', id: guestId },
      changes: { name: guest.name, url: guest.url, visitors: visitors.length, participations },
    })
    return { ok: true }
  })
}
