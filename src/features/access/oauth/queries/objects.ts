import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

type StoredObject = {
  payload: Record<string, unknown>
  createdAt: Date
  usedAt: Date | null
  isExpired: boolean
  grantId: number | null
}

/**
 * A valid code, refresh token or interaction: not expired, grant not revoked, application enabled, person active. Objects
 * that were used after `usedBefore` are not found, so that using them again does not count as reuse. A used code is found
 * after its expiry, too: replaying it revokes the tokens of the first use. So is the code of a device: the device learns that it has expired.
 */
export async function getObject(
  db: Kysely<DB>,
  { model, idHash, now, usedBefore }: { model: string; idHash: Buffer; now: Date; usedBefore: Date },
): Promise<StoredObject | undefined> {
  return rowsOf(db).first(sql<StoredObject>`
    select o.payload, o.created_at as "createdAt", o.used_at as "usedAt",
      coalesce(o.expires_at <= ${now}, false) as "isExpired", o.grant_id as "grantId"
    from oauth_object o
    left join oauth_grant g on g.id = o.grant_id
    left join oauth_application a on a.id = o.application_id
    left join user_profile u on u.id = o.user_id
    where o.model = ${model} and o.id_hash = ${idHash}
      and (o.expires_at is null or o.expires_at > ${now} or (o.model = 'AuthorizationCode' and o.used_at is not null) or o.model = 'DeviceCode')
      and (o.used_at is null or o.used_at < ${usedBefore})
      and g.revoked_at is null and a.disabled_at is null and (u.id is null or u.is_active)`)
}

type StoredGrant = { id: number; payload: Record<string, unknown>; userId: number; clientId: string }

/** By the hash of the library's id or by our numeric id. */
export async function getGrant(db: Kysely<DB>, by: { idHash: Buffer } | { id: number }): Promise<StoredGrant | undefined> {
  const which = 'id' in by ? sql`g.id = ${by.id}` : sql`g.id_hash = ${by.idHash}`
  return rowsOf(db).first(sql<StoredGrant>`
    select g.id, g.payload, g.user_id as "userId", a.client_id as "clientId"
    from oauth_grant g join oauth_application a on a.id = g.application_id
    where ${which} and g.revoked_at is null and a.disabled_at is null`)
}

export type StoredKey = { kid: string; keySealed: string; createdAt: Date; retiredAt: Date | null }

export async function findSigningKeys(db: Kysely<DB>): Promise<StoredKey[]> {
  return rowsOf(db).all(sql<StoredKey>`
    select kid, key_sealed as "keySealed", created_at as "createdAt", retired_at as "retiredAt"
    from oauth_signing_key order by created_at desc, kid`)
}
