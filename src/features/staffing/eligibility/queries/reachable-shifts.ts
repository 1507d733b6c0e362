import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { reachableBy } from '../access.ts'

/** A query of the event of a shift in which the caller can act as a participant. */
export const reachableEventOf = (actor: Actor, shiftId: number) => sql<{ id: number }>`
  select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${reachableBy(actor)}`

export const getReachableEventOf = async (db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> =>
  (await rowsOf(db).first(reachableEventOf(actor, shiftId)))?.id

/** The event of a shift that the caller is responsible for, drafts and cancelled ones too. */
export async function getChangeableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`)
  return row?.id
}

export type ShiftForSignup = {
  id: number
  label: string
  event_id: number
  event_title: string
  location: string
  meeting_time: Date
  start_time: Date
  end_time: Date
  /** By its statistics, which do not decide: places that are offered to people are held for them. */
  seems_full: boolean
}

export async function getShiftForSignup({ db, actor }: RequestContext, id: number): Promise<ShiftForSignup | undefined> {
  return rowsOf(db).first(sql<ShiftForSignup>`
    select s.id, s.label, e.id as event_id, e.title as event_title, e.location, s.meeting_time, s.start_time, s.end_time,
      s.free is not distinct from 0 as seems_full
    from shift s join event e on e.id = s.event_id where s.id = ${id} and ${reachableBy(actor)}`)
}
