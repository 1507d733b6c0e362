import { type Kysely, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { LinkedEvent, Registration } from '../rules/guest-links.ts'

/** The event that a registration link of ephios leads to. Undefined if the link is unknown or the event is not open to guests. */
export async function getEventOfShare(db: Kysely<DB>, eventId: number, token: string): Promise<LinkedEvent | undefined> {
  return db
    .selectFrom('guest_share')
    .innerJoin('event', 'event.id', 'guest_share.event_id')
    .select(['event.title', 'event.start_time as start', 'event.end_time as end'])
    .where('guest_share.event_id', '=', eventId)
    .where('guest_share.token_hash', '=', hashSecret(token))
    .where('guest_share.active', '=', true)
    .where('event.listed', '=', true)
    .executeTakeFirst()
}

/** The event and the registrations of the guest with this link of ephios. Undefined if the link is unknown or the event deleted. */
export async function getGuestOfLink(
  db: Kysely<DB>,
  token: string,
): Promise<{ event: LinkedEvent; registrations: Registration[] } | undefined> {
  const found = await db
    .selectFrom('guest')
    .innerJoin('event', 'event.id', 'guest.event_id')
    .select(['guest.id', 'event.title', 'event.start_time as start', 'event.end_time as end'])
    .where('guest.access_token_hash', '=', hashSecret(token))
    .where('event.listed', '=', true)
    .executeTakeFirst()
  if (!found) return undefined
  const { id, ...event } = found
  const { rows } = await sql<Registration>`
    select s.label, p.start_time as start, p.end_time as end, p.state
    from participation p join shift s on s.id = p.shift_id where p.guest_id = ${id} order by p.start_time, p.id`.execute(db)
  return { event, registrations: rows }
}
