import { type Kysely, sql } from 'kysely'
import { addServiceKey, type NewKey, retireServiceKeys, revokeServiceKey } from '#features/access/tokens/commands/keys.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findAdministrators } from '../queries.ts'
import { getOverlapEnd, warningThreshold } from '../rules.ts'
import { EXPIRY_MAIL_TASK } from '../schema.ts'
import { type Authorize, asAdministrator, lockAccount } from './accounts.ts'

type Rotated = ({ ok: true; name: string; formerUntil: Date } & NewKey) | { ok: false; reason: 'overlap_invalid' }

/** A new key; former ones stay valid for the overlap, so that programs can change over. Undefined: no such account. */
export async function rotateServiceKey(
  context: CommandContext,
  { accountId, overlapHours }: { accountId: number; overlapHours: number },
  authorize: Authorize = asAdministrator,
): Promise<Rotated | undefined> {
  authorize(context.actor)
  const { now } = context
  const until = getOverlapEnd(overlapHours, now)
  if (!until) return { ok: false, reason: 'overlap_invalid' }
  return transact(context.db, async (tx): Promise<Rotated | undefined> => {
    const account = await lockAccount(tx, accountId, now)
    if (!account) return undefined
    await retireServiceKeys(tx, { userId: accountId, now, until })
    const key = await addServiceKey(tx, accountId, now)
    await record(tx, context, {
      kind: 'service_account.key_rotated',
      subject: { kind: 'service_account', id: accountId },
      changes: { key: key.hint, former_valid_until: until },
    })
    return { ok: true, name: account.name, formerUntil: until, ...key }
  })
}

/** Undefined: no such key, or it has already been revoked. */
export async function revokeKey(
  context: CommandContext,
  { accountId, keyId }: { accountId: number; keyId: number },
  authorize: Authorize = asAdministrator,
): Promise<{ hint: string } | undefined> {
  authorize(context.actor)
  const { now } = context
  return transact(context.db, async (tx) => {
    if (!(await lockAccount(tx, accountId, now))) return undefined
    const revoked = await revokeServiceKey(tx, { userId: accountId, keyId, now })
    if (revoked)
      await record(tx, context, {
        kind: 'service_account.key_revoked',
        subject: { kind: 'service_account', id: accountId },
        changes: { key: revoked.hint },
      })
    return revoked
  })
}

/** Marks each account once and queues a mail to each administrator in the same transaction. */
export async function queueExpiryMails(db: Kysely<DB>, now: Date): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update service_account s set expiry_warned_at = ${now}
      from user_profile u where u.id = s.user_id and u.is_active and s.expiry_warned_at is null
        and s.expires_at > ${now} and s.expires_at <= ${warningThreshold(now)}
      returning s.user_id as id`.execute(tx)
    const administrators = rows.length ? await findAdministrators(tx) : []
    for (const { id } of rows)
      for (const userId of administrators)
        await sql`select graphile_worker.add_job(${EXPIRY_MAIL_TASK}, json_build_object('accountId', ${id}::bigint, 'userId', ${userId}::bigint))`.execute(
          tx,
        )
    return rows.length
  })
}
