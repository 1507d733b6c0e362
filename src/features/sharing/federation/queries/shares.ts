import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { sharedWith } from '../access.ts'

export async function isSharedWith(db: Kysely<DB>, eventId: number, guestId: number): Promise<boolean> {
  return rowsOf(db).exists(sql`select from event e where e.id = ${eventId} and ${sharedWith(guestId)}`)
}

/** The event of a shift, if it is shared with this instance. */
export async function getSharedEventOf(db: Kysely<DB>, shiftId: number, guestId: number): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${sharedWith(guestId)}`)
  return row?.id
}

type ShareSwitch = { guestId: number; name: string; isShared: boolean }

/** All guest instances, and whether the event is shared with them. `eventId` undefined: a new event. */
export async function findShareSwitches(db: Kysely<DB>, eventId: number | undefined): Promise<ShareSwitch[]> {
  return rowsOf(db).all(sql<ShareSwitch>`
    select g.id as "guestId", g.name, s.event_id is not null as "isShared"
    from federated_guest g left join event_share s on s.federated_guest_id = g.id and s.event_id = ${eventId ?? null}::bigint
    order by lower(g.name), g.id`)
}
