import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { reachableBy } from '../access.ts'

/** The event of a shift in which the caller may act for themselves. */
export async function getReachableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${reachableBy(actor)}`.execute(db)
  return rows[0]?.id
}

/** The event of a shift that the caller is responsible for, drafts and cancelled ones too. */
export async function getChangeableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  return rows[0]?.id
}
