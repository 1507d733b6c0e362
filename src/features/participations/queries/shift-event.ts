import { type Kysely, sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'

/** The event of a shift that the caller may see. */
export async function getVisibleEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${shownTo(actor)}`.execute(db)
  return rows[0]?.id
}

/** The event of a shift that the caller is responsible for, drafts and cancelled ones too. */
export async function getChangeableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  return rows[0]?.id
}
