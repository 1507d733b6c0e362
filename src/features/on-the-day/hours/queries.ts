import { sql } from 'kysely'
import type { RequestData } from '#features/accounts/requests/access.ts'
import type { RequestState } from '#features/accounts/requests/rules.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { isConfirmedNoShow } from '#features/on-the-day/check-in/access.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import type { Span } from '#platform/time-span.ts'
import { decidesHoursOf, decidesSomeHours, seesHoursOf } from './access.ts'
import {
  compareLatestFirst,
  groupByYear,
  HOURS_REQUEST,
  type HoursRow,
  readRequest,
  type TypeColumn,
  type YearOfHours,
} from './rules.ts'

/** Bounds are days of the instance, both inclusive. */
export type HoursFilter = { from: string | undefined; to: string | undefined; typeId: number | undefined }

/** Shifts of a period and type. */
function shiftsIn({ site }: RequestContext, { from, to, typeId }: HoursFilter): Condition {
  return sql`true${andAll([
    ...(from === undefined ? [] : [sql`p.start_time >= ${startOfDay(from, site.timeZone)}`]),
    ...(to === undefined ? [] : [sql`p.start_time < ${startOfDay(addDays(to, 1), site.timeZone)}`]),
    ...(typeId === undefined ? [] : [sql`e.type_id = ${typeId}`]),
  ])}`
}

/** Confirmed participations of members that have ended. Cancelled events, events in the bin and confirmed no-shows give no hours. */
const shiftsWhere = (context: RequestContext, filter: HoursFilter): Condition =>
  sql`p.kind = 'local' and p.state = 1 and p.end_time <= ${context.now} and e.listed and not ${isConfirmedNoShow} and ${shiftsIn(context, filter)}`

