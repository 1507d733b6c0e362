import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engagement } from '#features/staffing/staffing/rules/model.ts'
import { reachOf } from '#features/staffing/working-time-limits/rules.ts'
import { isOneOf, unplanned } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'
import type { EngagementRow, Participant, SignupShift } from '../rules/candidacy.ts'
import type { SignupSettings } from '../rules/eligibility.ts'

/** Requests and cancelled events do not conflict with a sign-up. */
export async function loadEngagements(
  db: Kysely<DB>,
  { kind, id }: Participant,
  shifts: readonly SignupShift[],
  { limits, toleranceMinutes, givenUp }: SignupSettings & { givenUp: readonly number[] },
): Promise<EngagementRow[]> {
  if (!shifts.length || id === NOBODY.id) return []
  const margin = (MARGIN_HOURS + toleranceMinutes / 60) * HOUR_MS + reachOf(limits)
  const from = new Date(Math.min(...shifts.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...shifts.map(({ end }) => end.getTime())) + margin)
  const here = sql`
    select p.shift_id as "shiftId", p.event_id as "eventId", e.title as "eventTitle", p.start_time as start, p.end_time as end,
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId",
      null as host, null as href, p.id
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where ${COLUMNS[kind]} = ${unplanned(sql`${id}::bigint`)} and p.state = 1 and e.listed and ${isWithin(sql`p`, { from, until })}
      and p.id <> all (${unplanned(sql`${givenUp}::bigint[]`)}::bigint[])`
  const partner = sql`
    select a."shiftId", a."eventId", a."eventTitle", a.start, a.end, null, a.host, a.href, a.id
    from (${partnerEngagements([id], { from, until })}) a`
  const { rows } = await sql<Omit<EngagementRow, 'partner'> & { host: string | null; href: string | null }>`
    select "shiftId", "eventId", "eventTitle", start, "end", "leaderShiftId", host, href
    from (${kind === 'local' ? sql`${here} union all ${partner}` : here}) found order by host is not null, start, id`.execute(db)
  return rows.map(({ host, href, ...row }) => (host !== null && href !== null ? { ...row, partner: { host, href } } : row))
}

const isWithin = (table: RawBuilder<unknown>, { from, until }: { from: Date; until: Date }): RawBuilder<unknown> =>
  sql`${table}.end_time > ${unplanned(sql`${from}::timestamptz`)} and ${table}.start_time < ${unplanned(sql`${until}::timestamptz`)}`

type PartnerRow = Omit<Engagement, 'partner'> & { userId: number; host: string; href: string }

/** Local ids are positive, so an external shift never equals the one that the person signs up for. */
const EXTERNAL_ID = 0

const partnerEngagements = (userIds: readonly number[], { from, until }: { from: Date; until: Date }): RawBuilder<unknown> => sql`
  select ${sql.lit(EXTERNAL_ID)}::bigint as "shiftId", ${sql.lit(EXTERNAL_ID)}::bigint as "eventId", a.user_id as "userId",
    x.title as "eventTitle", a.start_time as start, a.end_time as end, h.name as host, x.signup_url as href, a.id
  from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
  where ${isOneOf(sql`a.user_id`, userIds)} and a.state = 1 and not a.denied and ${isWithin(sql`a`, { from, until })}`

/** Shifts at partner instances on which our people are confirmed, as of the last synchronisation. */
export async function findEngagementsAtPartners(
  db: Kysely<DB>,
  userIds: readonly number[],
  { from, until }: { from: Date; until: Date },
): Promise<(Engagement & { userId: number; leaderShiftId: null })[]> {
  if (!userIds.length) return []
  const { rows } = await sql<PartnerRow>`
    select "shiftId", "eventId", "userId", "eventTitle", start, "end", host, href
    from (${partnerEngagements(userIds, { from, until })}) a order by start, id`.execute(db)
  return rows.map(({ host, href, ...row }) => ({ ...row, leaderShiftId: null, partner: { host, href } }))
}

/** For facts about shifts that do not concern a person. */
export const NOBODY = { kind: 'local', id: 0 } as const

export const HOUR_MS = 3_600_000
/** Loads engagements within this margin around the shifts, because individual times can be outside of them. */
export const MARGIN_HOURS = 24

export const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }
