import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getMailedLink, type MailedSecret } from '../queries.ts'
import { makeMailToken } from '../rules.ts'
import { queueLinkMail } from './register.ts'
import { takeWaitingPlaces } from './waiting.ts'

/**
 * Somebody pressed the button behind the link from a mail. From now on the token of the mail opens the page, and the one that was shown
 * to whoever registered does not. Requests that waited for the proof take their places. Returns the token; undefined: the link is not
 * valid (any more).
 */
export async function proveAddress(context: CommandContext, secret: MailedSecret): Promise<string | undefined> {
  const { keyring } = context.site
  const proved = await transact(context.db, async (tx) => {
    const link = await getMailedLink(tx, keyring, secret, { lock: true })
    if (!link) return undefined
    const { actor, email } = link
    const token = makeMailToken(keyring, { id: actor.guestId, email })
    if (link.state === 'current') return { token: 'mailToken' in secret ? secret.mailToken : token, actor, isNew: false }
    await tx
      .updateTable('guest')
      .set({ email_confirmed_at: context.now, access_token_hash: hashSecret(token), access_token_sealed: keyring.seal(token) })
      .where('id', '=', actor.guestId)
      .execute()
    // The link in the mail of an earlier version contains the token that has just ended.
    if ('code' in secret) await queueLinkMail(tx, context, actor.guestId)
    await record(
      tx,
      { ...context, actor },
      { kind: 'guest.address_proved', subject: { kind: 'guest', id: actor.guestId }, eventId: actor.eventId },
    )
    return { token, actor, isNew: true }
  })
  if (!proved) return undefined
  const own = { ...context, actor: proved.actor }
  if (proved.isNew) await takeWaitingPlaces(own)
  return proved.token
}
