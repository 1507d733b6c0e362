import type { Kysely } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret, UnknownKeyError } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'

/** `unreadable`: sealed with a key that no longer exists. */
type CalendarToken = { token: string } | 'unreadable' | undefined

export async function getCalendarToken({ db, actor, site }: RequestContext): Promise<CalendarToken> {
  if (actor.kind !== 'user') return undefined
  const row = await db
    .selectFrom('user_profile')
    .select(['calendar_token_hash as hash', 'calendar_token_sealed as sealed'])
    .where('id', '=', actor.userId)
    .executeTakeFirst()
  if (!row?.hash) return undefined
  if (!row.sealed) return 'unreadable'
  try {
    return { token: site.keyring.unseal(row.sealed) }
  } catch (error) {
    if (error instanceof UnknownKeyError) return 'unreadable'
    throw error
  }
}

/** Undefined if the token is unknown or its owner is inactive. */
export async function getCalendarOwner(
  db: Kysely<DB>,
  token: string,
): Promise<{ userId: number; language: Language } | undefined> {
  const row = await db
    .selectFrom('user_profile')
    .select(['id', 'preferred_language'])
    .where('calendar_token_hash', '=', hashSecret(token))
    .where('is_active', '=', true)
    .executeTakeFirst()
  return row && { userId: row.id, language: row.preferred_language as Language }
}
