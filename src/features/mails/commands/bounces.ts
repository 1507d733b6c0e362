import { type Kysely, sql } from 'kysely'
import { type FailureOutcome, recordAddressFailure } from '#features/users/commands/address-state.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { describeReason, kindOfStatus } from '#platform/mail/refusals.ts'
import { findTokens, formatBounceToken, isTimely, parseBounceToken, signatureOf, textToSign } from '../rules/bounce-token.ts'
import { parseStatusReport } from '../rules/delivery-status.ts'
import type { ReportedBounce } from '../rules/webhook-bounces.ts'

type Context = Omit<CommandContext, 'actor'>
type Token = NonNullable<ReturnType<typeof parseBounceToken>>

export function makeBounceToken(keyring: Keyring, { userId, email, now }: { userId: number; email: string; now: Date }): string {
  const token = { userId, sentAt: now }
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
  const person = await db.selectFrom('user_profile').select('email').where('id', '=', token.userId).executeTakeFirst()
  if (!person || !checks.isSigned(site.keyring, token, person.email)) return undefined
  return { userId: token.userId, email: person.email, at: token.sentAt }
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
    return recordAddressFailure(context, { ...person, kind, reason: describeReason(failure.reason) })
  }
  return 'no_token'
}

/** What a mail service reported about addresses. Returns how many addresses count as not working from now on. */
export async function receiveBounces(context: Context, bounces: readonly ReportedBounce[]): Promise<number> {
  let set = 0
  for (const { recipient, kind, reason, at } of bounces) {
    const userId = await findByAddress(context.db, recipient)
    if (userId === undefined) continue
    // A time in the future would count against what people say about the address later.
    const reportedAt = at && at < context.now ? at : context.now
    const failure = { userId, email: recipient, kind, reason: describeReason(reason), at: reportedAt }
    if ((await recordAddressFailure(context, failure)) === 'set') set++
  }
  return set
}

async function findByAddress(db: Kysely<DB>, address: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from user_profile where lower(email) = lower(${address}) and deleted_at is null and not is_service_account`.execute(
    db,
  )
  return rows[0]?.id
}
