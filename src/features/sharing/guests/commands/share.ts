import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

const TOKEN_LENGTH = 40

export function makeToken({ site }: Pick<CommandContext, 'site'>): { token: string; hash: Buffer; sealed: string } {
  const token = randomSecret(TOKEN_LENGTH)
  return { token, hash: hashSecret(token), sealed: site.keyring.seal(token) }
}

/** Locks an event that the actor may change, before its share and guests are changed. */
export async function lockManagedEvent(tx: Tx, { actor }: CommandContext, eventId: number): Promise<boolean> {
  return rowsOf(tx).exists(sql`
    select from event e where e.id = ${eventId} and e.deleted_at is null and ${changeableBy(actor)} for no key update`)
}

/** Called in the command that saves the event, under its lock. Sign-ups of guests that are running finish first. */
export async function setGuestShare(tx: Tx, context: CommandContext, eventId: number, isActive: boolean): Promise<boolean> {
  const share = await tx.selectFrom('guest_share').select('active').where('event_id', '=', eventId).forUpdate().executeTakeFirst()
  if ((share?.active ?? false) === isActive) return false
  if (share) await tx.updateTable('guest_share').set({ active: isActive }).where('event_id', '=', eventId).execute()
  else await insertShare(tx, context, eventId, true)
  await record(tx, context, {
    kind: isActive ? 'event.guest_link_activated' : 'event.guest_link_deactivated',
    subject: { kind: 'event', id: eventId },
    eventId,
  })
  return true
}

/** Undefined: the actor may not change the event. */
export async function switchGuestShare(
  context: CommandContext,
  eventId: number,
  isActive: boolean,
): Promise<{ isChanged: boolean } | undefined> {
  return transact(context.db, async (tx) => {
    if (!(await lockManagedEvent(tx, context, eventId))) return undefined
    return { isChanged: await setGuestShare(tx, context, eventId, isActive) }
  })
}

/** A new link; the one before stops working. Personal links of guests stay. False: the actor may not change the event. */
export async function renewGuestShare(context: CommandContext, eventId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    if (!(await lockManagedEvent(tx, context, eventId))) return false
    const { hash, sealed } = makeToken(context)
    const { numUpdatedRows } = await tx
      .updateTable('guest_share')
      .set({ token_hash: hash, token_sealed: sealed, active: true })
      .where('event_id', '=', eventId)
      .executeTakeFirst()
    if (!numUpdatedRows) return false
    await record(tx, context, { kind: 'event.guest_link_renewed', subject: { kind: 'event', id: eventId }, eventId })
    return true
  })
}

/** The copy of an event gets a token of its own: the link to the original must not open the copy. */
export async function copyGuestShare(tx: Tx, context: CommandContext, { from, to }: { from: number; to: number }): Promise<void> {
  const share = await tx.selectFrom('guest_share').select('active').where('event_id', '=', from).executeTakeFirst()
  if (share) await insertShare(tx, context, to, share.active)
}

async function insertShare(tx: Tx, context: CommandContext, eventId: number, active: boolean): Promise<void> {
  const { hash, sealed } = makeToken(context)
  await tx.insertInto('guest_share').values({ event_id: eventId, token_hash: hash, token_sealed: sealed, active }).execute()
}
