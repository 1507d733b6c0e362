import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { Problem } from './problem.ts'

export const IDEMPOTENCY_HOURS = 24
export const MAX_KEY_LENGTH = 255

/** One key of one person. `requestHash` tells a repeated request from another one. */
export type IdempotencyKey = { userId: number; key: string; requestHash: Buffer }

/** A response as it is sent and stored. */
export type StoredResponse = { status: number; headers: Record<string, string>; body: string | undefined }

/** Undefined without the header. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && header.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(header)) return header
  const detail = `1 to ${MAX_KEY_LENGTH} visible ASCII characters, once.`
  throw new Problem('invalid_input', { errors: [{ parameter: 'Idempotency-Key', code: 'invalid_key', detail }] })
}

export const hashRequest = (method: string, url: string, body: string): Buffer =>
  hash('sha256', `${method}\n${url}\n${body}`, 'buffer')

const expiryAt = (now: Date): Date => new Date(now.getTime() - IDEMPOTENCY_HOURS * 3600_000)
const STATEMENT_TIMEOUT = '57014'

/**
 * Reserves the key in the transaction of the request. A second request with the same key waits here until the first has ended: it gets
 * the stored response, or runs itself if the first one was rolled back.
 */
export async function claimKey(
  tx: Tx,
  { userId, key, requestHash }: IdempotencyKey,
  now: Date,
): Promise<StoredResponse | undefined> {
  const claimed = await sql`
    insert into idempotency_key (user_id, key, request_hash, created_at) values (${userId}, ${key}, ${requestHash}, ${now})
    on conflict (user_id, key) do update set request_hash = excluded.request_hash, created_at = excluded.created_at
      where idempotency_key.created_at <= ${expiryAt(now)}
    returning key`
    .execute(tx)
    .catch((cause: { code?: string }) => {
      if (cause.code === STATEMENT_TIMEOUT) throw new Problem('conflict', { headers: { 'retry-after': '5' }, cause })
      throw cause
    })
  if (claimed.rows.length) return undefined
  const stored = await tx
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!stored) throw new Problem('conflict', { headers: { 'retry-after': '1' } })
  if (!stored.request_hash.equals(requestHash)) throw new Problem('idempotency_key_reused')
  return {
    status: stored.status!,
    headers: stored.headers as Record<string, string>,
    body: stored.body ?? undefined,
  }
}

export async function storeResponse(
  tx: Tx,
  { userId, key }: IdempotencyKey,
  { status, headers, body }: StoredResponse,
): Promise<void> {
  await tx
    .updateTable('idempotency_key')
    .set({ status, headers: JSON.stringify(headers), body: body ?? null })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

/** A job: deletes responses that are not repeated any more. */
export async function deleteExpiredKeys(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('created_at', '<=', expiryAt(now)).execute()
}

/** For the erasure of a person: stored responses to them, and those to others that contain what identifies them. */
export async function deleteKeysAbout(tx: Tx, userId: number, pattern: string | undefined): Promise<void> {
  await tx.deleteFrom('idempotency_key').where('user_id', '=', userId).execute()
  if (pattern !== undefined)
    await sql`delete from idempotency_key where body ~ ${pattern} or headers::text ~ ${pattern}`.execute(tx)
}
