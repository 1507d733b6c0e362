import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { credentialKey, type UserActor } from '#platform/auth/actor.ts'
import type { AnswerSubjects } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { Problem } from './problem.ts'

export const IDEMPOTENCY_HOURS = 24
export const MAX_KEY_LENGTH = 255

/**
 * One key of one credential, which `key` is a digest of: another token of the same person may read less, and must not get the answer.
 * `requestHash` tells a repeated request from another one.
 */
export type IdempotencyKey = { userId: number; key: string; requestHash: Buffer }

type KeyedRequest = { actor: UserActor; key: string; method: string; url: string; body: string }

export function makeKey({ actor, key, method, url, body }: KeyedRequest): IdempotencyKey {
  // A refreshed token of the same grant can have fewer scopes than the one that got the answer.
  const scopes = actor.via.kind === 'token' ? [...actor.via.scopes].sort().join(' ') : ''
  return {
    userId: actor.userId,
    key: hash('sha256', `${credentialKey(actor)}\n${key}`, 'base64url'),
    requestHash: hash('sha256', [scopes, method, url, body].join('\n'), 'buffer'),
  }
}

/** A response as it is sent and stored. */
export type StoredResponse = { status: number; headers: Record<string, string>; body: string | undefined }

/** Undefined without the header. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && header.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(header)) return header
  const detail = `1 to ${MAX_KEY_LENGTH} visible ASCII characters, once.`
  throw new Problem('invalid_input', { errors: [{ parameter: 'Idempotency-Key', code: 'invalid_key', detail }] })
}

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
  // The statement has locked the row, so nobody can delete it meanwhile.
  const stored = await tx
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!stored.request_hash.equals(requestHash)) throw new Problem('idempotency_key_reused')
  return {
    status: stored.status!,
    headers: stored.headers as Record<string, string>,
    body: stored.body ?? undefined,
  }
}

/** `about`: whom and what the response tells about. */
export async function storeResponse(
  tx: Tx,
  { userId, key }: IdempotencyKey,
  { status, headers, body }: StoredResponse,
  about?: AnswerSubjects,
): Promise<void> {
  await tx
    .updateTable('idempotency_key')
    .set({
      status,
      headers: JSON.stringify(headers),
      body: body ?? null,
      about: [...(about?.users ?? [])],
      about_records: [...(about?.records ?? [])],
    })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

/** A job: deletes responses that are not repeated any more. */
export async function deleteExpiredKeys(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('created_at', '<=', expiryAt(now)).execute()
}

/** For the deletion of people without an account: stored responses that tell about these records of theirs, as `kind id`. */
export async function deleteKeysAboutRecords(tx: Tx, records: readonly string[]): Promise<void> {
  await sql`delete from idempotency_key where about_records && ${records}::text[]`.execute(tx)
}

const SEARCHED_AT_ONCE = 500

type ErasedPerson = {
  userId: number
  /** Finds what identifies the person in texts. */
  pattern: string | undefined
  /** Searched as values of their own, because a short name can be an ordinary word in a text. */
  names: readonly string[]
  unseal: Keyring['unseal']
}

/** For the merge of two accounts: what is about the other one is about the remaining one from then on. */
export async function moveKeysAbout(tx: Tx, otherId: number, remainingId: number): Promise<void> {
  await sql`update idempotency_key set about = array_replace(about, ${otherId}::bigint, ${remainingId}::bigint)
    where about @> array[${otherId}::bigint]`.execute(tx)
}

/**
 * For the erasure of a person: stored responses to them and about them, and others that contain what identifies them, in a text for
 * example. Bodies are sealed, so they are unsealed here; one that cannot be unsealed can be repeated by nobody and is deleted, too.
 */
export async function deleteKeysAbout(tx: Tx, { userId, pattern, names, unseal }: ErasedPerson): Promise<void> {
  await sql`delete from idempotency_key where user_id = ${userId} or about @> array[${userId}::bigint]`.execute(tx)
  const values = names.map((name) => JSON.stringify(name))
  let last = { user_id: 0, key: '' }
  for (;;) {
    const { rows } = await sql<{ user_id: number; key: string; body: string | null }>`
      select user_id, key, body from idempotency_key where (user_id, key) > (${last.user_id}, ${last.key})
      order by user_id, key limit ${SEARCHED_AT_ONCE}`.execute(tx)
    if (!rows.length) return
    last = rows.at(-1)!
    const read = rows.map(({ user_id, key, body }) => ({ user_id, key, body: readSealed(body, unseal) ?? null }))
    await sql`
      delete from idempotency_key k using jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as read (user_id bigint, key text, body text)
      where k.user_id = read.user_id and k.key = read.key
        and (read.body is null or read.body ~ ${pattern ?? null} or k.headers::text ~ ${pattern ?? null}
          or exists (select from unnest(${values}::text[]) as value where strpos(read.body, value) > 0))`.execute(tx)
  }
}

/** Undefined if it cannot be read. */
function readSealed(body: string | null, unseal: Keyring['unseal']): string | undefined {
  try {
    return body === null ? '' : unseal(body)
  } catch {
    return undefined
  }
}
