import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { recordConsent } from './consents.ts'

/** Updates the waiting device with this code; of several decisions at once, one counts. */
async function decide(tx: Tx, { userCode, now, grantHash, userId, facts }: Decision): Promise<boolean> {
  return rowsOf(tx).exists(sql`
    update oauth_object set payload = payload || ${JSON.stringify(facts)}::jsonb, user_id = ${userId},
      grant_id = (select id from oauth_grant where id_hash = ${grantHash})
    where model = 'DeviceCode' and uid_hash = ${hashSecret(userCode)} and user_id is null and used_at is null
      and not payload ? 'error' and expires_at > ${now}
    returning model`)
}
type Decision = { userCode: string; now: Date; grantHash: Buffer | null; userId: number | null; facts: Record<string, unknown> }

type AllowedDevice = {
  userCode: string
  userId: number
  applicationId: number
  scopes: readonly string[]
  /** Stored already; the device gets its tokens. */
  grantId: string
  signedInAt: Date
}

/** False: the code was used or has expired meanwhile. */
export async function allowDevice(context: CommandContext, device: AllowedDevice): Promise<boolean> {
  const { userCode, userId, applicationId, scopes, grantId, signedInAt } = device
  const { now } = context
  const facts = {
    accountId: String(userId),
    scope: scopes.join(' '),
    authTime: Math.floor(signedInAt.getTime() / 1000),
  }
  return transact(context.db, async (tx) => {
    if (!(await decide(tx, { userCode, now, grantHash: hashSecret(grantId), userId, facts }))) return false
    await recordConsent(tx, { userId, applicationId, scopes, now })
    await record(tx, context, {
      kind: 'application.allowed',
      subject: { kind: 'oauth_application', id: applicationId },
      changes: { scopes },
    })
    return true
  })
}

export async function denyDevice({ db, now }: CommandContext, userCode: string): Promise<boolean> {
  const facts = { error: 'access_denied', errorDescription: 'the person did not allow it' }
  return transact(db, (tx) => decide(tx, { userCode, now, grantHash: null, userId: null, facts }))
}
