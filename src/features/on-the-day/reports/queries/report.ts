import { type RawBuilder, sql } from 'kysely'
import { plannedBy } from '#features/events/events/access.ts'
import { isShort } from '#features/events/events/queries/shift-columns.ts'
import { isConfirmedNoShow } from '#features/on-the-day/check-in/access.ts'
import { seesHoursOf } from '#features/on-the-day/hours/access.ts'
import { durationInHours, partnerHoursCount } from '#features/on-the-day/hours/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import { NO_FAULTS } from '#platform/i18n/filter-days.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { MemberFigures, PartnerFigures, ReliabilityFigures, Report, ShiftFigures, WorkFigures } from '../rules/figures.ts'
import { boundsOf, monthsOf, type ReportChoice } from '../rules/period.ts'

const LATE_HOURS = 48
/** The bounds of the work for one download. */
const MAX_MEMBERS = 10_000

/** Events as `e` that the caller plans and that overlap the period. */
function eventsWhere({ actor }: RequestContext, { type, group }: ReportChoice, bounds: readonly Date[]): Condition {
  return sql`e.listed and e.start_time < ${bounds.at(-1)!} and e.end_time >= ${bounds[0]!} and ${plannedBy(actor)}${andAll([
    ...(type === undefined ? [] : [sql`e.type_id = ${type}`]),
    ...(group === undefined
      ? []
      : [sql`e.audience_id in (select a.id from audience a where a.group_ids @> array[${group}]::bigint[])`]),
  ])}`
}

const within = (column: RawBuilder<unknown>, bounds: readonly Date[]): Condition =>
  sql`${column} >= ${bounds[0]!} and ${column} < ${bounds.at(-1)!}`
const monthOf = (column: RawBuilder<unknown>, bounds: readonly Date[]): RawBuilder<unknown> =>
  sql`width_bucket(${column}, ${bounds.slice(0, -1)}::timestamptz[])`

/**
 * When the person declined the participation `p` after it had been confirmed; no row otherwise. Only those who are not confirmed again
 * are read.
 */
const declining = sql`left join lateral (
  select max(j.at) as at from journal j
  where p.state = 2 and j.subject_kind = 'participation' and j.subject_id = p.id and j.kind = ${journalKind('participation.declined')}
    and j.changes -> 'state' ->> 0 = '1' having max(j.at) is not null) declined on true`
const kept = (now: Date) => sql`(p.state = 1 and p.end_time <= ${now} and not ${isConfirmedNoShow})`
const absent = sql`(p.state = 1 and ${isConfirmedNoShow})`
const isLate = sql`declined.at > p.start_time - make_interval(hours => ${sql.lit(LATE_HOURS)})`

