import { randomBytes } from 'node:crypto'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { instanceUrl, writeShareString } from '../rules/invitations.ts'

const VALID_HOURS = 48

export type Invited = { ok: true; id: number; shareString: string } | { ok: false; reason: 'bad_url' | 'own_url' }

/** Lets the administrators of one other instance become our guest, within two days and once. */
export async function inviteInstance(context: CommandContext, typed: string): Promise<Invited> {
  const url = instanceUrl(typed)
  if (!url) return { ok: false, reason: 'bad_url' }
  if (url === context.site.url) return { ok: false, reason: 'own_url' }
  const code = randomBytes(32).toString('hex')
  const expires = new Date(context.now.getTime() + VALID_HOURS * 3600_000)
  return transact(context.db, async (tx) => {
    const { id } = await tx
      .insertInto('invite_code')
      .values({
        url,
        code_hash: hashSecret(code),
        code_sealed: context.site.keyring.seal(code),
        created_at: context.now,
        expires_at: expires,
        created_by_id: context.actor.kind === 'user' ? context.actor.userId : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, { kind: 'invite_code.created', subject: { kind: 'invite_code', id }, changes: { url } })
    return { ok: true, id, shareString: writeShareString({ guestUrl: url, code, hostUrl: context.site.url }) }
  })
}

/** A code that nobody has used opens nothing any more. */
export async function withdrawInvite(context: CommandContext, id: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const gone = await tx
      .deleteFrom('invite_code')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .returning('url')
      .executeTakeFirst()
    if (!gone) return false
    await record(tx, context, { kind: 'invite_code.withdrawn', subject: { kind: 'invite_code', id }, changes: { url: gone.url } })
    return true
  })
}
