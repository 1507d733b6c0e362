import { type Kysely, type RawBuilder, sql } from 'kysely'
import { perDatabase } from '#platform/db/body-cache.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import {
  type CatalogueLine,
  compareCatalogue,
  type ExchangedQualification,
  type ExistingQualification,
} from './rules/catalogue-import.ts'
import type { QualificationRecord } from './schema.ts'

/** All qualifications as the API shows them, by id. */
export type Catalogue = ReadonlyMap<number, QualificationRecord>

/** Select it together with the rows of a request: their ids refer to the catalogue of this version. */
export const catalogueVersion = sql<number>`(select version from catalogue_version where name = 'qualifications')`

/** The ids that each qualification stands for: its own and those that it includes. */
type Inclusions = ReadonlyMap<number, ReadonlySet<number>>
type CachedCatalogue = { version: number; catalogue: Catalogue; inclusions: Inclusions }
const cacheOf = perDatabase((): { last: CachedCatalogue | undefined } => ({ last: undefined }))

/** Cached in memory until the version changes: qualifications are few and change rarely. */
async function requireCached(db: Kysely<DB>, version: number): Promise<CachedCatalogue> {
  const cache = cacheOf(db)
  if (cache.last?.version === version) return cache.last
  const { rows } = await sql<QualificationRecord & { id: number; version: number; includedIds: number[] }>`
    select q.id, q.uuid, q.title, q.abbreviation, c.uuid as category, ${catalogueVersion} as version, included.includes, included."includedIds"
    from qualification q join qualification_category c on c.id = q.category_id
      cross join lateral (
        select coalesce(array_agg(i.uuid::text order by i.id), '{}') as includes, coalesce(array_agg(i.id order by i.id), '{}') as "includedIds"
        from qualification_closure k join qualification i on i.id = k.included_id where k.qualification_id = q.id) included
    order by q.id`.execute(db)
  const catalogue = new Map(
    rows.map(({ id, uuid, title, abbreviation, category, includes }) => [id, { uuid, title, abbreviation, category, includes }]),
  )
  const inclusions = new Map(rows.map(({ id, includedIds }) => [id, new Set([id, ...includedIds])]))
  cache.last = { version: rows[0]?.version ?? version, catalogue, inclusions }
  return cache.last
}

/**
 * A transaction has no cache of its own; one that sees the version of `committed` uses its cache, because nobody else can commit a version
 * that the transaction has made and not committed.
 */
export async function requireCatalogue(db: Kysely<DB>, version: number, committed?: Kysely<DB>): Promise<Catalogue> {
  if (committed) {
    const shared = await requireCached(committed, version)
    if (shared.version === version) return shared.catalogue
  }
  return (await requireCached(db, version)).catalogue
}

/** Outside of transactions. */
export const requireInclusions = async (db: Kysely<DB>, version: number): Promise<Inclusions> =>
  (await requireCached(db, version)).inclusions

export async function loadCatalogue(db: Kysely<DB>): Promise<Catalogue> {
  const { rows } = await sql<{ version: number }>`select ${catalogueVersion} as version`.execute(db)
  return requireCatalogue(db, rows[0]!.version)
}

export const pickQualifications = (catalogue: Catalogue, ids: readonly number[]): QualificationRecord[] =>
  ids.flatMap((id) => catalogue.get(id) ?? [])

/**
 * The qualifications to show next to a name, as a query of `title` and `abbreviation`: those that no other shown
 * qualification of the person includes. A hidden qualification is replaced by its inclusions. `held` is a query of ids.
 */
