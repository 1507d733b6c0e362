import type { Kysely } from 'kysely'
import { type ActorRow, actorFrom } from '#features/accounts/users/queries/actor.ts'
import type { ChangePage, FeedCaller, Reading } from '#features/sharing/change-feed/queries/changes.ts'
import { presentChange } from '#features/sharing/change-feed/queries/present.ts'
import type { FeedState } from '#features/sharing/change-feed/rules/cursor.ts'
import { isStaff, type UserActor } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { signatureOf } from '#platform/outbound/standard-webhooks.ts'
import { type Claim, type ClaimRow, getOwner, releaseLease } from '../commands/leases.ts'
import { type Message, moveOn, recordAsked, recordDelivered, recordFailed, recordRefused } from '../commands/outcomes.ts'
import { findAsked } from '../queries/deliveries.ts'
import type { RecordReader } from '../queries/records.ts'
import { type Attempt, errorOf, judgeAttempt, type Standing } from '../rules/retries.ts'
import { placeIn } from '../rules/webhooks.ts'

export type SendTools = {
  db: Kysely<DB>
  site: Site
  clock: Clock
  outbound: Outbound
  read: (caller: FeedCaller, reading: Reading) => Promise<ChangePage>
  /** For webhooks whose messages contain the record. */
  readRecord: RecordReader
  chance: () => number
  leaseMs: number
}

/** Calls back while one request is under way. */
type RequestHooks = {
  /** The signal ends the request early. */
  begin: () => { signal: AbortSignal; end: () => void }
  /** No more requests in this batch: other webhooks wait, or the dispatcher stops. */
  isOver: () => boolean
}

/** Changes of one batch; afterwards other webhooks are served. */
const BATCH_SIZE = 50

/** Sends what is due for one webhook, in order, until something fails or the batch is over. */
export async function sendBatch(tools: SendTools, feed: FeedState, claim: ClaimRow, hooks: RequestHooks): Promise<void> {
  const { db, clock } = tools
  try {
    if (claim.isAsked) await sendAsked(tools, claim, hooks)
    const isDue = claim.active && claim.nextAt <= clock.now()
    if (isDue && !hooks.isOver() && !(await sendChanges(tools, feed, claim, hooks))) return
    await releaseLease(db, claim, clock.now())
  } catch (error) {
    await releaseLease(db, claim, clock.now()).catch(() => {})
    throw error
  }
}

async function sendAsked(tools: SendTools, claim: ClaimRow, hooks: RequestHooks): Promise<void> {
  for (const { id, messageId, body } of await findAsked(tools.db, claim.webhookId)) {
    if (hooks.isOver()) return
    const attempt = await attemptToSend(tools, claim, { id: messageId, body, actor: ownerOf(claim, claim) }, hooks)
    if (attempt) await recordAsked(tools.db, id, attempt, tools.clock.now())
  }
}

