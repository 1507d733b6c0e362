import { type Kysely, sql } from 'kysely'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { AddressError, type Mail, type Mailer } from '#platform/mail/mail.ts'
import { describeReason, readRefusal } from '#platform/mail/refusals.ts'
import { addressWithToken, type BounceRecipient } from '../rules/bounce-token.ts'
import { makeBounceToken, recordFailure } from './bounces.ts'

type SendingOptions = {
  mailer: Mailer
  db: Database
  clock: Clock
  site: Site
  /** Where reports about mails go to; undefined: to the sender. */
  bounceAddress: string | undefined
}

/**
 * Sends mails to people: not to addresses that do not work, with an envelope sender that names the recipient, and notes whether the server
 * takes mails. A server that refuses the recipient for good makes the address one that does not work.
 */
export function makePeopleMailer({ mailer, db, clock, site, bounceAddress }: SendingOptions): Mailer {
  const context = (): Omit<CommandContext, 'actor'> => ({ db: db.write, now: clock.now(), site, requestId: null })
  return {
    describe: mailer.describe,
    send: async (mail) => {
      const { userId, to, isAskedFor } = mail
      if (userId !== undefined && !isAskedFor && (await isAddressFailed(db.write, userId, to))) throw new AddressError()
      try {
        await mailer.send({ ...mail, ...envelopeOf(mail, { site, clock, bounceAddress }) })
      } catch (error) {
        const refusal = readRefusal(error)
        // The server is fine: it answered.
        if (refusal) await noteSent(db.write, clock.now())
        else await noteFailed(db.write, clock.now(), describeReason(error instanceof Error ? error.message : String(error)))
        const recipient = recipientOf(mail)
        if (!refusal || !recipient) throw error
        const outcome = await recordFailure(context(), { recipient, email: to, kind: 'hard', at: clock.now(), ...refusal })
        throw outcome === 'set' ? new AddressError(error) : error
      }
      await noteSent(db.write, clock.now())
    },
  }
}

function recipientOf({ userId, guestId }: Mail): BounceRecipient | undefined {
  if (userId !== undefined) return { kind: 'user', id: userId }
  return guestId === undefined ? undefined : { kind: 'guest', id: guestId }
}

function envelopeOf(
  mail: Mail,
  { site, clock, bounceAddress }: Pick<SendingOptions, 'site' | 'clock' | 'bounceAddress'>,
): Pick<Mail, 'envelopeFrom'> {
  const recipient = recipientOf(mail)
  if (!recipient || bounceAddress === undefined) return {}
  const token = makeBounceToken(site.keyring, { recipient, email: mail.to, now: clock.now() })
  return { envelopeFrom: addressWithToken(bounceAddress, token) }
}

async function isAddressFailed(db: Kysely<DB>, userId: number, email: string): Promise<boolean> {
  const { rows } = await sql<{ isFailed: boolean }>`
    select u.email_invalid and lower(u.email) = lower(${email}) as "isFailed" from user_profile u where u.id = ${userId}`.execute(
    db,
  )
  return rows[0]?.isFailed ?? false
}

const NOTE_INTERVAL_MS = 60_000

/** At most once a minute, unless the last mail failed. */
async function noteSent(db: Kysely<DB>, now: Date): Promise<void> {
  await sql`
    insert into mail_state (id, sent_at) values (1, ${now})
    on conflict (id) do update set sent_at = excluded.sent_at, failed_at = null, reason = ''
    where mail_state.sent_at is null or mail_state.failed_at is not null
      or mail_state.sent_at < ${new Date(now.getTime() - NOTE_INTERVAL_MS)}`.execute(db)
}

async function noteFailed(db: Kysely<DB>, now: Date, reason: string): Promise<void> {
  await sql`
    insert into mail_state (id, failed_at, reason) values (1, ${now}, ${reason})
    on conflict (id) do update set failed_at = excluded.failed_at, reason = excluded.reason`.execute(db)
}