/** Entries have no event type, so a filter by type leaves them out. */
function entriesWhere({ from, to, typeId }: HoursFilter): Condition {
  return sql`${typeId === undefined ? sql`true` : sql`false`}${andAll([
    ...(from === undefined ? [] : [sql`w.date >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`w.date <= ${to}::date`]),
  ])}`
}

/** Of a participation as `p`. */
export const durationInHours = sql`extract(epoch from p.end_time - p.start_time)::float8 / 3600`

type StoredRow = Omit<HoursRow, 'date'> & { date: string | null }

const EVERYTHING: HoursFilter = { from: undefined, to: undefined, typeId: undefined }

/** Those of a filter, latest first. `isAsked`: whether a second filter has them, too. */
async function readHours(
  context: RequestContext,
  userId: number,
  filter: HoursFilter,
  asked: HoursFilter,
): Promise<(HoursRow & { isAsked: boolean })[]> {
  const { rows } = await sql<StoredRow & { isAsked: boolean }>`
    select 'shift' as kind, p.id, null as date, ${durationInHours} as hours,
      e.id as "eventId", e.title, s.label, t.id as "typeId", t.title as "typeTitle", p.start_time as start, p.end_time as end,
      p.version, ${shiftsIn(context, asked)} as "isAsked"
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id join event_type t on t.id = e.type_id
    where p.user_id = ${userId} and ${shiftsWhere(context, filter)}
    union all
    select 'entry', w.id, w.date::text, w.hours::float8, null, w.reason, '', null, null, null, null, w.version, ${entriesWhere(asked)}
    from working_hours w where w.user_id = ${userId} and ${entriesWhere(filter)}`.execute(context.db)
  return rows.map((row) => ({ ...row, date: row.date ?? dayOf(row.start!, context.site.timeZone) })).sort(compareLatestFirst)
}

const withoutAsked = ({ isAsked: _isAsked, ...row }: HoursRow & { isAsked: boolean }): HoursRow => row

/** Latest first. */
export const findHours = async (context: RequestContext, userId: number, filter: HoursFilter): Promise<HoursRow[]> =>
  (await readHours(context, userId, filter, filter)).map(withoutAsked)

/** Those of a filter, and the sums of all years, by one statement. */
export async function findHoursAndYears(
  context: RequestContext,
  userId: number,
  filter: HoursFilter,
): Promise<{ rows: HoursRow[]; years: YearOfHours[] }> {
  const all = await readHours(context, userId, EVERYTHING, filter)
  return { rows: all.filter(({ isAsked }) => isAsked).map(withoutAsked), years: groupByYear(all) }
}

/** Hours of a person at a partner, which are never added to those here. */
export type PartnerHours = { host: string; title: string; label: string; start: Date; end: Date; date: string; hours: number }

/** Latest first. Partners do not tell types that are ours. */
export async function findPartnerHours(context: RequestContext, userId: number, filter: HoursFilter): Promise<PartnerHours[]> {
  if (filter.typeId !== undefined) return []
  const { timeZone } = context.site
  const rows = await rowsOf(context.db).all(sql<Omit<PartnerHours, 'date'>>`
    select p.host_name as host, p.title, p.shift_label as label, p.start_time as start, p.end_time as "end",
      ${durationInHours} as hours
    from partner_hours p where p.user_id = ${userId} and ${partnerHoursCount(context.now)}${andAll([
      ...(filter.from === undefined ? [] : [sql`p.start_time >= ${startOfDay(filter.from, timeZone)}`]),
      ...(filter.to === undefined ? [] : [sql`p.start_time < ${startOfDay(addDays(filter.to, 1), timeZone)}`]),
    ])} order by p.start_time desc, p.id desc`)
  return rows.map((row) => ({ ...row, date: dayOf(row.start, timeZone) }))
}

/** A condition on `partner_hours` as `p`: the shift is over, and the person has not denied it. */
export const partnerHoursCount = (now: Date): Condition => sql`p.end_time <= ${now} and not p.denied`

/** What gives hours from a day on, of many people. Entries by hand have no times. */
export async function findHoursOfPeople(
  context: RequestContext,
  userIds: readonly number[],
  from: string,
): Promise<{ userId: number; hours: number; span: Span | undefined }[]> {
  const filter = { from, to: undefined, typeId: undefined }
  const rows = await rowsOf(context.db).all<{ userId: number; hours: number; start: Date | null; end: Date | null }>(sql`
    select p.user_id as "userId", ${durationInHours} as hours, p.start_time as start, p.end_time as end
    from participation p join event e on e.id = p.event_id
    where p.user_id = any (${userIds}::bigint[]) and ${shiftsWhere(context, filter)}
    union all
    select w.user_id, w.hours::float8, null, null
    from working_hours w where w.user_id = any (${userIds}::bigint[]) and ${entriesWhere(filter)}`)
  return rows.map(({ userId, hours, start, end }) => ({ userId, hours, span: start && end ? { start, end } : undefined }))
}

/** Types in the order of the columns; archived ones too, because past shifts have them. */
export async function findTypeColumns({ db }: RequestContext): Promise<TypeColumn[]> {
  return db.selectFrom('event_type').select(['id', 'title']).orderBy('title').orderBy('id').execute()
}

export type OverviewFilter = HoursFilter & { groupId: number | undefined; sort: 'name' | 'total' }
type OverviewRow = {
  userId: number
  name: string
  /** Hours by the id of the event type; entries by hand under `entries`. */
  parts: Record<string, number>
  total: number
}

/** People whose hours the actor sees: everybody who is active, and others who have hours in the period. */
/** People as `u` with their hours as `person`, and their order. */
function overviewOf(context: RequestContext, filter: OverviewFilter) {
  const inGroup =
    filter.groupId === undefined
      ? sql``
      : sql`and exists (select from user_group_member m where m.user_id = u.id and m.group_id = ${filter.groupId})`
  const order = filter.sort === 'total' ? sql`total desc, lower(u.display_name), u.id` : sql`lower(u.display_name), u.id`
  const parts = sql`
    with part as (
      select p.user_id, e.type_id::text as part, sum(${durationInHours}) as hours
      from participation p join event e on e.id = p.event_id
      where p.user_id is not null and ${shiftsWhere(context, filter)} group by 1, 2
      union all
      select w.user_id, 'entries', sum(w.hours)::float8 from working_hours w where ${entriesWhere(filter)} group by 1
    ), person as (
      select user_id, jsonb_object_agg(part, hours) as parts, sum(hours) as total from part group by 1
    )`
  const columns = sql`u.id as "userId", u.display_name as name, coalesce(person.parts, '{}') as parts, coalesce(person.total, 0) as total`
  const from = sql`from user_profile u left join person on person.user_id = u.id
    where u.deleted_at is null and ${seesHoursOf(context.actor)} and (u.is_active or person.total > 0) ${inGroup}`
  return { parts, columns, from, order }
}

export async function findOverview(
  context: RequestContext,
  filter: OverviewFilter,
  page: { limit: number; offset: number },
): Promise<{ count: number; sum: number; rows: OverviewRow[] }> {
  const { parts, columns, from, order } = overviewOf(context, filter)
  const { rows } = await sql<OverviewRow & { count: number; sum: number }>`
    ${parts}
    select ${columns}, (count(*) over ())::int as count, coalesce(sum(person.total) over (), 0) as sum
    ${from} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(context.db)
  return { count: rows[0]?.count ?? 0, sum: rows[0]?.sum ?? 0, rows }
}

const PEOPLE_IN_PART = 500

/** Everybody, in parts. They are JSON, because the rows of 100,000 people would be read in one go. */
export async function findWholeOverview(context: RequestContext, filter: OverviewFilter): Promise<string[]> {
  const { parts, columns, from, order } = overviewOf(context, filter)
  const { rows } = await sql<{ people: string }>`
    ${parts}, chosen as (select ${columns}, row_number() over (order by ${order}) as place ${from})
    select jsonb_agg(jsonb_build_object('userId', "userId", 'name', name, 'parts', parts, 'total', total) order by place)::text as people
    from chosen group by (place - 1) / ${sql.lit(PEOPLE_IN_PART)} order by min(place)`.execute(context.db)
  return rows.map(({ people }) => people)
}

