import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** A copy of an event is shared with the same partners. */
export async function copyShares(tx: Tx, { now }: CommandContext, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`insert into event_share (event_id, federated_guest_id, shared_at)
    select ${to}, federated_guest_id, ${now} from event_share where event_id = ${from}`.execute(tx)
}
