import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/catalogue.ts'

export type Recipient = { userId: number; name: string; email: string; language: Language }

/** Undefined for inactive people and service accounts: they get no mails. */
export async function getRecipient(db: Kysely<DB>, userId: number): Promise<Recipient | undefined> {
  const row = await db
    .selectFrom('user_profile')
    .select(['id', 'display_name', 'email', 'preferred_language'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where('is_service_account', '=', false)
    .executeTakeFirst()
  if (!row) return undefined
  return { userId: row.id, name: row.display_name, email: row.email, language: row.preferred_language as Language }
}
