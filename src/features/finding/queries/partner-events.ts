import { sql } from 'kysely'
import { pickMainState } from '#features/participations/rules/moves.ts'
import { NO_STATS, type State } from '#features/staffing/rules/model.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchIn } from '#platform/db/conditions.ts'
import { userOf, type WideFilter } from './filters.ts'

/** Where something takes place that another organisation plans: who that is, and its page there. */
export type Abroad = { host: string; href: string }

/** Decides whether pages speak of it at all. */
export async function isLinked({ db }: RequestContext): Promise<boolean> {
  const { rows } = await sql`select from federated_host limit 1`.execute(db)
  return rows.length > 0
}

/** Names of partners who ended the link, for administrators: somebody has to decide what becomes of it. */
export async function findEndedLinks({ db, actor }: RequestContext): Promise<string[]> {
  if (!isStaff(actor)) return []
  const { rows } = await sql<{ name: string }>`
    select name from federated_host where ended_by_partner_at is not null order by lower(name)`.execute(db)
  return rows.map(({ name }) => name)
}

/** Conditions on `partner_event` as `x`; undefined: nothing matches, for what is asked is not known of events of others. */
export function abroadConditions(
  context: RequestContext,
  { terms, typeIds, state, needsPeople, fitsMe, whose }: WideFilter,
): Condition[] | undefined {
  if (whose === 'ours' || typeIds.length || needsPeople || fitsMe || state === 'decide') return undefined
  const own = (states: number[]): Condition =>
    sql`x.id in (select a.partner_event_id from participation_abroad a where a.user_id = ${userOf(context)} and a.state = any (${states}::smallint[]))`
  const standing = { none: () => sql`not ${own([0, 1, 2, 3])}`, confirmed: () => own([1]), in: () => own([0, 1]) }
  return [...searchIn([...terms], [sql`x.title`, sql`x.location`, sql`x.description`]), ...(state ? [standing[state]()] : [])]
}

export type EventAbroad = {
  id: number
  title: string
  location: string
  type_title: string
  start_time: Date
  end_time: Date
  abroad: Abroad
  own: State | undefined
}

type Row = Omit<EventAbroad, 'abroad' | 'own'> & Abroad & { states: State[] }

/** By their numbers here, in no order. */
export async function findEventsAbroad(context: RequestContext, ids: readonly number[]): Promise<EventAbroad[]> {
  if (!ids.length) return []
  const { rows } = await sql<Row>`
    select x.id, x.title, x.location, x.type_title, x.start_time, x.end_time, h.name as host, x.signup_url as href,
      array(select a.state from participation_abroad a where a.partner_event_id = x.id and a.user_id = ${userOf(context)}) as states
    from partner_event x join federated_host h on h.id = x.host_id where x.id = any (${ids}::bigint[])`.execute(context.db)
  return rows.map(({ host, href, states, ...row }) => ({ ...row, abroad: { host, href }, own: pickMainState(states) }))
}

/** Others count their places themselves, and say nothing about them. */
const UNKNOWN = { ...NO_STATS, type_color: '', cancellation_reason: null }

export type ShiftAbroad = typeof UNKNOWN & {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  type_title: string
  start_time: Date
  end_time: Date
  meeting_time: Date
  abroad: Abroad
}
type ShiftRow = Abroad & {
  label: string
  event_title: string
  location: string
  type_title: string
  start_time: Date
  end_time: Date
  state: State | null
  count: number
}

/** Their numbers are those of another instance, so they name nothing here. */
const shiftOf = ({ host, href, state: _state, count: _count, ...row }: ShiftRow): ShiftAbroad => ({
  ...UNKNOWN,
  ...row,
  shift_id: 0,
  event_id: 0,
  meeting_time: row.start_time,
  abroad: { host, href },
})

const shiftColumns = sql`x.title as event_title, x.location, x.type_title, h.name as host, x.signup_url as href`
const ofHost = sql`join federated_host h on h.id = x.host_id`

/** Shifts abroad that the caller is expected at, or asked for; soonest first. */
export async function findOwnAbroad(
  context: RequestContext,
  state: number,
  limit: number,
): Promise<{ count: number; rows: ShiftAbroad[] }> {
  const { rows } = await sql<ShiftRow>`
    select ${shiftColumns}, a.shift_label as label, a.start_time, a.end_time, a.state, (count(*) over ())::int as count
    from participation_abroad a join partner_event x on x.id = a.partner_event_id ${ofHost}
    where a.user_id = ${userOf(context)} and a.state = ${state} and a.end_time >= ${context.now}
    order by a.start_time, a.end_time, a.id limit ${limit}`.execute(context.db)
  return { count: rows[0]?.count ?? 0, rows: rows.map(shiftOf) }
}

/** For calendars: the caller's own shifts of an event there, or else the event as a whole. */
export async function findCalendarAbroad(
  context: RequestContext,
  conditions: Condition[],
  { from, until }: { from: Date; until: Date },
  most: number,
): Promise<(ShiftAbroad & { own: State | null })[]> {
  const { rows } = await sql<ShiftRow>`
    select ${shiftColumns}, coalesce(a.shift_label, '') as label, coalesce(a.start_time, x.start_time) as start_time,
      coalesce(a.end_time, x.end_time) as end_time, a.state
    from partner_event x ${ofHost}
      left join participation_abroad a on a.partner_event_id = x.id and a.user_id = ${userOf(context)} and a.state in (0, 1)
    where x.start_time < ${until} and x.end_time > ${from}
      and coalesce(a.start_time, x.start_time) < ${until} and coalesce(a.end_time, x.end_time) > ${from}${andAll(conditions)}
    order by 6, 7, x.id limit ${most}`.execute(context.db)
  return rows.map((row) => ({ ...shiftOf(row), own: row.state }))
}
