import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { sharedWith } from '../access.ts'

export async function isSharedWith(db: Kysely<DB>, eventId: number, guestId: number): Promise<boolean> {
  const { rows } = await sql`select from event e where e.id = ${eventId} and ${sharedWith(guestId)}`.execute(db)
  return rows.length > 0
}

/** The event of a shift, if it is shared with this instance. */
export async function getSharedEventOf(db: Kysely<DB>, shiftId: number, guestId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${sharedWith(guestId)}`.execute(db)
  return rows[0]?.id
}

type ShareSwitch = { guestId: number; name: string; isShared: boolean }

/** All guest instances, and whether the event is shared with them. `eventId` undefined: a new event. */
export async function findShareSwitches(db: Kysely<DB>, eventId: number | undefined): Promise<ShareSwitch[]> {
  const { rows } = await sql<ShareSwitch>`
    select g.id as "guestId", g.name, s.event_id is not null as "isShared"
    from federated_guest g left join event_share s on s.federated_guest_id = g.id and s.event_id = ${eventId ?? null}::bigint
    order by lower(g.name), g.id`.execute(db)
  return rows
}
