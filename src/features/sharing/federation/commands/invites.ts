import { randomBytes } from 'node:crypto'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { formatShareString, parseInstanceUrl } from '../rules/invitations.ts'

const VALID_HOURS = 48

type InviteOutcome = { ok: true; id: number; shareString: string } | { ok: false; reason: 'bad_url' | 'own_url' }

/** Lets one other instance become our guest, once within two days. */
export async function inviteInstance(context: CommandContext, typed: string): Promise<InviteOutcome> {
  const url = parseInstanceUrl(typed)
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
        created_by_id: userIdOrNull(context.actor),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, { kind: 'invite_code.created', subject: { kind: 'invite_code', id }, changes: { url } })
    return { ok: true, id, shareString: formatShareString({ guestUrl: url, code, hostUrl: context.site.url }) }
  })
}

/** Invalidates an unused code. */
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
