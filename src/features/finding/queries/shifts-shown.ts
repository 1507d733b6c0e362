import { type RawBuilder, sql } from 'kysely'
import { plannedBy, shownTo } from '#features/events/access.ts'
import { type SignupStats, STATE } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type Abroad, findOwnAbroad } from './abroad.ts'

export type ShiftOfEvent = SignupStats & {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  type_title: string
  type_color: string
  start_time: Date
  end_time: Date
}
/** The times are the person's own. */
export type OwnShift = ShiftOfEvent & { meeting_time: Date; cancellation_reason: string | null; abroad?: Abroad | undefined }

/** The first of them, and how many there are. */
export type Found<Row> = { count: number; rows: Row[] }
type Counted = { count: number }

const found = <Row extends Counted>(rows: Row[]): Found<Row> => ({ count: rows[0]?.count ?? 0, rows })

const columns = sql`
  s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
  s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
  s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount", (count(*) over ())::int as count`
const eventOf = sql`join event e on e.id = s.event_id join event_type t on t.id = e.type_id`

/** Shifts that the caller is expected at, or asked for, here and abroad, and that have not ended; soonest first. */
async function findOwn(context: RequestContext, state: number, limit: number): Promise<Found<OwnShift>> {
  const [here, abroad] = await Promise.all([findOwnHere(context, state, limit), findOwnAbroad(context, state, limit)])
  if (!abroad.count) return here
  const rows: OwnShift[] = [...here.rows, ...abroad.rows].sort((a, b) => a.start_time.getTime() - b.start_time.getTime())
  return { count: here.count + abroad.count, rows: rows.slice(0, limit) }
}

async function findOwnHere({ db, actor, now }: RequestContext, state: number, limit: number): Promise<Found<OwnShift>> {
  const userId = actor.kind === 'user' ? actor.userId : 0
  const { rows } = await sql<OwnShift & Counted>`
    select ${columns}, p.start_time, p.end_time, s.meeting_time, e.cancellation_reason
    from participation p join shift s on s.id = p.shift_id ${eventOf}
    where ${shownTo(actor)} and p.user_id = ${userId} and p.state = ${state} and p.end_time >= ${now}
    order by p.start_time, p.end_time, p.id limit ${limit}`.execute(db)
  return found(rows)
}

export const findNextShifts = (context: RequestContext, limit: number): Promise<Found<OwnShift>> =>
  findOwn(context, STATE.confirmed, limit)
export const findAskedShifts = (context: RequestContext, limit: number): Promise<Found<OwnShift>> =>
  findOwn(context, STATE.requested, limit)

/** A condition on `event` as `e`: there is something to decide for the caller, now or later. */
const planned = ({ actor, now }: RequestContext): RawBuilder<unknown> =>
  sql`e.listed and e.end_time >= ${now} and ${plannedBy(actor)}`

/**
 * Shifts with open requests. Coupled ones follow their leader and are decided there. Undefined for somebody who plans no
 * coming event: then there is nothing that could wait.
 */
export async function findWaitingShifts(context: RequestContext, limit: number): Promise<Found<ShiftOfEvent> | undefined> {
  const any = await sql`select from event e where ${planned(context)} limit 1`.execute(context.db)
  if (!any.rows.length) return undefined
  const { rows } = await sql<ShiftOfEvent & Counted>`
    select ${columns}, s.start_time, s.end_time
    from shift s ${eventOf}
    where ${planned(context)} and s.requested_count > 0 and s.end_time >= ${context.now} and s.signup_flow_slug <> 'coupled'
    order by s.start_time, s.end_time, s.id limit ${limit}`.execute(context.db)
  return found(rows)
}
