import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { Problem } from '#platform/http/problem.ts'
import { openTo } from '../access.ts'

/** For an event that the caller may not change: 403 if they can open its page, otherwise 404, as for ids that do not exist. */
export const refuseEvent = (db: Kysely<DB>, actor: Actor, eventId: number): Promise<Problem> =>
  refuse(db, actor, sql`e.id = ${eventId}`)

/** For a shift that the caller may not change: 403 if they can open the page of its event, otherwise 404. */
export const refuseShift = (db: Kysely<DB>, actor: Actor, shiftId: number): Promise<Problem> =>
  refuse(db, actor, sql`e.id = (select s.event_id from shift s where s.id = ${shiftId})`)

async function refuse(db: Kysely<DB>, actor: Actor, condition: RawBuilder<unknown>): Promise<Problem> {
  const { rows } = await sql`select from event e where ${condition} and ${openTo(actor)}`.execute(db)
  return new Problem(rows.length ? 'permission_denied' : 'not_found')
}
