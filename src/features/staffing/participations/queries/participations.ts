import { type RawBuilder, sql } from 'kysely'
import { type Catalogue, catalogueVersion, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import { validGrants } from '#features/accounts/users/queries/profiles.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { changeableBy, visibleTo } from '#features/events/events/access.ts'
import { type Counted, findCounted, timeConditions } from '#features/events/events/queries/filters.ts'
import { rememberPage } from '#features/events/events/queries/remembered-pages.ts'
import { answersOf } from '#features/events/questionnaires/queries.ts'
import { hasPermission, type UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, modifiedSince } from '#platform/db/conditions.ts'
import { type Columns, type JsonRows, jsonRows, readJsonRows } from '#platform/db/json-rows.ts'
import { byId, findAfter, type Paged, type PagedRows, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import { visibleAmongAll, visibleParticipations } from '../access.ts'
import type { participationParameters } from '../schema.ts'
import { chooseByAudience, chooseInOrder, countUnfiltered, isByUser, isInAnyState, takesPart } from './unfiltered.ts'

type ParticipationQuery = QueryOf<typeof participationParameters>

type Row = {
  id: number
  shift_id: number
  event_id: number
  event_title: string
  type_id: number
  type_title: string
  state: 0 | 1 | 2 | 3 | 4
  start_time: string
  end_time: string
  seconds: number
  structure_data: unknown
  kind: 'local' | 'placeholder' | 'guest' | 'visitor'
  user_id: number | null
  display_name: string
  date_of_birth: string | null
  email: string | null
  qualification_ids: number[]
  catalogue_version: number
}
export type Comment = {
  participation_id: number
  text: string
  created_at: string
  visible_for: number
  author: string | null
  author_kind: string
  /** The caller may change the event. */
  is_responsible: boolean
}
/** Of one participation, which spares statements that find nothing. */
type Details = { answers: object; has_comments: boolean }
export type ParticipationRow = Row & Partial<Details> & { catalogue: Catalogue; today: string; comments: Comment[] }

/** One of the lists: of all people in states that others see, of all people in all states, or of one person. */
export type ParticipationFilter = {
  /** `managed`: those in states that others see, and all of the events that the caller may change, drafts and cancelled ones too. */
  states: 'taking-part' | 'all' | 'managed'
  userId?: number
  /** Returns nothing for people who are hidden from the list of profiles. */
  listedOnly?: boolean
  /** Own ones in cancelled events, which all other lists leave out. */
  cancelled?: boolean
  comments: boolean
}

/** E-mail addresses of inactive people are not shown; placeholders have none. */
const columnsFor = ({ now }: RequestContext): Columns<Row> => ({
  id: sql`p.id`,
  shift_id: sql`p.shift_id`,
  event_id: sql`p.event_id`,
  event_title: sql`e.title`,
  type_id: sql`t.id`,
  type_title: sql`t.title`,
  state: sql`p.state`,
  start_time: sql`p.start_time::text`,
  end_time: sql`p.end_time::text`,
  seconds: sql`extract(epoch from p.end_time - p.start_time)::float8`,
  structure_data: sql`p.structure_data`,
  kind: sql`p.kind`,
  user_id: sql`p.user_id`,
  display_name: sql`coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)`,
  date_of_birth: sql`coalesce(u.date_of_birth, v.date_of_birth, g.date_of_birth)`,
  email: sql`case when p.kind = 'local' then case when u.is_active and u.email not like '%@no-address.invalid' then u.email end
    else coalesce(v.email, g.email) end`,
  qualification_ids: sql`case p.kind
    when 'local' then ${validGrants(sql`p.user_id`, now)}
    when 'visitor' then array(select q.qualification_id from visitor_qualification q where q.visitor_id = p.visitor_id order by 1)
    when 'guest' then array(
      select q.qualification_id from guest_qualification q where q.guest_id = p.guest_id and q.verified_at is not null order by 1)
    else '{}' end`,
  catalogue_version: catalogueVersion,
})
const columns = (context: RequestContext): RawBuilder<unknown> => selected(columnsFor(context))

const matching = sql`from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id`
/** Joins per row, for few rows: the planner cannot estimate the number of rows from parameters. */
const joinedPerRow = sql`from participation p
  cross join lateral (select * from event where id = p.event_id offset 0) e
  cross join lateral (select * from event_type where id = e.type_id offset 0) t`
const people = sql`
  left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id`

/** The rows of a page with everything that they show, from a query for their ids. */
const pageOf = (chosen: RawBuilder<unknown>): RawBuilder<unknown> => sql`from (${chosen}) chosen
  cross join lateral (select * from participation where id = chosen.id offset 0) p
  cross join lateral (select * from event where id = p.event_id offset 0) e
  cross join lateral (select * from event_type where id = e.type_id offset 0) t
  left join lateral (select * from user_profile where id = p.user_id offset 0) u on true
  left join lateral (select * from visitor where id = p.visitor_id offset 0) v on true
  left join lateral (select * from guest where id = p.guest_id offset 0) g on true`

/** For lists that need not join the event of every row. */
const inEvent = (condition: Condition): Condition => sql`exists (select from event e where e.id = p.event_id and ${condition})`

function conditions({ states, userId, listedOnly }: ParticipationFilter, query: ParticipationQuery): Condition[] {
  return [
    ...(states === 'taking-part' ? [sql`p.state in (0, 1)`] : []),
    ...(userId === undefined ? [] : [sql`p.user_id = ${userId}`]),
    ...(listedOnly ? [sql`exists (select from user_profile listed where listed.id = p.user_id and listed.is_visible)`] : []),
    ...(query.state === undefined ? [] : [sql`p.state = ${query.state}`]),
    ...(query.event ? [sql`p.event_id = any (${query.event}::bigint[])`] : []),
    ...(query.shift ? [sql`p.shift_id = any (${query.shift}::bigint[])`] : []),
    ...(query.event_type ? [inEvent(sql`e.type_id = any (${query.event_type}::bigint[])`)] : []),
    ...timeConditions(query, sql`p.start_time`, sql`p.end_time`),
    ...modifiedSince(
      query,
      sql`p.id`,
      (since) => sql`select m.id from participation m where m.modified_at >= ${since}
        union select c.participation_id from participation_comment c where c.created_at >= ${since}`,
    ),
  ]
}

/** With a fingerprint, the rows are read from the text of the database only if the caller does not have them yet. */
type FoundParticipations = Omit<PagedRows<ParticipationRow>, 'rows'> & {
  rows: ParticipationRow[] | (() => Promise<ParticipationRow[]>)
  fingerprint?: string
}

export async function findParticipations(
  context: RequestContext,
  filter: ParticipationFilter,
  query: ParticipationQuery,
  page: Pagination,
): Promise<FoundParticipations> {
  const isNarrow = filter.userId !== undefined || query.event || query.shift
  const visible = isNarrow ? visibleOf(context, filter) : visibleAmongAll(context.actor)
  const condition = sql`${visible}${andAll(conditions(filter, query))}`
  if (page.keyset) {
    const from = isOwn(context, filter) ? sql`from participation p` : isNarrow ? joinedPerRow : matching
    const { rows, ...rest } = await findPositioned(context, { from, where: condition }, page)
    return { ...rest, rows: await complete(context, filter, rows) }
  }
  const where = sql`where ${condition}`
  const unfiltered = unfilteredStates(context, filter, query)
  if (unfiltered && isByUser(context)) {
    const { count, text } = await findUnfiltered(context, unfiltered, where, page)
    const rows = () => complete(context, filter, readJsonRows(columnsFor(context), text))
    return filter.comments ? { count, rows: await rows() } : { count, rows, fingerprint: fingerprintOf(context, text) }
  }
  const { count, rows } = isNarrow
    ? await findNarrow(context, where, page, isOwn(context, filter))
    : await findWide(context, where, page)
  return { count, rows: await complete(context, filter, rows) }
}

/**
 * Records without comments follow from the text, the day (ages) and the time zone. With the key, because the text has birth dates that
 * not all callers may see.
 */
const fingerprintOf = ({ now, site }: RequestContext, text: JsonRows): string =>
  site.keyring.fingerprint(`participations\n${dayOf(now, site.timeZone)} ${site.timeZone}\n${text}`).toString('base64url')

const isOwn = ({ actor }: RequestContext, { userId }: ParticipationFilter): boolean =>
  actor.kind === 'user' && userId === actor.userId

/** Own participations make their event visible, except imported ones in state 4. */
function visibleOf(context: RequestContext, filter: ParticipationFilter): Condition {
  const { actor } = context
  if (filter.states === 'managed')
    return sql`(e.deleted_at is null and ${changeableBy(actor)} or p.state in (0, 1) and ${visibleParticipations(actor)})`
  if (!isOwn(context, filter)) return visibleParticipations(actor)
  if (filter.cancelled)
    return sql`p.state <> 4 and ${inEvent(sql`e.active and e.cancelled_at is not null and e.deleted_at is null`)}`
  return sql`p.listed_audience_id is not null and (p.state <> 4 or ${inEvent(visibleTo(actor))})`
}

/** For few rows: one query counts and pages, and joins people to the rows of the page only. */
async function findNarrow(
  context: RequestContext,
  where: Condition,
  page: Pagination,
  isOwn: boolean,
): Promise<{ count: number; rows: Row[] }> {
  const { count, rows } = await findCounted(
    context,
    { columns: sql`p.id`, from: sql`${isOwn ? sql`from participation p` : joinedPerRow} ${where}`, order: sql`p.id` },
    page,
    (chosen) => sql<Counted<Row>>`select ${columns(context)}, chosen.count ${pageOf(chosen)} order by p.id`,
  )
  return { count, rows }
}

/** For possibly all rows: the page uses the primary key, and a second query counts. */
async function findWide(context: RequestContext, where: Condition, page: Pagination): Promise<{ count: number; rows: Row[] }> {
  const [counted, found] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count ${matching} ${where}`.execute(context.db),
    readPage(context, chooseWide(where, page)),
  ])
  return { count: counted.rows[0]!.count, rows: readJsonRows(columnsFor(context), found) }
}

/** Ids only, so that rows before the page cost little. */
const chooseWide = (where: Condition, { limit, offset }: Pagination): RawBuilder<unknown> =>
  sql`select p.id ${matching} ${where} order by p.id limit ${limit} offset ${offset}`

async function readPage(context: RequestContext, chosen: RawBuilder<unknown>, where: Condition = sql`true`): Promise<JsonRows> {
  const { participations } = await rowsOf(context.db).one(sql<{ participations: JsonRows }>`
    select ${jsonRows(columnsFor(context), sql`p.id`)} as participations ${pageOf(chosen)} where ${where}`)
  return participations
}

/** The states of a list whose only condition is the state; in all states only for callers who may view all profiles. */
function unfilteredStates(
  { actor }: RequestContext,
  filter: ParticipationFilter,
  query: ParticipationQuery,
): 'taking-part' | 'all' | undefined {
  const { length } = conditions(filter, query)
  if (filter.states === 'taking-part') return length === 1 ? 'taking-part' : undefined
  return filter.states === 'all' && length === 0 && hasPermission(actor, 'view_user') ? 'all' : undefined
}

type PageOfIds = { count: number; ids: number[] }

/** Most callers see enough of the first rows. Everybody else gets the rows in another way. */
async function chooseUnfiltered(
  context: RequestContext & { actor: UserActor },
  states: 'taking-part' | 'all',
  where: Condition,
  page: Pagination,
): Promise<PageOfIds> {
  const { rows } = await sql<PageOfIds>`
    select (${countUnfiltered(context, states)}) as count, array(${chooseInOrder(context, page, states)}) as ids`.execute(
    context.db,
  )
  const { count, ids } = rows[0]!
  if (ids.length >= Math.min(page.limit, count - page.offset)) return { count, ids }
  const chosen = states === 'all' ? chooseWide(where, page) : chooseByAudience(context, page)
  const other = await sql<{ ids: number[] }>`select array(${chosen}) as ids`.execute(context.db)
  return { count, ids: other.rows[0]!.ids }
}

/** The count and the ids are remembered; what the rows show is read each time. */
async function findUnfiltered(
  context: RequestContext & { actor: UserActor },
  states: 'taking-part' | 'all',
  where: Condition,
  page: Pagination,
): Promise<{ count: number; text: JsonRows }> {
  const { count, ids } = await rememberPage(`participations ${states}`, context, page, () =>
    chooseUnfiltered(context, states, where, page),
  )
  // Without those that were withdrawn after the ids had been read.
  const isStillThere = states === 'all' ? isInAnyState : takesPart
  return { count, text: await readPage(context, sql`select unnest(${ids}::bigint[]) as id`, isStillThere) }
}

/** By position: people are joined to the rows of the page only. */
function findPositioned(
  context: RequestContext,
  { from, where }: { from: RawBuilder<unknown>; where: Condition },
  page: Pagination,
): Promise<PagedRows<Row>> {
  return findAfter(
    context,
    { columns: { id: sql`p.id` }, from, where, order: byId(sql`p.id`) },
    page,
    (chosen) => sql<Paged<Row>>`select ${columns(context)}, chosen.count, chosen.keys ${pageOf(chosen)} order by p.id`,
  )
}

export async function getParticipation(
  context: RequestContext,
  filter: ParticipationFilter,
  id: number,
  query: ParticipationQuery,
): Promise<ParticipationRow | undefined> {
  const { rows } = await sql<Row & Details>`
    select ${columns(context)}, ${answersOf(sql`p.id`)} as answers,
      exists (select from participation_comment c where c.participation_id = p.id) as has_comments
    ${matching} ${people}
    where p.id = ${id} and ${visibleOf(context, filter)}${andAll(conditions(filter, query))}`.execute(context.db)
  return (await complete(context, filter, rows))[0]
}

/** Requested and confirmed participations that the caller sees, of events that the caller sees. */
export async function findParticipationsOf(
  context: RequestContext,
  of: 'event' | 'shift',
  ids: readonly number[],
): Promise<ParticipationRow[]> {
  const owner = of === 'event' ? sql`p.event_id` : sql`p.shift_id`
  const { rows } = await sql<Row>`
    select ${columns(context)} ${joinedPerRow} ${people}
    where ${owner} = any (${ids}::bigint[]) and p.state in (0, 1) and ${visibleParticipations(context.actor)}
    order by p.id`.execute(context.db)
  return complete(context, { states: 'taking-part', comments: false }, rows)
}

/** Writes of the API read within their transaction. */
type ReadContext = RequestContext & { committed?: RequestContext['db'] }

async function complete(
  context: ReadContext,
  filter: ParticipationFilter,
  rows: (Row & Partial<Details>)[],
): Promise<ParticipationRow[]> {
  if (!rows.length) return []
  const showsComments = filter.comments && rows.some(({ has_comments }) => has_comments !== false)
  const today = dayOf(context.now, context.site.timeZone)
  const [catalogue, comments] = await Promise.all([
    requireCatalogue(context.db, rows[0]!.catalogue_version, context.committed),
    showsComments ? findComments(context, rows) : new Map<number, Comment[]>(),
  ])
  return rows.map((row) => ({ ...row, catalogue, today, comments: comments.get(row.id) ?? [] }))
}

/** Comments of level 0 are visible to responsibles, 1 also to the participant, 2 to all who see the participant. */
async function findComments({ db, actor }: RequestContext, rows: Row[]): Promise<Map<number, Comment[]>> {
  const ids = rows.map(({ id }) => id)
  const found = await sql<Comment>`
    select c.participation_id, c.text, c.created_at::text as created_at, c.visible_for, c.author_kind, author.display_name as author,
      ${changeableBy(actor)} as is_responsible
    from participation_comment c join participation p on p.id = c.participation_id join event e on e.id = p.event_id
    left join user_profile author on author.id = c.author_id
    where c.participation_id = any (${ids}::bigint[]) order by c.created_at, c.id`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const seen = found.rows.filter(({ participation_id, visible_for, is_responsible }) => {
    const row = byId.get(participation_id)!
    const isOwn = actor.kind === 'user' && row.user_id === actor.userId
    return is_responsible || visible_for === 2 || (isOwn && visible_for === 1)
  })
  return Map.groupBy(seen, ({ participation_id }) => participation_id)
}
