import type { Kysely } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'

export type GuestInstance = { id: number; name: string; url: string; clientId: string; clientSecret: string }

export async function getGuest(
  db: Kysely<DB>,
  { keyring }: Pick<Site, 'keyring'>,
  id: number,
): Promise<GuestInstance | undefined> {
  const row = await db
    .selectFrom('federated_guest')
    .select(['id', 'name', 'url', 'client_id', 'client_secret_sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      name: row.name,
      url: row.url,
      clientId: row.client_id,
      clientSecret: keyring.unseal(row.client_secret_sealed),
    }
  )
}

/** Without the client secret. */
export type PublicGuest = Pick<GuestInstance, 'id' | 'name' | 'url' | 'clientId'>

export async function getPublicGuest(db: Kysely<DB>, id: number): Promise<PublicGuest | undefined> {
  const row = await db
    .selectFrom('federated_guest')
    .select(['id', 'name', 'url', 'client_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, url: row.url, clientId: row.client_id }
}
