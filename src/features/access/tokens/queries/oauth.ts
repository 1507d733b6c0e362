import { type Kysely, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type ValidOAuthToken = {
  userId: number
  clientId: string
  grantId: number
  scopes: string[]
  createdAt: Date
  expiresAt: Date
}

/** A valid access token as the OAuth provider needs it, under the same conditions as for every bearer token. No other kind has a grant. */
export async function getOAuthToken(db: Kysely<DB>, token: string, now: Date): Promise<ValidOAuthToken | undefined> {
  // never null: userId, grantId, expiresAt (the joins and the condition compare them)
  return rowsOf(db).first(sql<ValidOAuthToken>`
    select t.user_id as "userId", a.client_id as "clientId", t.grant_id as "grantId", t.scopes,
      t.created_at as "createdAt", t.expires_at as "expiresAt"
    from access_token t
    join user_profile u on u.id = t.user_id
    join oauth_grant g on g.id = t.grant_id
    join oauth_application a on a.id = t.application_id
    where t.token_hash = ${hashSecret(token)} and t.revoked_at is null and t.expires_at > ${now} and u.is_active
      and g.revoked_at is null and a.disabled_at is null`)
}
