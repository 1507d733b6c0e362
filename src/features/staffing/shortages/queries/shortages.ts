import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { eventOfShiftColumns, isShort, shiftColumns, typeColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventOfShift, Shift, TypeOfEvent } from '#features/events/events/rules/shifts.ts'
import { forecastColumn } from '#features/staffing/forecast/queries.ts'
import type { Forecast } from '#features/staffing/forecast/rules/pickup.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import type { SignupRules } from '#features/staffing/staffing/rules/model.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { Span } from '#platform/time-span.ts'

type ShortShiftRow = Shift &
  EventOfShift &
  TypeOfEvent & {
    closesAt: Date | undefined
    opensAt: Date | null
    /** People sign up themselves. */
    isSelfService: boolean
    /** The most people missing at the same time. */
    lacking: number
    forecast: Forecast | null
  }

type ShortageFilter = {
  typeId: number | undefined
  /** Events that are meant for this group. */
  groupId: number | undefined
  place: string | undefined
}

export const NO_SHORTAGE_FILTER: ShortageFilter = { typeId: undefined, groupId: undefined, place: undefined }

/** Bounds the work for a long period; the page says so. */
export const MAX_SHORT_SHIFTS = 500
const DAY_MS = 24 * 3_600_000
/** A shift that has begun is found if it began within this time. */
const RUNNING_MS = 7 * DAY_MS

/**
 * Shifts as `s` of events as `e` that the caller plans, that lack people and have not ended, within a period of starts. The period
 * bounds the work, so grants are looked up for each shift instead of collected first.
 */
function shortIn({ actor, now }: RequestContext, { start, end }: Span): Condition {
  const earliest = start <= now ? new Date(now.getTime() - RUNNING_MS) : start
  return sql`${isShort} and s.start_time >= ${earliest} and s.start_time < ${end} and s.end_time > ${now} and e.listed
    and ${changeableBy(actor)}`
}

const filterConditions = ({ typeId, groupId, place }: ShortageFilter): Condition[] => [
  ...(typeId === undefined ? [] : [sql`e.type_id = ${typeId}`]),
  ...(groupId === undefined
    ? []
    : [sql`e.audience_id in (select a.id from audience a where a.group_ids @> array[${groupId}]::bigint[])`]),
  ...(place === undefined ? [] : [sql`e.location = ${place}`]),
]

type Row = Shift & EventOfShift & TypeOfEvent & { flowSlug: string; flowConfiguration: unknown; forecast: Forecast | null }

/** The first short shifts of the period, by time. `isCut`: there are more. */
export async function findShortShifts(
  context: RequestContext,
  period: Span,
  filter: ShortageFilter,
): Promise<{ shifts: ShortShiftRow[]; isCut: boolean }> {
  const { rows } = await sql<Row>`
    select ${shiftColumns()}, ${eventOfShiftColumns}, ${typeColumns},
      s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration", ${forecastColumn} as forecast
    from shift s join event e on e.id = s.event_id join event_type t on t.id = e.type_id
      left join shift_forecast f on f.shift_id = s.id
    where ${shortIn(context, period)}${andAll(filterConditions(filter))}
    order by s.start_time, s.id limit ${sql.lit(MAX_SHORT_SHIFTS + 1)}`.execute(context.db)
  const shifts = rows.slice(0, MAX_SHORT_SHIFTS).map(({ flowSlug, flowConfiguration, ...row }): ShortShiftRow => {
    const rules: SignupRules | undefined = readSignupRules({ ...row, flowSlug, flowConfiguration }, context.site.timeZone)
    const isSelfService = rules !== undefined && rules.selfServiceRefusal === undefined
    return {
      ...row,
      lacking: shortfallOf(row),
      isSelfService,
      closesAt: isSelfService ? rules.closesAt : undefined,
      opensAt: isSelfService ? rules.opensAt : null,
    }
  })
  return { shifts, isCut: rows.length > MAX_SHORT_SHIFTS }
}

type FilterOptions = {
  types: { id: number; title: string }[]
  groups: { id: number; title: string }[]
  places: string[]
}

/** Types, groups and places of the short shifts of the period, whatever the filter. */
export async function findFilterOptions(context: RequestContext, period: Span): Promise<FilterOptions> {
  const { rows } = await sql<{ kind: 'type' | 'group' | 'place'; id: number | null; title: string }>`
    with found as materialized (
      select e.type_id, e.audience_id, e.location from shift s join event e on e.id = s.event_id
      where ${shortIn(context, period)} order by s.start_time, s.id limit ${sql.lit(MAX_SHORT_SHIFTS)})
    select 'type' as kind, t.id, t.title from event_type t where t.id in (select type_id from found)
    union all select 'group', g.id, g.name from user_group g
      where g.id in (select unnest(a.group_ids) from audience a where a.id in (select audience_id from found))
    union all select distinct 'place', null::bigint, f.location from found f where f.location <> ''`.execute(context.db)
  const { language } = context.words
  const sorted = rows.sort((a, b) => a.title.localeCompare(b.title, language))
  const named = (kind: 'type' | 'group') =>
    sorted.flatMap((row) => (row.kind === kind ? [{ id: row.id!, title: row.title }] : []))
  return {
    types: named('type'),
    groups: named('group'),
    places: sorted.filter(({ kind }) => kind === 'place').map(({ title }) => title),
  }
}

/** Sign-ups and declines by people themselves since a time, by shift. */
export async function findTrends(
  { db }: RequestContext,
  shiftIds: readonly number[],
  since: Date,
): Promise<Map<number, { signedUp: number; declined: number }>> {
  const { rows } = await sql<{ id: number; signedUp: number; declined: number }>`
    select p.shift_id as id, count(*) filter (where j.kind = ${journalKind('participation.signed_up')})::int as "signedUp",
      count(*) filter (where j.kind = ${journalKind('participation.declined')})::int as declined
    from participation p join journal j on j.subject_kind = 'participation' and j.subject_id = p.id
    where p.shift_id = any (${shiftIds}::bigint[]) and j.at > ${since}
      and j.kind in (${journalKind('participation.signed_up', 'participation.declined')})
    group by p.shift_id`.execute(db)
  return new Map(rows.map(({ id, ...trend }) => [id, trend]))
}
