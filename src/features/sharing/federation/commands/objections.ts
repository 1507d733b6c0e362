import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { askSoon } from './host-updates.ts'

/** A request to a host that is under way stores what it brings before or sees the objection. */
const waitForSyncs = (tx: Tx): Promise<unknown> => sql`select id from federated_host order by id for update`.execute(tx)

/** The caller objects to what hosts tell about them, or allows it again. False: nothing changed. */
export async function setObjection(context: CommandContext, objects: boolean, wait = waitForSyncs): Promise<boolean> {
  const { actor, now } = context
  if (actor.kind !== 'user') return false
  const { userId } = actor
  const hosts = await transact(context.db, async (tx) => {
    await wait(tx)
    const { numAffectedRows } = objects
      ? await sql`insert into partner_objection (user_id, objected_at) values (${userId}, ${now}) on conflict do nothing`.execute(
          tx,
        )
      : await sql`delete from partner_objection where user_id = ${userId}`.execute(tx)
    if (!numAffectedRows) return undefined
    if (objects) {
      await tx.deleteFrom('participation_abroad').where('user_id', '=', userId).execute()
      await tx.deleteFrom('partner_hours').where('user_id', '=', userId).execute()
    }
    // What hosts told meanwhile was not stored, so they tell all of it again.
    else await tx.updateTable('host_updates').set({ cursor: null }).execute()
    await record(tx, context, {
      kind: objects ? 'user.objected_to_partners' : 'user.allowed_partners',
      subject: { kind: 'user', id: userId },
    })
    const { rows } = await sql<{ id: number }>`
      select h.id from federated_host h join oauth_consent c on c.application_id = h.application_id
      where c.user_id = ${userId}`.execute(tx)
    return rows.map(({ id }) => id)
  })
  if (!hosts) return false
  await askSoon(context, hosts)
  return true
}
