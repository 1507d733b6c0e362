import { sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Words } from '#platform/i18n/words.ts'
import { mailboxKey } from '#platform/mail-address.ts'
import { sharedKey } from './shared-counts.ts'

// Every mail that somebody without an account can cause is claimed here before it is queued. The counts are in the database, in the
// transaction of the command, so all nodes count together and a command that fails has used nothing.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type MailScope = 'sender' | 'target' | 'network'
type Limit = { most: number; perMs: number }
type MailLimits = Readonly<Record<MailScope, readonly Limit[]>>

/**
 * Mails to an address that somebody typed. A family registers five people by addresses of one mailbox (`family+ann@…`); an evening of a
 * club is a hundred people behind one network address.
 */
const TYPED_ADDRESS_LIMITS: MailLimits = {
  sender: [
    { most: 4, perMs: HOUR_MS },
    { most: 10, perMs: DAY_MS },
  ],
  target: [
    { most: 6, perMs: HOUR_MS },
    { most: 15, perMs: DAY_MS },
  ],
  network: [
    { most: 120, perMs: HOUR_MS },
    { most: 500, perMs: DAY_MS },
  ],
}

/** Mails to people who organise, about what guests and visitors do. Their addresses are not typed; they get the rest in one mail later. */
const NOTICE_LIMITS: MailLimits = {
  sender: [{ most: 12, perMs: HOUR_MS }],
  target: [{ most: 30, perMs: HOUR_MS }],
  network: [],
}

export type MailRefusal = { ok: false; by: MailScope; retryAt: Date }
export type MailVerdict = { ok: true } | MailRefusal

type Counted = { count: number; endsAt: Date }
type CountKey = { key: Buffer; perMs: number }
/** Reads the counts of windows. A parameter, so that a test can show the race without the lock. */
export type ReadCounts = (tx: Tx, keys: readonly CountKey[], now: Date) => Promise<Map<string, Counted>>

const idOf = (key: Buffer): string => key.toString('hex')

/** Locks the rows in one order, and starts the windows that have ended. */
export const lockCounts: ReadCounts = async (tx, keys, now) => {
  // A window that ends later than one that begins now is from before the clock was set back.
  const isRunning = sql`r.ends_at > ${now}::timestamptz and r.ends_at <= excluded.ends_at`
  const { rows } = await sql<{ key: Buffer; count: number; endsAt: Date }>`
    insert into rate_count as r (key, count, ends_at)
    select t.key, 0, ${now}::timestamptz + t.per_ms * interval '1 millisecond'
    from unnest(${keys.map(({ key }) => key)}::bytea[], ${keys.map(({ perMs }) => perMs)}::float8[]) as t (key, per_ms)
    order by t.key
    on conflict (key) do update set
      count = case when ${isRunning} then r.count else 0 end,
      ends_at = case when ${isRunning} then r.ends_at else excluded.ends_at end
    returning r.key, r.count, r.ends_at as "endsAt"`.execute(tx)
  return new Map(rows.map(({ key, ...counted }) => [idOf(key), counted]))
}

type Claim = {
  limits: MailLimits
  sender: string | undefined
  targets: readonly string[]
  network: string | undefined
  /** Of the limit per network. */
  factor: number
}

/** Decides about one mail to each target, in the order of the targets. Call it after every other lock of the transaction is taken. */
async function claim(tx: Tx, now: Date, { limits, factor, ...claimed }: Claim, read: ReadCounts): Promise<MailVerdict[]> {
  const keysOf = (scope: MailScope, name: string | undefined, times = 1) =>
    name === undefined
      ? []
      : limits[scope].map(({ most, perMs }) => ({
          scope,
          perMs,
          most: most * times,
          key: sharedKey(`mails per ${scope} in ${perMs}`, name),
        }))
  const shared = [...keysOf('sender', claimed.sender), ...keysOf('network', claimed.network, factor)].filter(({ most }) =>
    Number.isFinite(most),
  )
  const perTarget = claimed.targets.map((target) => keysOf('target', target))
  const all = new Map([...shared, ...perTarget.flat()].map((each) => [idOf(each.key), each]))
  if (!all.size) return claimed.targets.map(() => ({ ok: true }))
  const counts = await read(tx, [...all.values()], now)
  const refusedBy = (keys: typeof shared): MailRefusal | undefined =>
    keys
      .filter(({ key, most }) => counts.get(idOf(key))!.count >= most)
      .map(({ key, scope }): MailRefusal => ({ ok: false, by: scope, retryAt: counts.get(idOf(key))!.endsAt }))
      .sort((a, b) => b.retryAt.getTime() - a.retryAt.getTime())[0]
  const verdicts = perTarget.map((keys): MailVerdict => refusedBy([...shared, ...keys]) ?? { ok: true })
  const used = new Set(perTarget.flatMap((keys, n) => (verdicts[n]!.ok ? [...shared, ...keys] : [])).map(({ key }) => idOf(key)))
  if (used.size) {
    const keys = [...all.values()].filter(({ key }) => used.has(idOf(key))).map(({ key }) => key)
    await sql`update rate_count set count = count + 1 where key = any (${keys}::bytea[])`.execute(tx)
  }
  return verdicts
}

const senderOf = (actor: Actor): string | undefined => {
  switch (actor.kind) {
    case 'guest':
      return `guest ${actor.guestId}`
    case 'visitor':
      return `visitor ${actor.visitorId}`
    case 'user':
      return `user ${actor.userId}`
    case 'partner':
    case 'anonymous':
      // Somebody who has said nothing about themselves is known by their network only.
      return undefined
  }
}

/**
 * Claims a mail to an address that the caller typed or causes to be mailed. The same for addresses that are known here and others, so a
 * refusal tells nothing about them.
 */
export async function claimMail(
  tx: Tx,
  { actor, now, site, network }: CommandContext,
  address: string,
  read: ReadCounts = lockCounts,
): Promise<MailVerdict> {
  if (site.isMailOff) return { ok: true }
  const factor = site.rateLimitFactor ?? 1
  const claimed = { limits: TYPED_ADDRESS_LIMITS, sender: senderOf(actor), targets: [mailboxKey(address)], network, factor }
  return (await claim(tx, now, claimed, read))[0]!
}

/** Claims one mail to each of these people about what somebody without an account did. Undefined: now; otherwise the time to wait for. */
export async function claimNotices(
  tx: Tx,
  now: Date,
  { sender, userIds }: { sender: string | undefined; userIds: readonly number[] },
  read: ReadCounts = lockCounts,
): Promise<(Date | undefined)[]> {
  const targets = userIds.map((id) => `notices of user ${id}`)
  const claimed = { limits: NOTICE_LIMITS, sender: sender && `notices by ${sender}`, targets, network: undefined, factor: 1 }
  return (await claim(tx, now, claimed, read)).map((verdict) => (verdict.ok ? undefined : verdict.retryAt))
}

/** The displayed minute must not be too early. */
export const roundUpToMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / 60_000) * 60_000)

/** What the person reads, and when to try again. */
export function mailRefusalText(words: Words, now: Date, { by, retryAt }: MailRefusal): string {
  const at = roundUpToMinute(retryAt)
  return words.t(`mail.limit_${by}`, { time: words.sameDay(at, now) ? words.time(at) : words.dateTime(at) })
}
