import { type Kysely, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** A device that waits for a person's decision. */
export type WaitingDevice = { applicationId: number; clientId: string; name: string; scope: string }

/** Undefined: the code is unknown, expired or decided, or its application was disabled. */
export async function getWaitingDevice(db: Kysely<DB>, userCode: string, now: Date): Promise<WaitingDevice | undefined> {
  return rowsOf(db).first(sql<WaitingDevice>`
    select a.id as "applicationId", a.client_id as "clientId", a.name, coalesce(o.payload->'params'->>'scope', '') as scope
    from oauth_object o join oauth_application a on a.id = o.application_id
    where o.model = 'DeviceCode' and o.uid_hash = ${hashSecret(userCode)} and o.user_id is null and o.used_at is null
      and not o.payload ? 'error' and o.expires_at > ${now} and a.disabled_at is null and a.allows_devices`)
}