/** All figures of a period. `members`: at most so many people. */
export async function findReport(
  context: RequestContext,
  choice: ReportChoice,
  { members }: { members: number },
): Promise<Report> {
  const { db, now, site } = context
  const bounds = boundsOf(choice, site.timeZone)
  const events = eventsWhere(context, choice, bounds)
  const [shifts, work, reliability, people, types, atPartners] = await Promise.all([
    sql<ShiftFigures>`
      select month, "typeId", count(distinct event_id)::int as events, count(*)::int as shifts, sum(needed)::int as needed,
        sum(missing)::int as missing, (count(*) filter (where missing > 0))::int as short
      from (
        select ${monthOf(sql`s.start_time`, bounds)} as month, e.type_id as "typeId", s.event_id,
          coalesce(s.min_count, 0) as needed,
          case when ${isShort} then least(greatest(s.missing, s.shortfall), coalesce(s.min_count, 0)) else 0 end as missing
        from event e join shift s on s.event_id = e.id
        where ${events} and ${within(sql`s.start_time`, bounds)} and s.start_time <= ${now}) part
      group by grouping sets ((month, "typeId"), (month), ("typeId"), ()) having count(*) > 0`.execute(db),
    sql<WorkFigures>`
      select month, "typeId", sum(hours) as hours, count(*)::int as places, count(distinct person)::int as people
      from (
        select ${monthOf(sql`p.start_time`, bounds)} as month, e.type_id as "typeId", ${durationInHours} as hours,
          (p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id, p.id)) as person
        from event e join participation p on p.event_id = e.id
        where ${events} and ${within(sql`p.start_time`, bounds)} and ${kept(now)}) part
      group by grouping sets ((month, "typeId"), (month), ("typeId"), ()) having count(*) > 0`.execute(db),
    sql<ReliabilityFigures>`
      select month, (count(*) filter (where kept))::int as kept, (count(*) filter (where declined))::int as declined,
        (count(*) filter (where late))::int as late, (count(*) filter (where absent))::int as absent
      from (
        select ${monthOf(sql`p.start_time`, bounds)} as month, ${kept(now)} as kept, declined.at is not null as declined,
          coalesce(${isLate}, false) as late, ${absent} as absent
        from event e join participation p on p.event_id = e.id ${declining}
        where ${events} and ${within(sql`p.start_time`, bounds)} and p.start_time <= ${now}) part
      group by grouping sets ((month), ()) having count(*) filter (where kept or declined or absent) > 0`.execute(db),
    sql<MemberFigures>`
      select u.id, u.display_name as name, (count(*) filter (where ${kept(now)}))::int as shifts,
        coalesce(sum(${durationInHours}) filter (where ${kept(now)}), 0) as hours,
        count(declined.at)::int as declined, (count(*) filter (where ${isLate}))::int as late,
        (count(*) filter (where ${absent}))::int as absent
      from event e join participation p on p.event_id = e.id join user_profile u on u.id = p.user_id ${declining}
      where ${events} and ${within(sql`p.start_time`, bounds)} and p.start_time <= ${now} and u.deleted_at is null
        and ${seesHoursOf(context.actor)}
      group by u.id having count(*) filter (where ${kept(now)} or declined.at is not null or ${absent}) > 0
      order by hours desc, lower(u.display_name), u.id limit ${members + 1}`.execute(db),
    db.selectFrom('event_type').select(['id', 'title']).orderBy('title').orderBy('id').execute(),
    findAtPartners(context, choice, bounds, members),
  ])
  return {
    months: monthsOf(choice),
    types,
    shifts: shifts.rows,
    work: work.rows,
    reliability: reliability.rows,
    members: people.rows.slice(0, members),
    hasMoreMembers: people.rows.length > members,
    atPartners,
  }
}

/** Partners do not tell types and groups that are ours. */
async function findAtPartners(
  { db, now, actor }: RequestContext,
  { type, group }: ReportChoice,
  bounds: readonly Date[],
  members: number,
): Promise<PartnerFigures[]> {
  if (type !== undefined || group !== undefined) return []
  const { rows } = await sql<PartnerFigures>`
    select u.display_name as name, p.host_name as host, count(*)::int as shifts, sum(${durationInHours}) as hours
    from partner_hours p join user_profile u on u.id = p.user_id
    where ${within(sql`p.start_time`, bounds)} and ${partnerHoursCount(now)} and u.deleted_at is null and ${seesHoursOf(actor)}
    group by u.id, p.host_name order by hours desc, lower(u.display_name), u.id, p.host_name limit ${members}`.execute(db)
  return rows
}

/** For the download. */
export const findWholeReport = (context: RequestContext, choice: ReportChoice): Promise<Report> =>
  findReport(context, choice, { members: MAX_MEMBERS })

type Option = { id: number; title: string }

/** What the report can be narrowed to: types and groups of the events that the caller plans in the period. */
export async function findReportOptions(
  context: RequestContext,
  { from, until }: ReportChoice,
): Promise<{ types: Option[]; groups: Option[] }> {
  const period = { from, until, type: undefined, group: undefined, faults: NO_FAULTS }
  const { rows } = await sql<Option & { kind: 'type' | 'group' }>`
    with found as materialized (
      select distinct e.type_id, e.audience_id from event e
      where ${eventsWhere(context, period, boundsOf(period, context.site.timeZone))})
    select 'type' as kind, t.id, t.title from event_type t where t.id in (select type_id from found)
    union all
    select 'group', g.id, g.name from user_group g where g.id in (
      select unnest(a.group_ids) from audience a where a.id in (select audience_id from found))`.execute(context.db)
  const sorted = rows.sort((a, b) => a.title.localeCompare(b.title) || a.id - b.id)
  const ofKind = (wanted: string) => sorted.filter(({ kind }) => kind === wanted).map(({ id, title }) => ({ id, title }))
  return { types: ofKind('type'), groups: ofKind('group') }
}
