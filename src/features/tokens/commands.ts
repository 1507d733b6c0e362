import type { Doing } from '#platform/auth/ask.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { judgeToken, TOKEN_PREFIX, type TokenRefusal, type TokenWish } from './rules.ts'

export type NewToken = { ok: true; id: number; token: string; expiresAt: Date } | { ok: false; reasons: TokenRefusal[] }

const DAY = 24 * 3600 * 1000

/** The value is returned once and never stored. */
export async function createPersonalToken(doing: Doing, userId: number, wish: TokenWish): Promise<NewToken> {
  const reasons = judgeToken(wish, doing.site.tokenMaxDays)
  if (reasons.length) return { ok: false, reasons }
  const token = `${TOKEN_PREFIX}${randomSecret(40)}`
  const expiresAt = new Date(doing.now.getTime() + wish.days * DAY)
  return transact(doing.db, async (tx) => {
    const { id } = await tx
      .insertInto('access_token')
      .values({
        token_hash: hashSecret(token),
        kind: 'personal',
        user_id: userId,
        scopes: [...new Set(wish.scopes)],
        description: wish.description.trim(),
        created_at: doing.now,
        expires_at: expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const changes = { scopes: wish.scopes, expires_at: expiresAt }
    await record(tx, doing, { kind: 'token.created', subject: { kind: 'access_token', id }, changes })
    return { ok: true, id, token, expiresAt }
  })
}
