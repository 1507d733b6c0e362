import type { FeedState } from '#features/sharing/change-feed/rules/cursor.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { type ClaimRow, claimWebhooks } from '../commands/leases.ts'
import { makeRecordReader } from '../queries/records.ts'
import { type SendTools, STOPPED, sendBatch } from './send-batch.ts'
import { SLOT_LIMITS, type SlotLimits, Slots } from './slots.ts'

/** The change feed of this process. */
type Feed = {
  catchUp: () => Promise<FeedState & { hasPending: boolean }>
  read: SendTools['read']
  onChanges: (hook: () => void) => void
}

export type DispatcherOptions = Omit<SendTools, 'db' | 'read' | 'readRecord' | 'chance' | 'leaseMs'> & {
  /** Where records are read. */
  endpoints: readonly Endpoint[]
  db: Database
  feed: Feed
  onError: (error: Error) => void
  /** Nothing is sent while it is off. */
  isOn?: () => Promise<boolean>
  limits?: SlotLimits
  /** Longer than one request can take. A dispatcher that was killed keeps its webhooks for so long. */
  leaseMs?: number
  pollMs?: number
  chance?: () => number
}

const LEASE_MS = 60_000
/** For attempts that are due by time. */
const POLL_MS = 1_000
/** For requests that are under way when the process ends. */
const STOP_MS = 2_000

/**
 * Sends changes to webhooks. Each worker process has one; they share the webhooks by leases in the database. A webhook is in one
 * place at a time, which keeps the order of its changes.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #tools: SendTools
  readonly #slots: Slots
  readonly #slowAfterMs: number
  readonly #stopped = new AbortController()
  readonly #batches = new Set<Promise<void>>()
  #poll: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #looksAgain = false
  #isClosing = false

  constructor(options: DispatcherOptions) {
    const {
      db,
      feed,
      site,
      clock,
      outbound,
      endpoints,
      onError,
      chance = Math.random,
      leaseMs = LEASE_MS,
      limits = SLOT_LIMITS,
    } = options
    this.#options = options
    this.#tools = {
      db: db.write,
      site,
      clock,
      outbound,
      read: (caller, reading) => feed.read(caller, reading),
      readRecord: makeRecordReader({ db: db.write, site, clock, endpoints, onError }),
      chance,
      leaseMs,
    }
    this.#slots = new Slots(limits)
    this.#slowAfterMs = limits.slowAfterMs
  }

  /** Webhooks with a request under way. */
  get busy(): number {
    return this.#slots.total
  }

  start(): void {
    const { feed, pollMs = POLL_MS } = this.#options
    feed.onChanges(() => this.wake())
    this.#poll = setInterval(() => this.wake(), pollMs)
    this.#poll.unref()
    this.wake()
  }

  /** Looks for something to do, once more if it is looking already. */
  wake(): void {
    if (this.#isClosing) return
    this.#looksAgain = true
    this.#looking ??= this.#lookAround().finally(() => {
      this.#looking = undefined
    })
  }

  async #lookAround(): Promise<void> {
    try {
      while (this.#looksAgain && !this.#isClosing) {
        this.#looksAgain = false
        if (this.#slots.free(false) === 0 || !(await this.#isOn())) return
        const feed = await this.#options.feed.catchUp()
        if (feed.hasPending) this.#looksAgain = true
        for (const failing of [false, true]) await this.#claim(feed, failing)
      }
    } catch (error) {
      this.#options.onError(error as Error)
    }
  }

  async #isOn(): Promise<boolean> {
    return (await this.#options.isOn?.()) ?? true
  }

  async #claim(feed: FeedState, failing: boolean): Promise<void> {
    const limit = this.#slots.free(failing)
    if (!limit) return
    const { db, clock, leaseMs } = this.#tools
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + leaseMs)
    for (const claim of await claimWebhooks(db, { feed, now, limit, failing, leaseUntil })) this.#begin(feed, claim, failing)
  }

  #begin(feed: FeedState, claim: ClaimRow, failing: boolean): void {
    const slot = this.#slots.take(failing)
    // Counted from the first request: reading the feed may take longer on a busy machine, and a batch must send something.
    let start: number | undefined
    const begin = () => {
      start ??= performance.now()
      const cutOff = new AbortController()
      const timer = setTimeout(() => {
        if (!this.#slots.slowDown(slot)) cutOff.abort()
        this.wake()
      }, this.#slowAfterMs)
      const signal = AbortSignal.any([cutOff.signal, this.#stopped.signal])
      return { signal, end: () => clearTimeout(timer) }
    }
    const isOver = () => slot.slow || this.#isClosing || (start !== undefined && performance.now() - start > this.#slowAfterMs)
    const batch = sendBatch(this.#tools, feed, claim, { begin, isOver })
      .catch((error: Error) => this.#options.onError(error))
      .finally(() => {
        this.#slots.give(slot)
        this.#batches.delete(batch)
        this.wake()
      })
    this.#batches.add(batch)
  }

  /** Works until nothing is due; for tests and measurements. */
  async runUntilIdle(): Promise<void> {
    this.wake()
    while (this.#looking || this.#batches.size) {
      await this.#looking
      if (this.#batches.size) await Promise.race(this.#batches)
    }
  }

  /** Requests under way have a moment to end; they are repeated by another dispatcher otherwise. */
  async stop(graceMs = STOP_MS): Promise<void> {
    clearInterval(this.#poll)
    this.#isClosing = true
    const timer = setTimeout(() => this.#stopped.abort(STOPPED), graceMs)
    await this.#looking
    await Promise.all(this.#batches)
    clearTimeout(timer)
  }
}
