import { type Kysely, sql } from 'kysely'
import { type FailureOutcome, recordAddressFailure } from '#features/accounts/users/commands/address-state.ts'
import { recordGuestMailFailure } from '#features/sharing/guests/commands/mail-failure.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { describeReason, kindOfStatus } from '#platform/mail/refusals.ts'
import {
  type BounceRecipient,
  findTokens,
  formatBounceToken,
  isTimely,
  parseBounceToken,
  signatureOf,
  textToSign,
} from '../rules/bounce-token.ts'
import { parseStatusReport } from '../rules/delivery-status.ts'
import type { ReportedBounce } from '../rules/webhook-bounces.ts'

type Context = Omit<CommandContext, 'actor'>
type Token = NonNullable<ReturnType<typeof parseBounceToken>>

export function makeBounceToken(
  keyring: Keyring,
  { recipient, email, now }: { recipient: BounceRecipient; email: string; now: Date },
): string {
  const token = { recipient, sentAt: now }
  return formatBounceToken(token, signatureOf(keyring.fingerprint(textToSign(token, email))))
}

/** Parameters, so that tests can show what happens without them. */
export type BounceChecks = {
  isSigned: (keyring: Keyring, token: Token, email: string) => boolean
  isTimely: typeof isTimely
}
export const BOUNCE_CHECKS: BounceChecks = {
  // With the address that the account has now, so that a token ends when the address changes.
  isSigned: (keyring, token, email) => secretsMatch(token.signature, signatureOf(keyring.fingerprint(textToSign(token, email)))),
  isTimely,
}

async function readToken({ db, site, now }: Context, text: string, checks: BounceChecks) {
  const token = parseBounceToken(text)
  if (!token || !checks.isTimely(token, now)) return undefined
  const { kind, id } = token.recipient
  const table = kind === 'guest' ? 'guest' : 'user_profile'
  const person = await db.selectFrom(table).select('email').where('id', '=', id).executeTakeFirst()
  if (!person || !checks.isSigned(site.keyring, token, person.email)) return undefined
  return { recipient: token.recipient, email: person.email, at: token.sentAt }
}

export type ReportOutcome = FailureOutcome | 'no_report' | 'no_token'

/** A message that came to the address of bounces. `to`: that address, if the mail server told it. */
export async function receiveReport(
  context: Context,
  { message, to = '' }: { message: string; to?: string | undefined },
  checks: BounceChecks = BOUNCE_CHECKS,
): Promise<ReportOutcome> {
  const report = parseStatusReport(message)
  if (!report) return 'no_report'
  const failure = report.failures.find(({ status, action }) => action !== 'relayed' && kindOfStatus(status) !== 'other')
  const kind = failure && kindOfStatus(failure.status)
  for (const text of new Set(findTokens(`${to}\n${report.addresses}`))) {
    const person = await readToken(context, text, checks)
    if (!person) continue
    if (!failure || kind === 'other' || kind === undefined) return 'ignored'
    return recordFailure(context, { ...person, kind, reason: describeReason(failure.reason) })
  }
  return 'no_token'
}

type Failure = { recipient: BounceRecipient; email: string; kind: 'hard' | 'soft'; reason: string; at: Date }

/** Guests get few mails, so temporary failures of theirs are not counted. */
export async function recordFailure(context: Context, { recipient, ...failure }: Failure): Promise<FailureOutcome> {
  if (recipient.kind === 'user') return recordAddressFailure(context, { userId: recipient.id, ...failure })
  if (failure.kind === 'soft') return 'ignored'
  return (await recordGuestMailFailure(context, { guestId: recipient.id, ...failure })) ? 'set' : 'ignored'
}

/** What a mail service reported about addresses. Returns how many addresses count as not working from now on. */
export async function receiveBounces(context: Context, bounces: readonly ReportedBounce[]): Promise<number> {
  let set = 0
  for (const { recipient, kind, reason, at } of bounces) {
    const found = await findByAddress(context.db, recipient)
    // A time in the future would count against what people say about the address later.
    const reportedAt = at && at < context.now ? at : context.now
    for (const each of found) {
      const failure = { recipient: each, email: recipient, kind, reason: describeReason(reason), at: reportedAt }
      if ((await recordFailure(context, failure)) === 'set') set++
    }
  }
  return set
}

/** An account, and the registrations of a guest for several events. */
async function findByAddress(db: Kysely<DB>, address: string): Promise<BounceRecipient[]> {
  return rowsOf(db).all(sql<BounceRecipient>`
    select 'user' as kind, id from user_profile
    where lower(email) = lower(${address}) and deleted_at is null and not is_service_account
    union all select 'guest', id from guest where lower(email) = lower(${address})`)
}
