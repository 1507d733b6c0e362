import { type Kysely, sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** `email`: the address that the mail went to. False: the guest is gone or has another address. */
export async function recordGuestMailFailure(
  context: Omit<CommandContext, 'actor'>,
  { guestId, email, reason }: { guestId: number; email: string; reason: string },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const guest = await tx
      .selectFrom('guest')
      .select(['email', 'event_id', 'mail_failed_at'])
      .where('id', '=', guestId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!guest || guest.email.toLowerCase() !== email.toLowerCase()) return false
    await tx.updateTable('guest').set({ mail_failed_at: context.now, mail_failure: reason }).where('id', '=', guestId).execute()
    if (guest.mail_failed_at) return true
    await record(
      tx,
      { ...context, actor: ANONYMOUS },
      { kind: 'guest.mail_failed', subject: { kind: 'guest', id: guestId }, eventId: guest.event_id },
    )
    return true
  })
}

/** The server of the recipient took a later mail. */
export async function clearGuestMailFailure(db: Kysely<DB>, guestId: number): Promise<void> {
  await sql`update guest set mail_failed_at = null, mail_failure = null where id = ${guestId} and mail_failed_at is not null`.execute(
    db,
  )
}
