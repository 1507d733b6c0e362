import { type Kysely, sql } from 'kysely'
import { changeableBy, openTo } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Category, Resource, Use } from './rules.ts'

export async function findCategories(db: Kysely<DB>): Promise<Category[]> {
  return rowsOf(db).all(sql<Category>`
    select c.id, c.name, c.version, (select count(*) from resource r where r.category_id = c.id)::int as count
    from resource_category c order by lower(c.name), c.id`)
}

export const findResources = (db: Kysely<DB>): Promise<Resource[]> =>
  db.selectFrom('resource').select(['id', 'title', 'category_id', 'version']).orderBy('title').orderBy('id').execute()

export const getResource = (db: Kysely<DB>, id: number): Promise<Resource | undefined> =>
  db.selectFrom('resource').select(['id', 'title', 'category_id', 'version']).where('id', '=', id).executeTakeFirst()

export type AllocatedShift = { id: number; eventId: number; eventTitle: string; label: string; start: Date; end: Date }

/** A shift whose resources the actor may choose. */
export async function getAllocatedShift(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  shiftId: number,
): Promise<AllocatedShift | undefined> {
  return rowsOf(db).first(sql<AllocatedShift>`
    select s.id, e.id as "eventId", e.title as "eventTitle", s.label, s.start_time as start, s.end_time as end
    from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`)
}

export const findAllocatedIds = async (db: Kysely<DB>, shiftId: number): Promise<number[]> =>
  (await db.selectFrom('shift_resource').select('resource_id').where('shift_id', '=', shiftId).execute()).map(
    ({ resource_id }) => resource_id,
  )

/** Cancelled events and events in the bin use nothing. */
const uses = ({ actor }: Pick<RequestContext, 'actor'>) => sql`
  select u.resource_id as "resourceId", s.id as "shiftId", e.id as "eventId",
    case when ${openTo(actor)} then e.title end as "eventTitle", case when ${openTo(actor)} then s.label else '' end as label,
    s.start_time as start, s.end_time as end
  from shift_resource u join shift s on s.id = u.shift_id join event e on e.id = s.event_id
  where e.deleted_at is null and e.cancelled_at is null`

/** Uses of all resources by other shifts at the same time. */
export async function findOverlaps(context: RequestContext, { id, start, end }: AllocatedShift): Promise<Use[]> {
  return rowsOf(context.db).all(sql<Use>`
    ${uses(context)} and s.id <> ${id} and s.start_time < ${end} and s.end_time > ${start} order by s.start_time, s.id`)
}

export async function findUses(context: RequestContext, from: Date, until: Date): Promise<Use[]> {
  return rowsOf(context.db).all(sql<Use>`
    ${uses(context)} and s.start_time < ${until} and s.end_time > ${from} order by s.start_time, s.id`)
}

export type ShiftResource = { shiftId: number; title: string; isShared: boolean }

/** Resources of the shifts of an event. Shared: another shift uses the resource at the same time. */
export async function findResourcesOfEvent({ db }: RequestContext, eventId: number): Promise<ShiftResource[]> {
  return rowsOf(db).all(sql<ShiftResource>`
    select u.shift_id as "shiftId", r.title, exists (
      select from shift_resource o join shift t on t.id = o.shift_id join event e on e.id = t.event_id
      where o.resource_id = u.resource_id and t.id <> s.id and t.start_time < s.end_time and t.end_time > s.start_time
        and e.deleted_at is null and e.cancelled_at is null
    ) as "isShared"
    from shift s join shift_resource u on u.shift_id = s.id join resource r on r.id = u.resource_id
    where s.event_id = ${eventId} order by r.title, r.id`)
}

export type ResourceRow = { id: number; title: string; category_id: number; category_name: string }
export type CategoryRow = { id: number; name: string }

const resourceColumns = { id: sql`r.id`, title: sql`r.title`, category_id: sql`c.id`, category_name: sql`c.name` }
const resources = sql`from resource r join resource_category c on c.id = r.category_id`
const categoryColumns = { id: sql`c.id`, name: sql`c.name` }

/** For the API, by id. */
export function findResourceRows({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<ResourceRow>> {
  const listing = { columns: resourceColumns, from: resources, where: sql`true`, order: byId(sql`r.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<ResourceRow>>`${chosen}`)
}

export async function getResourceRow({ db }: { db: Kysely<DB> }, id: number): Promise<ResourceRow | undefined> {
  return rowsOf(db).first(sql<ResourceRow>`select ${selected(resourceColumns)} ${resources} where r.id = ${id}`)
}

/** For the API, by id. */
export function findCategoryRows({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<CategoryRow>> {
  const listing = { columns: categoryColumns, from: sql`from resource_category c`, where: sql`true`, order: byId(sql`c.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<CategoryRow>>`${chosen}`)
}

export async function getCategoryRow({ db }: { db: Kysely<DB> }, id: number): Promise<CategoryRow | undefined> {
  return rowsOf(db).first(sql<CategoryRow>`
    select ${selected(categoryColumns)} from resource_category c where c.id = ${id}`)
}
