import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type AccountFacts = {
  id: number
  name: string
  email: string
  emailInvalid: boolean
  username: string | null
  language: string
  /** Names. */
  groups: string[]
}

/** Undefined for inactive people. */
export async function getAccount(db: Kysely<DB>, accountId: string): Promise<AccountFacts | undefined> {
  if (!/^\d{1,15}$/.test(accountId)) return undefined
  return rowsOf(db).first(sql<AccountFacts>`
    select id, display_name as name, email, email_invalid as "emailInvalid", username, preferred_language as language,
      array(select g.name from user_group_member m join user_group g on g.id = m.group_id where m.user_id = user_profile.id order by lower(g.name), g.id) as groups
    from user_profile where id = ${Number(accountId)} and is_active and not is_service_account`)
}

/** When the person entered the password in this session. */
export async function getSignInTime(db: Kysely<DB>, sessionHash: Buffer): Promise<Date | undefined> {
  const row = await db.selectFrom('session').select('created_at').where('id_hash', '=', sessionHash).executeTakeFirst()
  return row?.created_at
}

export async function getConsent(db: Kysely<DB>, userId: number, applicationId: number): Promise<string[]> {
  const row = await db
    .selectFrom('oauth_consent')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row?.scopes ?? []
}

export type AuthorizedApplication = {
  id: number
  name: string
  scopes: string[]
  redirectUris: string[]
  grantedAt: Date
  lastUsedAt: Date | null
}

/** Includes applications of partners, because they read personal data, too. */
export async function findAuthorizedApplications(db: Kysely<DB>, userId: number): Promise<AuthorizedApplication[]> {
  return rowsOf(db).all(sql<AuthorizedApplication>`
    select a.id, a.name, c.scopes, a.redirect_uris as "redirectUris", c.granted_at as "grantedAt",
      greatest(c.last_used_at, (select max(t.last_used_at) from access_token t where t.application_id = a.id and t.user_id = c.user_id)) as "lastUsedAt"
    from oauth_consent c join oauth_application a on a.id = c.application_id
    where c.user_id = ${userId} order by lower(a.name), a.id`)
}
