import { type RawBuilder, sql } from 'kysely'
import { eventsBesideAudiences, seenAudiences, seesAllEvents } from '#features/events/events/access.ts'
import { eventOfShiftColumns, isShort, shiftColumns, typeColumns } from '#features/events/events/queries/shift-columns.ts'
import { loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import type { ShiftSummary } from '../rules/summaries.ts'
import { type EventFilter, eventConditions, MAX_JUDGED_SHIFTS, mightFit } from './filters.ts'
import { translateTitles } from './own-texts.ts'

type OpenShift = ShiftSummary & { candidacy: Candidacy }

type OpenShiftSearch = EventFilter & {
  from: Date | undefined
  /** Exclusive. */
  until: Date | undefined
}

type OpenShifts = {
  shifts: OpenShift[]
  /** Where the search stopped before it had found enough; undefined if it did not. */
  searchedUntil: Date | undefined
}

/** How many are judged at a time: the first shifts are enough for most people. */
const JUDGED_AT_ONCE = [60, 180, MAX_JUDGED_SHIFTS - 240]
const DAY_MS = 24 * 3_600_000

/**
 * Shifts that have not ended and that the caller does not take part in, soonest first: at most `limit` that they can sign up for and have
 * not answered, or with `fitsMe` off, all of them.
 */
export async function findOpenShifts(context: RequestContext, search: OpenShiftSearch, limit: number): Promise<OpenShifts> {
  const most = search.fitsMe ? MAX_JUDGED_SHIFTS : limit
  const candidates = await findCandidates(context, search, most)
  const shifts: OpenShift[] = []
  let judged = 0
  for (const count of search.fitsMe ? JUDGED_AT_ONCE : [limit]) {
    const some = candidates.slice(judged, judged + count)
    const { eligibility } = await loadEligibility(
      context,
      some.map(({ id }) => id),
    )
    for (const shift of some) {
      const candidacy = eligibility.get(shift.id)
      if (candidacy && (candidacy.canSignUp || !search.fitsMe)) shifts.push({ ...shift, candidacy })
    }
    judged += some.length
    if (shifts.length >= limit || judged === candidates.length) break
  }
  const hasStopped = shifts.length < limit && candidates.length === most
  return { shifts: shifts.slice(0, limit), searchedUntil: hasStopped ? candidates.at(-1)!.start : undefined }
}

/** By audience, each with the first rows of its index. */
async function findCandidates(context: RequestContext, search: OpenShiftSearch, limit: number): Promise<ShiftSummary[]> {
  const { actor, now, db } = context
  const { from = now, until } = search
  // The index is by the meeting time. Nobody looks for a shift that began more than a day ago.
  const earliest = new Date(Math.max(now.getTime(), from.getTime()) - DAY_MS)
  const order = sql`s.meeting_time, s.start_time, s.id`
  // A literal, so that PostgreSQL plans for it.
  const first = sql`order by ${order} limit ${sql.lit(limit)}`
  const conditions: Condition[] = [
    sql`s.meeting_time >= ${earliest}`,
    sql`s.end_time >= ${now}`,
    ...(search.from ? [sql`s.start_time >= ${search.from}`] : []),
    ...(until ? [sql`s.meeting_time < ${until} and s.start_time < ${until}`] : []),
    ...(search.needsPeople ? [isShort] : []),
    ...(search.fitsMe ? [mightFit(context, search)] : []),
    hasNoPart(context, search.fitsMe ? [0, 1, 2, 3] : [0, 1]),
    ...eventConditions(context, { ...search, state: undefined, needsPeople: false }),
  ]
  const select = (seen: Condition) => sql`
    select s.* from shift s cross join lateral (select e.* from event e where e.id = s.event_id offset 0) e
    where ${seen} and s.listed_audience_id is not null${andAll(conditions)} ${first}`
  const all = seesAllEvents(actor)
    ? select(sql`true`)
    : sql`
      select own.* from seen cross join lateral (${select(sql`s.listed_audience_id = seen.id`)}) own
      union all
      select own.* from (${eventsBesideAudiences(actor)}) beside cross join lateral (
        ${select(sql`s.event_id = beside.event_id and s.listed_audience_id not in (select id from seen)`)}) own`
  const { rows } = await sql<ShiftSummary>`
    with ${seenAudiences(actor)}
    select ${shiftColumns()}, ${eventOfShiftColumns}, ${typeColumns}
    from (select s.* from (${all}) s ${first}) s
      join event e on e.id = s.event_id join event_type t on t.id = e.type_id order by ${order}`.execute(db)
  return translateTitles(context, rows)
}

const hasNoPart = (context: RequestContext, states: readonly State[]): RawBuilder<unknown> =>
  sql`s.id not in (select p.shift_id from participation p where p.user_id = ${userIdOf(context.actor)} and p.state = any (${states}::smallint[]))`
