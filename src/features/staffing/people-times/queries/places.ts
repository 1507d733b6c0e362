import { type RawBuilder, sql } from 'kysely'
import { plannedBy, shownTo } from '#features/events/events/access.ts'
import { findEngagementsAtPartners } from '#features/staffing/eligibility/queries/engagements.ts'
import { oldestBirth } from '#features/staffing/eligibility/queries/shift-facts.ts'
import { hasAdult } from '#features/staffing/eligibility/rules/eligibility.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { reachOf, type StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Span } from '#platform/time-span.ts'
import type { Place } from '../rules/table.ts'

const DAY_MS = 24 * 3_600_000

type Reach = { from: Date; until: Date }

/**
 * Confirmed places of these people, also at partners, and their requests in events that the caller plans. Titles only of events that the
 * caller sees. Also those before and after the period that count for the limits.
 */
export async function findPlaces(
  context: RequestContext,
  userIds: readonly number[],
  { start, end }: Span,
  limits: readonly StoredLimit[],
): Promise<Place[]> {
  if (userIds.length === 0) return []
  const margin = DAY_MS + reachOf(limits)
  const from = new Date(start.getTime() - margin)
  const until = new Date(end.getTime() + margin)
  const rows = await findRows(context, userIds, { from, until })
  const shifts = await findShifts(context, [...new Set(rows.map(({ shiftId }) => shiftId))], limits)
  const here = rows.flatMap(({ userId, state, shiftId, start, end }): Place[] => {
    const shift = shifts.get(shiftId)
    if (!shift) return []
    return [{ ...shift, userId, state, hasOwnTimes: start !== null, start: start ?? shift.start, end: end ?? shift.end }]
  })
  const atPartners = (await findEngagementsAtPartners(context.db, userIds, { from, until })).map((one): Place => {
    const { userId, shiftId, start, end, eventTitle, leaderShiftId } = one
    const host = one.partner?.host ?? null
    const place = { userId, shiftId, start, end, hasOwnTimes: true, eventTitle, leaderShiftId, host }
    return { ...place, label: '', state: STATE.confirmed, hasAdult: true }
  })
  return [...here, ...atPartners].toSorted((a, b) => a.start.getTime() - b.start.getTime())
}

/** Times only where they differ from those of the shift: most do not, and dates take long to read. */
type Row = { userId: number; state: Place['state']; shiftId: number; start: Date | null; end: Date | null }

async function findRows({ db, actor }: RequestContext, userIds: readonly number[], { from, until }: Reach): Promise<Row[]> {
  const inState = (state: number, where: RawBuilder<unknown>) => sql`
    select p.user_id as "userId", p.state, p.shift_id as "shiftId",
      case when p.start_time <> s.start_time or p.end_time <> s.end_time then p.start_time end as start,
      case when p.start_time <> s.start_time or p.end_time <> s.end_time then p.end_time end as end
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where p.user_id = any (${userIds}::bigint[]) and p.state = ${sql.lit(state)} and e.listed
      and p.end_time > ${from} and p.start_time < ${until} and ${where}`
  // never null: userId (participations of these users)
  return rowsOf(db).all(sql<Row>`${inState(STATE.confirmed, sql`true`)} union all ${inState(STATE.requested, plannedBy(actor))}`)
}

type ShiftOfPlace = Omit<Place, 'userId' | 'state' | 'hasOwnTimes'>
type ShiftRow = Omit<ShiftOfPlace, 'eventTitle' | 'host' | 'hasAdult'> & {
  isSeen: boolean
  title: string
  oldestBirth: string | null
}

async function findShifts(
  { db, actor, site }: RequestContext,
  ids: readonly number[],
  limits: readonly StoredLimit[],
): Promise<Map<number, ShiftOfPlace>> {
  const isAdultNeeded = limits.some(({ kind }) => kind === 'minor_accompanied')
  const rows = await rowsOf(db).all(sql<ShiftRow>`
    select s.id as "shiftId", s.start_time as start, s.end_time as end, e.title, s.label,
      ${plannedBy(actor)} or ${shownTo(actor)} as "isSeen",
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId",
      case when ${isAdultNeeded} then ${oldestBirth([])} end as "oldestBirth"
    from shift s join event e on e.id = s.event_id where s.id = any (${ids}::bigint[])`)
  return new Map(
    rows.map(({ isSeen, title, label, oldestBirth: birth, ...row }) => [
      row.shiftId,
      {
        ...row,
        hasAdult: !isAdultNeeded || hasAdult({ start: row.start, oldestBirth: birth }, site.timeZone),
        eventTitle: isSeen ? title : null,
        label: isSeen ? label : '',
        host: null,
      },
    ]),
  )
}
