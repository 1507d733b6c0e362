import { type RawBuilder, sql } from 'kysely'
import { type Catalogue, catalogueVersion, requireCatalogue } from '#features/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, searchIn } from '#platform/db/conditions.ts'
import type { Nullable } from '#platform/db/nullable.ts'
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

const profileColumns = (now: Date) => sql`
  u.id, u.display_name, u.date_of_birth, u.email, ${validGrants(sql`u.id`, now)} as qualification_ids,
  ${catalogueVersion} as catalogue_version`

async function withCatalogue({ db }: RequestContext, rows: ProfileRow[]): Promise<Profile[]> {
  if (!rows.length) return []
  const catalogue = await requireCatalogue(db, rows[0]!.catalogue_version)
  return rows.map((row) => ({ ...row, catalogue }))
}

const searched = ({ search }: UserQuery) => andAll(searchIn(search, [sql`u.display_name`, sql`u.email`]))

/** Without hidden people; inactive people are included. */
export async function findProfiles(
  context: RequestContext,
  query: UserQuery,
  { limit, offset }: Pagination,
): Promise<{ count: number; rows: Profile[] }> {
  const where = sql`where u.is_visible${searched(query)}`
  const { rows } = await sql<{ count: number } & Nullable<ProfileRow>>`
    select total.count, page.* from (select count(*)::int as count from user_profile u ${where}) total
    left join (select ${profileColumns(context.now)} from user_profile u ${where} order by u.id limit ${limit} offset ${offset}) page on true
    order by page.id`.execute(context.db)
  const found = rows.filter((row): row is { count: number } & ProfileRow => row.id !== null)
  return { count: rows[0]!.count, rows: await withCatalogue(context, found) }
}

export async function getProfile(context: RequestContext, id: number, query: UserQuery): Promise<Profile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${profileColumns(context.now)} from user_profile u where u.id = ${id} and u.is_visible${searched(query)}`.execute(
    context.db,
  )
  return (await withCatalogue(context, rows))[0]
}

export async function getProfileByEmail(context: RequestContext, email: string): Promise<Profile | undefined> {
  // PostgreSQL rejects NUL, so no stored address contains it.
  if (email.includes('\0')) return undefined
  const { rows } = await sql<ProfileRow>`
    select ${profileColumns(context.now)} from user_profile u where lower(u.email) = lower(${email}) and u.is_visible`.execute(
    context.db,
  )
  return (await withCatalogue(context, rows))[0]
}

/** Works for hidden people, too. */
export async function getOwnProfile(context: RequestContext): Promise<Profile | undefined> {
  if (context.actor.kind !== 'user') return undefined
  const { rows } =
    await sql<ProfileRow>`select ${profileColumns(context.now)} from user_profile u where u.id = ${context.actor.userId}`.execute(
      context.db,
    )
  return (await withCatalogue(context, rows))[0]
}
