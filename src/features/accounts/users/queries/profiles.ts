import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Catalogue, catalogueVersion, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, modifiedSince, searchNames } from '#platform/db/conditions.ts'
import { byId, findPage, type Paged, type PagedRows, selected } from '#platform/db/paged.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { QueryOf } from '#platform/http/parameters.ts'
import type { userParameters } from '../schema.ts'

type UserQuery = QueryOf<typeof userParameters>

type ProfileRow = {
  id: number
  display_name: string
  date_of_birth: string | null
  email: string
  qualification_ids: number[]
  catalogue_version: number
}
export type Profile = Omit<ProfileRow, 'catalogue_version'> & { catalogue: Catalogue }

/** Ids of the qualifications that a person holds now, without expired ones. */
export const validGrants = (userId: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`array(
  select g.qualification_id from qualification_grant g
  where g.user_id = ${userId} and (g.expires_at is null or g.expires_at >= ${now}) order by g.qualification_id)`

const profileColumns = (now: Date) => ({
  id: sql`u.id`,
  display_name: sql`u.display_name`,
  date_of_birth: sql`u.date_of_birth`,
  email: sql`u.email`,
  qualification_ids: validGrants(sql`u.id`, now),
  catalogue_version: catalogueVersion,
})

async function withCatalogue<Row extends ProfileRow>(
  { db }: RequestContext,
  rows: Row[],
): Promise<(Row & { catalogue: Catalogue })[]> {
  if (!rows.length) return []
  const catalogue = await requireCatalogue(db, rows[0]!.catalogue_version)
  return rows.map((row) => ({ ...row, catalogue }))
}

const searched = (query: UserQuery) =>
  andAll([
    ...searchNames(query.search ?? [], [sql`u.display_name`, sql`u.email`]),
    ...(query.email ? [sql`lower(u.email) = any (select lower(address) from unnest(${query.email}::text[]) address)`] : []),
    ...modifiedSince(query, sql`u.id`, (since) => sql`select m.id from user_profile m where m.modified_at >= ${since}`),
  ])

/** Without hidden people; inactive people are included. */
export function findProfiles(context: RequestContext, query: UserQuery, page: Pagination): Promise<PagedRows<Profile>> {
  return pageOfProfiles(context, sql`u.is_visible${searched(query)}`, page)
}

/** Members of a group, without hidden people; inactive people are included. */
export function findMemberProfiles(context: RequestContext, groupId: number, page: Pagination): Promise<PagedRows<Profile>> {
  const isMember = sql`exists (select from user_group_member m where m.group_id = ${groupId} and m.user_id = u.id)`
  return pageOfProfiles(context, sql`u.is_visible and ${isMember}`, page)
}

async function pageOfProfiles(context: RequestContext, where: Condition, page: Pagination): Promise<PagedRows<Profile>> {
  const listing = { columns: profileColumns(context.now), from: sql`from user_profile u`, where, order: byId(sql`u.id`) }
  const { rows, ...rest } = await findPage(context, listing, page, (chosen) => sql<Paged<ProfileRow>>`${chosen}`)
  return { ...rest, rows: await withCatalogue(context, rows) }
}

export async function getProfile(context: RequestContext, id: number, query: UserQuery): Promise<Profile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${selected(profileColumns(context.now))} from user_profile u where u.id = ${id} and u.is_visible${searched(query)}`.execute(
    context.db,
  )
  return (await withCatalogue(context, rows))[0]
}

/** Those of the ids that belong to people in the list of profiles. */
export async function findListedIds(db: Kysely<DB>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select u.id from user_profile u where u.id = any (${ids}::bigint[]) and u.is_visible`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function getProfileByEmail(context: RequestContext, email: string): Promise<Profile | undefined> {
  // PostgreSQL rejects NUL, so no stored address contains it.
  if (email.includes('\0')) return undefined
  const { rows } = await sql<ProfileRow>`
    select ${selected(profileColumns(context.now))} from user_profile u where lower(u.email) = lower(${email}) and u.is_visible`.execute(
    context.db,
  )
  return (await withCatalogue(context, rows))[0]
}

/** Works for hidden people, too. */
export async function getOwnProfile(context: RequestContext): Promise<Profile | undefined> {
  if (context.actor.kind !== 'user') return undefined
  const { rows } =
    await sql<ProfileRow>`select ${selected(profileColumns(context.now))} from user_profile u where u.id = ${context.actor.userId}`.execute(
      context.db,
    )
  return (await withCatalogue(context, rows))[0]
}
