import { sql } from 'kysely'
import { deleteCommentsOfGuests, replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { giveUpPlaces } from '#features/staffing/participations/commands/departures.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'
import { lockManagedEvent } from './share.ts'

/**
 * Deletes guests and what is personal about them. Participations stay without the name, so counts stay right; places ahead become
 * free. The caller holds the locks of the guests and records the entry.
 */
export async function deleteGuestRows(
  tx: Tx,
  context: CommandContext,
  { eventId, guestIds }: { eventId: number; guestIds: readonly number[] },
): Promise<void> {
  const { site } = context
  for (const id of guestIds) await giveUpPlaces(tx, context, { who: { kind: 'guest', id }, cause: 'guest_deleted' })
  await deleteCommentsOfGuests(tx, guestIds)
  const name = wordsFor(site.defaultLanguage ?? 'en', site.timeZone).t('guests.former')
  await replaceByPlaceholders(tx, { kind: 'guest', ids: guestIds, name })
  await tx.deleteFrom('guest').where('event_id', '=', eventId).where('id', 'in', guestIds).execute()
}

/** Undefined: the guest is not of this event, or the actor may not change it. */
export async function removeGuest(
  context: CommandContext,
  { eventId, guestId }: { eventId: number; guestId: number },
): Promise<{ name: string } | undefined> {
  return transact(context.db, async (tx) => {
    const guest = await tx
      .selectFrom('guest')
      .select(['id', 'display_name'])
      .where('id', '=', guestId)
      .where('event_id', '=', eventId)
      .forUpdate()
      .executeTakeFirst()
    if (!guest || !(await lockManagedEvent(tx, context, eventId))) return undefined
    await deleteGuestRows(tx, context, { eventId, guestIds: [guestId] })
    await record(tx, context, { kind: 'guest.removed', subject: { kind: 'guest', id: guestId }, eventId })
    return { name: guest.display_name }
  })
}

/** Of guests as `g` of an event as `e`. */
const isFormer = (before: Date) => sql<boolean>`coalesce(e.end_time, g.created_at) < ${before}`

/** Deletes guests of events that ended before this day. One transaction per event. Returns the number of guests. */
export async function deleteFormerGuests(context: Omit<CommandContext, 'actor'>, before: Date): Promise<number> {
  const { rows: events } = await sql<{ id: number }>`
    select distinct e.id from guest g join event e on e.id = g.event_id where ${isFormer(before)} order by e.id`.execute(
    context.db,
  )
  let deleted = 0
  for (const { id } of events) deleted += await deleteGuestsOf({ ...context, actor: ANONYMOUS }, id, before)
  return deleted
}

async function deleteGuestsOf(context: CommandContext, eventId: number, before: Date): Promise<number> {
  return transact(context.db, async (tx) => {
    // The event may have been moved to a later day meanwhile, so its end is read again.
    const { rows } = await sql<{ id: number }>`
      select g.id from guest g join event e on e.id = g.event_id where e.id = ${eventId} and ${isFormer(before)}
      order by g.id for update of g`.execute(tx)
    if (!rows.length) return 0
    await deleteGuestRows(tx, context, { eventId, guestIds: rows.map(({ id }) => id) })
    await record(tx, context, {
      kind: 'event.guests_expired',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { count: rows.length },
    })
    return rows.length
  })
}
