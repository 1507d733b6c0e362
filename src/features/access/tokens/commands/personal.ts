import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import {
  checkToken,
  getExpiry,
  MAX_ASSISTANT_DAYS,
  TOKEN_PREFIX,
  type TokenInput,
  type TokenRefusal,
  WARNING_DAYS,
  warningThreshold,
} from '../rules.ts'
import { TOKEN_MAIL_TASK } from '../schema.ts'

export type NewToken = { ok: true; id: number; token: string; expiresAt: Date } | { ok: false; reasons: TokenRefusal[] }

/** The value is returned once and never stored. */
export async function createPersonalToken(context: CommandContext, userId: number, input: TokenInput): Promise<NewToken> {
  const { isForAssistant = false } = input
  const { tokenMaxDays, timeZone } = context.site
  const maxDays = isForAssistant ? Math.min(tokenMaxDays, MAX_ASSISTANT_DAYS) : tokenMaxDays
  const bounds = { now: context.now, timeZone, maxDays }
  const reasons = checkToken(input, bounds)
  const expiresAt = getExpiry(input, bounds)
  if (reasons.length || !expiresAt) return { ok: false, reasons }
  const token = `${TOKEN_PREFIX}${randomSecret(40)}`
  return transact(context.db, async (tx) => {
    const { id } = await tx
      .insertInto('access_token')
      .values({
        token_hash: hashSecret(token),
        kind: 'personal',
        user_id: userId,
        scopes: [...new Set(input.scopes)],
        description: input.description.trim(),
        is_for_assistant: isForAssistant,
        created_at: context.now,
        expires_at: expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const changes = { scopes: input.scopes, expires_at: expiresAt }
    await record(tx, context, { kind: 'token.created', subject: { kind: 'access_token', id }, changes })
    return { ok: true, id, token, expiresAt }
  })
}

/** Undefined: the caller has no such token, or it is already revoked. */
export async function revokeToken(context: CommandContext, id: number): Promise<{ description: string } | undefined> {
  const { actor, now } = context
  if (actor.kind !== 'user') return undefined
  return transact(context.db, async (tx) => {
    const row = await tx
      .updateTable('access_token')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('kind', '=', 'personal')
      .where('user_id', '=', actor.userId)
      .where('revoked_at', 'is', null)
      .returning('description')
      .executeTakeFirst()
    if (row) await record(tx, context, { kind: 'token.revoked', subject: { kind: 'access_token', id } })
    return row
  })
}

/** For a new password and for administrators who revoke all access of a person. */
export async function revokeTokensOf(tx: Tx, { now }: Pick<CommandContext, 'now'>, userId: number): Promise<void> {
  await tx
    .updateTable('access_token')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute()
}

/** For the deletion of a person: descriptions of tokens may contain personal data. */
export async function deleteTokensOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('access_token').where('user_id', '=', userId).execute()
}

/** How long expired and revoked tokens stay in the list. */
const RETENTION_DAYS = 90

/** Deletes tokens of every kind that ended before the retention period. */
export async function deleteEndedTokens(db: Kysely<DB>, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    delete from access_token where least(revoked_at, expires_at) < ${now}::timestamptz - make_interval(days => ${RETENTION_DAYS})
    returning id`.execute(db)
  return rows.length
}

/** Marks each token once and queues its mail in the same transaction. */
export async function queueExpiryMails(db: Kysely<DB>, now: Date): Promise<number> {
  return transact(db, async (tx) => {
    const rows = await tx
      .updateTable('access_token')
      .set({ expiry_warned_at: now })
      .where('kind', '=', 'personal')
      .where('revoked_at', 'is', null)
      .where('expiry_warned_at', 'is', null)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', warningThreshold(now))
      // No warning for tokens that were created for a few days only.
      .where(sql<boolean>`created_at < expires_at - make_interval(days => ${WARNING_DAYS})`)
      .returning('id')
      .execute()
    for (const { id } of rows) {
      await sql`select graphile_worker.add_job(${TOKEN_MAIL_TASK}, json_build_object('tokenId', ${id}::bigint))`.execute(tx)
    }
    return rows.length
  })
}