/** False: the webhook was given back already, or the lease was lost. */
async function sendChanges(tools: SendTools, feed: FeedState, claim: ClaimRow, hooks: RequestHooks): Promise<boolean> {
  const { db, clock, site } = tools
  const { position, isMissed } = placeIn(feed, claim)
  const caller: FeedCaller = {
    actor: ownerOf(claim, claim),
    refresh: async () => {
      const row = await getOwner(db, claim.webhookId)
      return row && ownerOf(claim, row)
    },
  }
  const page = await tools.read(caller, { after: position, limit: BATCH_SIZE })
  let reached = position
  let standing: Standing = claim
  for (const change of page.seen.filter(({ kind }) => claim.kinds.includes(kind))) {
    if (hooks.isOver()) return moveOnTo(reached)
    const record = presentChange(change, feed, site.timeZone)
    const message: Message = {
      id: record.cursor,
      position: change.position,
      kind: record.kind,
      recordId: record.id,
      what: record.what,
      body: JSON.stringify(record),
    }
    const attempt = await attemptToSend(tools, claim, { ...message, actor: caller.actor }, hooks)
    if (!attempt) return moveOnTo(reached)
    const now = clock.now()
    const verdict = judgeAttempt(attempt, { ...standing, now, chance: tools.chance() })
    if (verdict.kind === 'retry' || verdict.kind === 'off') {
      await recordFailed(db, { lease: claim, message, attempt, now, verdict })
      return false
    }
    const leaseUntil = new Date(now.getTime() + tools.leaseMs)
    const isRefused = verdict.kind === 'refused'
    const recordDone = isRefused ? recordRefused : recordDelivered
    if (!(await recordDone(db, { lease: claim, message, attempt, now, leaseUntil, feedId: feed.id }))) return false
    reached = change.position
    standing = { failures: 0, failingSince: null, refusals: 0, passedOver: isRefused ? standing.passedOver + 1 : 0 }
  }
  return moveOnTo(page.next)

  async function moveOnTo(next: number): Promise<boolean> {
    if (next === claim.position && feed.id === claim.feedId) return true
    return moveOn(db, { lease: claim, position: next, feedId: feed.id, isMissed, now: clock.now() })
  }
}

/** The owner with the scopes of the webhook. */
const ownerOf = ({ webhookId, scopes }: Claim, row: ActorRow): UserActor =>
  actorFrom(row, { kind: 'token', tokenId: -webhookId, scopes: new Set(scopes) })

/** Undefined: the dispatcher stopped meanwhile. */
async function attemptToSend(
  { site, clock, outbound, readRecord }: SendTools,
  claim: ClaimRow,
  { id, body: change, actor }: Pick<Message, 'id' | 'body'> & { actor: UserActor },
  hooks: RequestHooks,
): Promise<Attempt | undefined> {
  const start = performance.now()
  const ended = (status: number | null, error: string | null): Attempt => ({
    status,
    error,
    durationMs: Math.round(performance.now() - start),
  })
  const secrets = openSecrets(claim, site, clock.now())
  if (!secrets) return ended(null, 'secret')
  // Stored messages have no record, so that no copies of records are kept.
  const body = claim.includesRecord ? await withRecord(change, actor, readRecord) : change
  if (body === undefined) return ended(null, 'record')
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  const { signal, end } = hooks.begin()
  try {
    const { status } = await outbound.send(claim.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
      },
      body,
      discardsBody: true,
      signal,
    })
    return ended(status, null)
  } catch (error) {
    if (signal.aborted && signal.reason === STOPPED) return undefined
    // How and when an address of the internal network fails would tell which machines and ports there are.
    const isSecret = error instanceof OutboundError && error.isInternal && !isStaff(ownerOf(claim, claim))
    if (isSecret) return { status: null, error: 'unreachable', durationMs: null }
    if (signal.aborted) return ended(null, 'too_slow')
    if (!(error instanceof OutboundError)) throw error
    return ended(null, errorOf(error.code, codesOf(error)))
  } finally {
    end()
  }
}

/** Undefined: the record could not be read because of a fault. */
async function withRecord(change: string, actor: UserActor, readRecord: RecordReader): Promise<string | undefined> {
  const record = await readRecord(actor, JSON.parse(change))
  return record === undefined ? undefined : `${change.slice(0, -1)},"record":${record}}`
}

/** The reason of the signal when the dispatcher stops: the attempt does not count. */
export const STOPPED = 'stopped'

/** Undefined if the key is not known any more, as after a restore with another SECRET_KEY. */
function openSecrets(
  { secretSealed, oldSecretSealed, oldSecretUntil }: Claim,
  { keyring }: Site,
  now: Date,
): string[] | undefined {
  const old = oldSecretUntil !== null && oldSecretUntil > now ? oldSecretSealed : null
  try {
    return [secretSealed, old].filter((sealed) => sealed !== null).map((sealed) => keyring.unseal(sealed))
  } catch {
    return undefined
  }
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code } = error as { code?: unknown }
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)]
}