export const readOverviewPart = (people: string): OverviewRow[] => JSON.parse(people) as OverviewRow[]

export type Worker = { id: number; name: string; mayDecide: boolean }

/** A person whose hours the actor sees; undefined for others. */
export async function getWorker(context: RequestContext, userId: number): Promise<Worker | undefined> {
  const { db, actor } = context
  return rowsOf(db).first(sql<Worker>`
    select u.id, u.display_name as name, ${decidesHoursOf(actor, sql`u.id`)} as "mayDecide" from user_profile u
    where u.id = ${userId} and u.deleted_at is null and ${seesHoursOf(actor)}`)
}

export type Entry = { id: number; userId: number; name: string; hours: number; date: string; reason: string; version: number }

/** An entry that the actor may change. */
export async function getEntry({ db, actor }: Pick<RequestContext, 'db' | 'actor'>, id: number): Promise<Entry | undefined> {
  return rowsOf(db).first(sql<Entry>`
    select w.id, w.user_id as "userId", u.display_name as name, w.hours::float8 as hours, w.date::text as date, w.reason, w.version
    from working_hours w join user_profile u on u.id = w.user_id
    where w.id = ${id} and u.deleted_at is null and ${decidesHoursOf(actor, sql`u.id`)}`)
}

export type HoursEntryRow = { id: number; user_id: number; date: string; hours: number; reason: string }

/** Of one person, or of everybody whose hours the actor sees. */
type Whose = { userId: number } | 'seen'

const entryColumns = {
  id: sql`w.id`,
  user_id: sql`w.user_id`,
  date: sql`w.date::text`,
  hours: sql`w.hours::float8`,
  reason: sql`w.reason`,
}
const entriesFrom = sql`from working_hours w join user_profile u on u.id = w.user_id`
const entriesOf = ({ actor }: RequestContext, whose: Whose): Condition =>
  whose === 'seen' ? seesHoursOf(actor) : sql`w.user_id = ${whose.userId}`

/** For the API, by id. */
export function findEntryRows(context: RequestContext, whose: Whose, page: PageRequest): Promise<PagedRows<HoursEntryRow>> {
  const listing = { columns: entryColumns, from: entriesFrom, where: entriesOf(context, whose), order: byId(sql`w.id`) }
  return findPage(context, listing, page, (chosen) => sql<Paged<HoursEntryRow>>`${chosen}`)
}

export async function getEntryRow(context: RequestContext, whose: Whose, id: number): Promise<HoursEntryRow | undefined> {
  return rowsOf(context.db).first(sql<HoursEntryRow>`
    select ${selected(entryColumns)} ${entriesFrom} where w.id = ${id} and ${entriesOf(context, whose)}`)
}

type StoredHoursRequest = {
  id: number
  data: RequestData
  state: RequestState
  comment: string
  created_at: string
  decided_at: string | null
}
export type HoursRequestRow = Omit<StoredHoursRequest, 'data'> & { date: string | null; hours: number | null; reason: string }

const requestColumns = {
  id: sql`r.id`,
  data: sql`r.data`,
  state: sql`r.state`,
  comment: sql`r.comment`,
  created_at: sql`r.created_at::text`,
  decided_at: sql`r.decided_at::text`,
}
const ownRequests = ({ actor }: RequestContext): Condition => sql`r.kind = ${HOURS_REQUEST} and r.user_id = ${userIdOf(actor)}`

const readRow = ({ data, ...row }: StoredHoursRequest): HoursRequestRow => {
  const { date = null, hours = null, reason = '' } = readRequest(data) ?? {}
  return { ...row, date, hours, reason }
}

/** For the API, newest first. */
export async function findOwnHoursRequests(context: RequestContext, page: PageRequest): Promise<PagedRows<HoursRequestRow>> {
  const order = [{ column: sql`r.id`, type: 'bigint' as const, descending: true }]
  const listing = { columns: requestColumns, from: sql`from decision_request r`, where: ownRequests(context), order }
  const found = await findPage(context, listing, page, (chosen) => sql<Paged<StoredHoursRequest>>`${chosen}`)
  return { ...found, rows: found.rows.map(readRow) }
}

export async function getOwnHoursRequest(context: RequestContext, id: number): Promise<HoursRequestRow | undefined> {
  const { rows } = await sql<StoredHoursRequest>`
    select ${selected(requestColumns)} from decision_request r where r.id = ${id} and ${ownRequests(context)}`.execute(context.db)
  return rows.map(readRow)[0]
}

export async function decidesHours({ db, actor }: RequestContext): Promise<boolean> {
  const { decides } = await rowsOf(db).one(sql<{ decides: boolean }>`select ${decidesSomeHours(actor)} as decides`)
  return decides
}
