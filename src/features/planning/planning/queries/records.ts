import { type Kysely, type RawBuilder, sql } from 'kysely'
import { changeableBy, openTo, plannedBy } from '#features/events/events/access.ts'
import { eventBodies, shiftBodies } from '#features/events/events/queries/record-bodies.ts'
import { findEventKeysWhere, getEventKeyWhere, getShiftKeyWhere } from '#features/events/events/queries/record-keys.ts'
import { type Actor, hasPermission, userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { findPage, type Paged, type PagedRows, type PageRequest } from '#platform/db/paged.ts'
import type { DB } from '#platform/db/tables.ts'
import type { JsonBytes } from '#platform/http/json.ts'

/** Conditions on `event` as `e`. */
const reachableBy = (actor: Actor) => sql`e.deleted_at is null and (${openTo(actor)} or ${changeableBy(actor)})`
const restorableBy = (actor: Actor) =>
  hasPermission(actor, 'delete_event') ? sql`e.deleted_at is not null and ${changeableBy(actor)}` : sql`false`
const draftOf = (actor: Actor) => {
  const userId = userIdOf(actor)
  return sql`not e.active and e.deleted_at is null and (${plannedBy(actor)} or e.created_by_id = ${userId}::bigint and ${openTo(actor)})`
}

async function getEvent(context: RequestContext, id: number, condition: RawBuilder<unknown>): Promise<JsonBytes | undefined> {
  const key = await getEventKeyWhere(context, id, condition)
  return key && (await eventBodies(context, [key]))[0]
}

/** The record of an event that the caller can open or change, with drafts and cancelled events. */
export const getReachableEvent = (context: RequestContext, id: number) => getEvent(context, id, reachableBy(context.actor))

/** The record of an event that a command has just written, and checked. */
export async function requireWrittenEvent(context: RequestContext, id: number): Promise<JsonBytes> {
  return (await getEvent(context, id, sql`true`))!
}

/** The record of an event in the bin that the caller may restore. */
export const getDeletedEvent = (context: RequestContext, id: number) => getEvent(context, id, restorableBy(context.actor))

export const getDraft = (context: RequestContext, id: number) => getEvent(context, id, draftOf(context.actor))

/** Drafts that the caller may change, and own ones that they can open. */
export async function findDraftRecords(context: RequestContext, page: PageRequest) {
  const { keys, ...found } = await findEventKeysWhere(context, draftOf(context.actor), page)
  return { ...found, rows: () => eventBodies(context, keys) }
}

async function getShift(context: RequestContext, id: number, condition: RawBuilder<unknown>): Promise<JsonBytes | undefined> {
  const key = await getShiftKeyWhere(context, id, condition)
  return key && (await shiftBodies(context, [key]))[0]
}

export const getReachableShift = (context: RequestContext, id: number) => getShift(context, id, reachableBy(context.actor))

export async function requireWrittenShift(context: RequestContext, id: number): Promise<JsonBytes> {
  return (await getShift(context, id, sql`true`))!
}

type HiddenOfEvent = { groups: number[]; responsibleGroups: number[]; responsibleUsers: number[] }

/** What planners change about an event, and the record does not show; undefined for others. */
export async function getEventRevision({ db, actor }: RequestContext, { id }: { id: number }): Promise<string | undefined> {
  const { rows } = await sql<HiddenOfEvent>`
    select array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'view' order by 1) as groups,
      array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as "responsibleGroups",
      array(select g.user_id from event_user_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as "responsibleUsers"
    from event e where e.id = ${id} and ${changeableBy(actor)}`.execute(db)
  return rows[0] && JSON.stringify(rows[0])
}

/** What planners change about a shift, and the record does not show: its questions; undefined for others. */
export async function getShiftRevision({ db, actor }: RequestContext, { id }: { id: number }): Promise<string | undefined> {
  const { rows } = await sql<{ questions: number[] }>`
    select array(select q.question_id from shift_question q where q.shift_id = s.id order by 1) as questions
    from shift s join event e on e.id = s.event_id where s.id = ${id} and ${changeableBy(actor)}`.execute(db)
  return rows[0] && JSON.stringify(rows[0])
}

export type BinRow = {
  id: number
  title: string
  start_time: string | null
  shift_count: number
  participation_count: number
  deleted_at: string
}

/** Deleted events that the caller may restore, the last deleted one first. */
export function findBinRows(context: RequestContext, page: PageRequest): Promise<PagedRows<BinRow>> {
  const listing = {
    columns: {
      id: sql`e.id`,
      title: sql`e.title`,
      start_time: sql`e.start_time::text`,
      shift_count: sql`e.shift_count`,
      participation_count: sql`(select count(*)::int from participation p where p.event_id = e.id and p.state in (0, 1))`,
      deleted_at: sql`e.deleted_at::text`,
    },
    from: sql`from event e`,
    where: restorableBy(context.actor),
    order: [
      { column: sql`e.deleted_at`, type: 'timestamptz' as const, descending: true },
      { column: sql`e.id`, type: 'bigint' as const, descending: true },
    ],
  }
  // never null: deleted_at (only deleted events are selected)
  return findPage(context, listing, page, (chosen) => sql<Paged<BinRow>>`${chosen}`)
}

/** Those of the people who can be made responsible. */
export async function findAssignable(db: Kysely<DB>, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select u.id from user_profile u where u.id = any (${ids}::bigint[]) and u.is_active and u.is_visible`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