export const topQualificationsOf = (held: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with granted(id) as (${held}),
    reached as (select id from granted union
      select c.included_id from qualification_closure c join granted g on g.id = c.qualification_id),
    shown as (select q.id, q.title, q.abbreviation from qualification q join qualification_category k on k.id = q.category_id
      where k.show_with_user and q.id in (select id from reached))
  select s.title, s.abbreviation from shown s where not exists (
    select from qualification_closure c join shown o on o.id = c.qualification_id where c.included_id = s.id and o.id <> s.id)`

export type Category = { id: number; uuid: string; title: string; showWithUser: boolean; rank: number; count: number }
export type Qualification = {
  id: number
  uuid: string
  title: string
  abbreviation: string
  categoryId: number
  isImported: boolean
  /** For how long a new grant usually counts. */
  validMonths: number | null
  /** Direct inclusions. */
  includes: number[]
  /** People with a valid grant of this qualification itself. */
  holders: number
}

export async function findCategories(db: Kysely<DB>): Promise<Category[]> {
  return rowsOf(db).all(sql<Category>`
    select c.id, c.uuid, c.title, c.show_with_user as "showWithUser", c.rank,
      (select count(*)::int from qualification q where q.category_id = c.id) as count
    from qualification_category c order by c.rank, lower(c.title), c.id`)
}

export async function findQualifications(db: Kysely<DB>, now: Date): Promise<Qualification[]> {
  return rowsOf(db).all(sql<Qualification>`
    select q.id, q.uuid, q.title, q.abbreviation, q.category_id as "categoryId", q.is_imported as "isImported",
      q.valid_months as "validMonths",
      array(select included_id from qualification_inclusion i where i.qualification_id = q.id order by 1) as includes,
      (select count(*)::int from qualification_grant g
        where g.qualification_id = q.id and (g.expires_at is null or g.expires_at >= ${now})) as holders
    from qualification q order by lower(q.title), q.id`)
}

export const inclusionsOf = (all: readonly Qualification[]): Map<number, number[]> =>
  new Map(all.map(({ id, includes }) => [id, includes]))

type RequiringShift = { eventId: number; title: string; label: string; startTime: Date; endTime: Date }
export type Uses = { shifts: number; eventTypes: string[]; blocks: string[] }

const MAX_SHIFTS = 20

/** A condition on `shift` as `s`: not over and requires the qualification directly. Requirements of building blocks are deleted with it. */
function requires(id: number, now: Date): RawBuilder<unknown> {
  const named = [
    { required_qualification_ids: [id] },
    { teams: [{ qualification: id }] },
    { qualification_requirements: [{ qualification: id }] },
  ].map((each) => JSON.stringify(each))
  return sql`s.end_time > ${now} and s.structure_configuration @> any (${named}::jsonb[])`
}

/** The next shifts. Only for callers who may see all events. */
export async function findShiftsRequiring(db: Kysely<DB>, id: number, now: Date): Promise<RequiringShift[]> {
  return rowsOf(db).all(sql<RequiringShift>`
    select e.id as "eventId", e.title, s.label, s.start_time as "startTime", s.end_time as "endTime"
    from shift s join event e on e.id = s.event_id where ${requires(id, now)} order by s.start_time, s.id limit ${MAX_SHIFTS}`)
}

/** What requires it: current and upcoming shifts, event types, building blocks. */
export async function findUses(db: Kysely<DB>, id: number, now: Date): Promise<Uses> {
  return rowsOf(db).one(sql<Uses>`
    select (select count(*)::int from shift s where ${requires(id, now)}) as shifts,
      array(select t.title from event_type_required_qualification r join event_type t on t.id = r.event_type_id
        where r.qualification_id = ${id} order by lower(t.title)) as "eventTypes",
      array(select b.name from building_block b where exists (
          select from block_position p join block_position_qualification q on q.position_id = p.id
          where p.block_id = b.id and q.qualification_id = ${id})
        or exists (select from block_requirement r join block_requirement_qualification q on q.requirement_id = r.id
          where r.block_id = b.id and q.qualification_id = ${id}) order by lower(b.name)) as blocks`)
}

/** By uuid, as in exported catalogues. */
export async function findExistingQualifications(db: Kysely<DB>): Promise<ExistingQualification[]> {
  return rowsOf(db).all(sql<ExistingQualification>`
    select q.uuid, q.title, q.abbreviation, c.title as category, q.valid_months, array(
      select i.uuid::text from qualification_inclusion e join qualification i on i.id = e.included_id
      where e.qualification_id = q.id order by i.id) as includes
    from qualification q join qualification_category c on c.id = q.category_id order by q.id`)
}

/** Without a period, entries are as other systems write them. */
export async function exportCatalogue(db: Kysely<DB>): Promise<ExchangedQualification[]> {
  const rows = await rowsOf(db).all(sql<ExchangedQualification>`
    select q.uuid, q.title, q.abbreviation, json_build_object('uuid', c.uuid, 'title', c.title) as category,
      array(select i.uuid::text from qualification_inclusion e join qualification i on i.id = e.included_id
        where e.qualification_id = q.id order by i.id) as includes,
      array(select i.uuid::text from qualification_inclusion e join qualification i on i.id = e.qualification_id
        where e.included_id = q.id order by i.id) as included_by,
      q.valid_months
    from qualification q join qualification_category c on c.id = q.category_id order by q.id`)
  return rows.map(({ valid_months, ...entry }) => (valid_months ? { ...entry, valid_months } : entry))
}

export async function compareWithExisting(db: Kysely<DB>, entries: readonly ExchangedQualification[]): Promise<CatalogueLine[]> {
  return compareCatalogue(entries, await findExistingQualifications(db))
}

/** Ids of the qualifications that include it, directly or indirectly. */
export async function findIncluding(db: Kysely<DB>, id: number): Promise<Set<number>> {
  const rows = await db.selectFrom('qualification_closure').select('qualification_id').where('included_id', '=', id).execute()
  return new Set(rows.map(({ qualification_id }) => qualification_id))
}

export type CatalogueEntry = {
  id: number
  uuid: string
  title: string
  abbreviation: string
  category: string
  includes: string[]
  category_id: number
  direct_includes: number[]
  valid_months: number | null
}

const entryColumns = {
  id: sql`q.id`,
  uuid: sql`q.uuid`,
  title: sql`q.title`,
  abbreviation: sql`q.abbreviation`,
  category: sql`c.uuid`,
  includes: sql`array(select i.uuid::text from qualification_closure k join qualification i on i.id = k.included_id
    where k.qualification_id = q.id order by i.id)`,
  category_id: sql`q.category_id`,
  direct_includes: sql`array(select i.included_id from qualification_inclusion i where i.qualification_id = q.id order by 1)`,
  valid_months: sql`q.valid_months`,
}
const entries = { columns: entryColumns, from: sql`from qualification q join qualification_category c on c.id = q.category_id` }

/** For the API, by id. */
export function findCatalogueEntries({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<CatalogueEntry>> {
  const listing = { ...entries, where: sql`true`, order: byId(sql`q.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<CatalogueEntry>>`${chosen}`)
}

export async function getCatalogueEntry({ db }: { db: Kysely<DB> }, id: number): Promise<CatalogueEntry | undefined> {
  return rowsOf(db).first(sql<CatalogueEntry>`select ${selected(entryColumns)} ${entries.from} where q.id = ${id}`)
}

export type CategoryEntry = { id: number; uuid: string; title: string; show_with_user: boolean; rank: number }

const categoryColumns = {
  id: sql`c.id`,
  uuid: sql`c.uuid`,
  title: sql`c.title`,
  show_with_user: sql`c.show_with_user`,
  rank: sql`c.rank`,
}
const categories = { columns: categoryColumns, from: sql`from qualification_category c` }

/** For the API, by id. */
export function findCategoryEntries({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<CategoryEntry>> {
  const listing = { ...categories, where: sql`true`, order: byId(sql`c.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<CategoryEntry>>`${chosen}`)
}

export async function getCategoryEntry({ db }: { db: Kysely<DB> }, id: number): Promise<CategoryEntry | undefined> {
  return rowsOf(db).first(sql<CategoryEntry>`select ${selected(categoryColumns)} ${categories.from} where c.id = ${id}`)
}
