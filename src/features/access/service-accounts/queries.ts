import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Cors } from '#platform/http/cors.ts'

export type ServiceAccount = {
  /** Id of its profile. */
  id: number
  name: string
  isActive: boolean
  scopes: string[]
  groupIds: number[]
  groups: string[]
  networks: string[]
  origins: string[]
  expiresAt: Date | null
  createdAt: Date
  createdBy: string | null
  lastUsedAt: Date | null
  validKeys: number
}

const accounts = (now: Date) => sql<ServiceAccount>`
  select u.id, u.display_name as name, u.is_active as "isActive", s.scopes, s.allowed_networks as networks, s.allowed_origins as origins,
    s.expires_at as "expiresAt", s.created_at as "createdAt",
    (select c.display_name from user_profile c where c.id = s.created_by_id) as "createdBy",
    array(select m.group_id from user_group_member m where m.user_id = u.id order by 1) as "groupIds",
    array(select g.name from user_group g join user_group_member m on m.group_id = g.id where m.user_id = u.id order by lower(g.name)) as groups,
    (select max(t.last_used_at) from access_token t where t.user_id = u.id) as "lastUsedAt",
    (select count(*)::int from access_token t where t.user_id = u.id and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${now})) as "validKeys"
  from service_account s join user_profile u on u.id = s.user_id`

export async function findServiceAccounts(db: Kysely<DB>, now: Date): Promise<ServiceAccount[]> {
  return rowsOf(db).all(sql<ServiceAccount>`${accounts(now)} order by lower(u.display_name), u.id`)
}

export async function getServiceAccount(db: Kysely<DB>, id: number, now: Date): Promise<ServiceAccount | undefined> {
  return rowsOf(db).first(sql<ServiceAccount>`${accounts(now)} where u.id = ${id}`)
}

/** Ignores case, like the rule that names are unique. */
export async function getServiceAccountByName(db: Kysely<DB>, name: string, now: Date): Promise<ServiceAccount | undefined> {
  return rowsOf(db).first(sql<ServiceAccount>`${accounts(now)} where lower(u.display_name) = lower(${name}::text)`)
}

export type ServiceKey = {
  id: number
  /** The last letters of the key. */
  hint: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** Newest first. */
export async function findServiceKeys(db: Kysely<DB>, accountId: number): Promise<ServiceKey[]> {
  return db
    .selectFrom('access_token')
    .select(['id', 'description as hint', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select(['revoked_at as revokedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', accountId)
    .where('kind', '=', 'service')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Pages of these origins may call the API. OAuth has rules of its own. */
export const serviceAccountCors = (db: Database, now: () => Date): Cors => ({
  covers: (path) => path.startsWith('/api/') && !path.startsWith('/api/oauth/'),
  allows: async (origin) => {
    return rowsOf(db.read).exists(sql`
      select from service_account s join user_profile u on u.id = s.user_id
      where u.is_active and (s.expires_at is null or s.expires_at > ${now()}) and ${origin} = any (s.allowed_origins) limit 1`)
  },
})

/** For the mail; undefined: deleted, disabled, or prolonged meanwhile. */
export async function getExpiringAccount(
  db: Kysely<DB>,
  { id, now, until }: { id: number; now: Date; until: Date },
): Promise<{ name: string; expiresAt: Date } | undefined> {
  // never null: expiresAt (the condition compares it)
  return rowsOf(db).first(sql<{ name: string; expiresAt: Date }>`
    select u.display_name as name, s.expires_at as "expiresAt" from service_account s join user_profile u on u.id = s.user_id
    where s.user_id = ${id} and u.is_active and s.expires_at > ${now} and s.expires_at <= ${until}`)
}

/** Administrators who can receive mails. */
export async function findAdministrators(db: Kysely<DB>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from user_profile where is_active and is_visible and not email_invalid and (is_staff or is_superuser) order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
