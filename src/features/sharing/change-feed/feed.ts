import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import { ownerOf } from '#platform/db/body-cache.ts'
import type { Listener } from '#platform/db/listen.ts'
import type { DB } from '#platform/db/tables.ts'
import { Problem } from '#platform/http/problem.ts'
import {
  type ChangePage,
  type FeedCaller,
  type FeedRow,
  findChangesAfter,
  type Reading,
  readChanges,
  readFeedState,
  selectChanges,
} from './queries/changes.ts'
import type { FeedState } from './rules/cursor.ts'
import type { Change } from './rules/visibility.ts'

type FeedLimits = {
  /** Waiting requests and streams of one person, by whatever tokens and sessions, and of the whole process. */
  perPerson: number
  perProcess: number
}
export type FeedOptions = {
  db: Kysely<DB>
  /** Gives positions to what is pending; false: only to a part of it. */
  sequence: () => Promise<boolean>
  /** Calls back whenever something is pending or has got a position. */
  listen: (onMessage: () => void) => Listener
  onError: (error: Error) => void
  limits?: FeedLimits
  /** For changes whose message was lost. */
  pollMs?: number
  /** Between the beginnings of two looks that messages cause: while many write, one look finds the changes of many transactions. */
  restMs?: number
  heartbeatMs?: number
}

const LIMITS: FeedLimits = { perPerson: 10, perProcess: 2_000 }
const POLL_MS = 5_000
/** Short for those who wait for changes, long compared with the time of a sign-up. */
const REST_MS = 250
const HEARTBEAT_MS = 15_000
const RETRY_AFTER_SECONDS = 10
/** Recent changes in memory, from which all waiting callers are served. */
const KEPT = 5_000

/** The change feed of one process: one connection listens, and one query reads new changes for all who wait. */
export class ChangeFeed {
  readonly heartbeatMs: number
  readonly #options: FeedOptions
  readonly #limits: FeedLimits
  #state: FeedState | undefined
  /** The last changes up to the position of the state, without gaps. */
  #recent: Change[] = []
  #open = new Map<number, number>()
  #waiting = new Set<() => void>()
  #hooks: (() => void)[] = []
  #listener: Listener | undefined
  #poll: NodeJS.Timeout | undefined
  #rest: NodeJS.Timeout | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #running: Promise<FeedRow> | undefined
  #next: Promise<FeedRow> | undefined

  constructor(options: FeedOptions) {
    this.#options = options
    this.#limits = options.limits ?? LIMITS
    this.heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS
  }

  /**
   * Knows everything that was committed before the call, or as much of it as one run takes: the rest is `hasPending` then. Calls that
   * arrive meanwhile share the next run.
   */
  catchUp(): Promise<FeedRow> {
    if (!this.#running) {
      this.#running = this.#refresh().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    const again = async () => {
      await this.#running?.catch(() => {})
      this.#next = undefined
      return this.catchUp()
    }
    this.#next ??= again()
    return this.#next
  }

  async #refresh(): Promise<FeedRow> {
    const { db, sequence, onError } = this.#options
    let state = await readFeedState(db)
    if (state.hasPending) {
      // Without write access, readers still get what has a position.
      const isComplete = await sequence().catch((error: Error) => {
        onError(error)
        // Repeating it at once would fail again.
        return true
      })
      // Changes that were committed meanwhile do not count.
      state = { ...(await readFeedState(db)), hasPending: !isComplete }
    }
    await this.#remember(state)
    return state
  }

  async #remember(state: FeedState): Promise<void> {
    const { id, position } = state
    const before = this.#state
    if (before && before.id === id && position - before.position <= KEPT) {
      const added = position > before.position ? await findChangesAfter(this.#options.db, before.position, KEPT) : []
      // Positions that were given after the state was read are part of the answer, too.
      const last = added.at(-1)?.position ?? position
      this.#recent = [...this.#recent, ...added].slice(-KEPT)
      this.#state = { ...state, position: Math.max(last, position) }
    } else {
      this.#recent = []
      this.#state = state
    }
    if (before?.id === id && before.position === this.#state.position) return
    for (const wake of [...this.#waiting]) wake()
    for (const hook of this.#hooks) hook()
  }

  /** A page for this caller: from memory if it reaches back far enough. */
  async read(caller: FeedCaller, { after, limit }: Reading): Promise<ChangePage> {
    const first = this.#recent[0]
    const isInMemory = this.#state !== undefined && (after >= this.#state.position || (first && first.position <= after + 1))
    if (!isInMemory) return readChanges(this.#options.db, caller, { after, limit })
    // Positions are consecutive.
    const changes = first ? this.#recent.slice(Math.max(0, after + 1 - first.position)) : []
    return selectChanges(this.#options.db, caller, { changes, isComplete: true, after, limit })
  }

  /** Counts a caller that waits. The returned function ends it. */
  enter(actor: UserActor): () => void {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
    // Everybody can make as many tokens as they like.
    const key = actor.userId
    const own = this.#open.get(key) ?? 0
    if (own >= this.#limits.perPerson) throw new Problem('too_many_requests', { headers })
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0)
    if (all >= this.#limits.perProcess) throw new Problem('unavailable', { headers })
    this.#open.set(key, own + 1)
    this.start()
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = this.#open.get(key)! - 1
      if (left) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  /** Resolves with true when there is something after this position, and with false after the time or at the end of the signal. */
  async past(position: number, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    if (signal.aborted) return false
    if ((this.#state?.position ?? 0) > position) return true
    const woken = Promise.withResolvers<void>()
    const timer = new AbortController()
    this.#waiting.add(woken.resolve)
    try {
      const timedOut = sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => {})
      await Promise.race([woken.promise, timedOut])
    } finally {
      this.#waiting.delete(woken.resolve)
      timer.abort()
    }
    return !signal.aborted && (this.#state?.position ?? 0) > position
  }

  /** Calls back after new changes, once for several. */
  onChanges(hook: () => void): void {
    this.#hooks.push(hook)
    this.start()
  }

  /** Begins to listen; without callers that wait, a process need not. */
  start(): void {
    if (this.#listener) return
    const { listen, onError, pollMs = POLL_MS, restMs = REST_MS } = this.#options
    const look = () => {
      this.#rest = undefined
      this.#lookedAt = performance.now()
      void this.catchUp().catch(onError)
    }
    const lookSoon = () => {
      if (this.#rest) return
      const rest = this.#lookedAt + restMs - performance.now()
      if (rest <= 0) return look()
      this.#rest = setTimeout(look, rest)
      this.#rest.unref()
    }
    this.#listener = listen(lookSoon)
    this.#poll = setInterval(lookSoon, pollMs)
    this.#poll.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll)
    await this.#listener?.close()
    clearTimeout(this.#rest)
    await this.#running?.catch(() => {})
  }
}

const feeds = new WeakMap<object, ChangeFeed>()

/** Endpoints find the feed by the connections that they read from. */
export function attachFeed(db: Kysely<DB>, feed: ChangeFeed): void {
  feeds.set(db, feed)
}

export function feedOf(db: Kysely<DB>): ChangeFeed {
  const feed = feeds.get(ownerOf(db))
  if (!feed) throw new Error('no change feed is attached to this database')
  return feed
}
