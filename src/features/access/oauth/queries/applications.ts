import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type Application = {
  id: number
  clientId: string
  name: string
  redirectUris: string[]
  allowedScopes: string[]
  allowedOrigins: string[]
  requirePkce: boolean
  trusted: boolean
  isPublic: boolean
  allowsDevices: boolean
  isForAssistants: boolean
  postLogoutRedirectUris: string[]
  disabledAt: Date | null
  createdAt: Date
}
export type ApplicationWithUse = Application & { lastUsedAt: Date | null; people: number }

const columns = sql`a.id, a.client_id as "clientId", a.name, a.redirect_uris as "redirectUris", a.allowed_scopes as "allowedScopes",
  a.allowed_origins as "allowedOrigins", a.require_pkce as "requirePkce", a.trusted, a.disabled_at as "disabledAt",
  a.created_at as "createdAt", a.is_public as "isPublic", a.allows_devices as "allowsDevices", a.is_for_assistants as "isForAssistants",
  a.post_logout_redirect_uris as "postLogoutRedirectUris"`

/** Applications that administrators registered. Those of partners are listed on the federation pages. */
export async function findApplications(db: Kysely<DB>): Promise<ApplicationWithUse[]> {
  return rowsOf(db).all(sql<ApplicationWithUse>`
    select ${columns}, greatest(a.last_used_at, (select max(t.last_used_at) from access_token t where t.application_id = a.id)) as "lastUsedAt",
      (select count(*)::int from oauth_consent c where c.application_id = a.id) as people
    from oauth_application a where a.purpose = 'client' order by lower(a.name), a.id`)
}

export async function getApplication(db: Kysely<DB>, id: number): Promise<ApplicationWithUse | undefined> {
  return rowsOf(db).first(sql<ApplicationWithUse>`
    select ${columns}, greatest(a.last_used_at, (select max(t.last_used_at) from access_token t where t.application_id = a.id)) as "lastUsedAt",
      (select count(*)::int from oauth_consent c where c.application_id = a.id) as people
    from oauth_application a where a.purpose = 'client' and a.id = ${id}`)
}

export type Client = Application & { secretHash: string; isPartner: boolean }

/** Disabled applications count as unknown. */
export async function getClient(db: Kysely<DB>, clientId: string): Promise<Client | undefined> {
  // PostgreSQL rejects NUL, so no stored id contains it.
  if (clientId.includes('\0')) return undefined
  return rowsOf(db).first(sql<Client>`
    select ${columns}, a.client_secret_hash as "secretHash", a.purpose = 'federation' as "isPartner"
    from oauth_application a where a.client_id = ${clientId} and a.disabled_at is null`)
}

export async function isAllowedOrigin(db: Kysely<DB>, origin: string): Promise<boolean> {
  return rowsOf(db).exists(sql`
    select from oauth_application where disabled_at is null and ${origin} = any(allowed_origins) limit 1`)
}
