import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Catalogue, catalogueVersion, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type Row = {
  id: number
  user_id: number
  qualification_id: number
  expires_at: string | null
  is_valid: boolean
  externally_managed: boolean
  catalogue_version: number
}
export type HeldQualification = Row & { catalogue: Catalogue }

/** Whose qualifications: of the caller, or of a person in the list of profiles. */
export type Holder = { userId: number; isOwn: boolean }

const columns = (now: Date) => ({
  id: sql`h.id`,
  user_id: sql`h.user_id`,
  qualification_id: sql`h.qualification_id`,
  expires_at: sql`h.expires_at::text`,
  is_valid: sql`h.expires_at is null or h.expires_at >= ${now}`,
  externally_managed: sql`h.externally_managed`,
  catalogue_version: catalogueVersion,
})
const from = sql`from qualification_grant h join user_profile u on u.id = h.user_id`

const heldBy = ({ userId, isOwn }: Holder): RawBuilder<unknown> =>
  isOwn ? sql`h.user_id = ${userId}` : sql`h.user_id = ${userId} and u.is_visible`

/** With expired ones, by id. Nothing for people who are hidden from the list of profiles. */
export async function findHeldQualifications(
  context: RequestContext,
  holder: Holder,
  page: PageRequest,
): Promise<PagedRows<HeldQualification>> {
  const listing = { columns: columns(context.now), from, where: heldBy(holder), order: byId(sql`h.id`) }
  // never null: is_valid (null is compared first)
  const { rows, ...rest } = await findPage(context, listing, page, (chosen) => sql<Paged<Row>>`${chosen}`)
  return { ...rest, rows: await withCatalogue(context, rows) }
}

export async function getHeldQualification(
  context: RequestContext,
  holder: Holder,
  id: number,
): Promise<HeldQualification | undefined> {
  // never null: is_valid (null is compared first)
  const { rows } = await sql<Row>`
    select ${selected(columns(context.now))} ${from} where h.id = ${id} and ${heldBy(holder)}`.execute(context.db)
  return (await withCatalogue(context, rows))[0]
}

/** The id of a person's qualification, also an expired one. */
export async function getGrantOf(db: Kysely<DB>, userId: number, qualificationId: number): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select h.id from qualification_grant h where h.user_id = ${userId} and h.qualification_id = ${qualificationId}`)
  return row?.id
}

async function withCatalogue({ db }: RequestContext, rows: Row[]): Promise<HeldQualification[]> {
  if (!rows.length) return []
  const catalogue = await requireCatalogue(db, rows[0]!.catalogue_version)
  return rows.map((row) => ({ ...row, catalogue }))
}
