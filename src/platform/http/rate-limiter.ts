import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, monotonicMs } from '#platform/clock.ts'
import { Problem } from './problem.ts'
import { type SharedCounts, sharedKey, type Total } from './shared-counts.ts'

type RateLimitResult = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A place for one attempt whose failure counts. Every allowed one must be settled. */
type Reservation = RateLimitResult & { settle: (end: { failed: boolean }) => void }

/** `unsent`: the part of `count` that the other nodes do not know of. */
type Entry = { count: number; unsent: number; pending: number; waiting: (() => void)[]; ends: number }

const WINDOW_SECONDS = 60
const MAX_KEYS = 100_000
/** Keys below this share of the limit stay in memory: ordinary use causes no statement. */
const REPORTED_SHARE = 0.02
/** A node reports earlier than after the interval if it has used this share of what was left. */
const EARLY_SHARE = 0.25
const REPORT_EVERY_MS = 1_000
/** How often an attempt without a free place looks whether attempts on other nodes have ended. */
const LOOK_AGAIN_MS = 50

type SharedOptions = { counts: SharedCounts; reportEveryMs?: number }

/** Counts per key in windows of one minute. With `shared`, all nodes of a database count together. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #limit: number
  readonly #name: string
  readonly #shared: SharedCounts | undefined
  readonly #reportEveryMs: number
  #counts = new Map<string, Entry>()
  #unreported = new Map<string, Entry>()
  #timer: NodeJS.Timeout | undefined
  #reporting: Promise<void> | undefined
  #isClosed = false
  readonly #settling = new Set<Promise<void>>()
  constructor(clock: Clock, name: string, perMinute: number, factor: number, shared?: SharedOptions) {
    this.#clock = clock
    this.#name = name
    this.#limit = perMinute * factor
    this.#shared = this.isOff ? undefined : shared?.counts
    this.#reportEveryMs = shared?.reportEveryMs ?? REPORT_EVERY_MS
  }

  get isOff(): boolean {
    return !Number.isFinite(this.#limit)
  }

  /**
   * Counts one request without waiting. Nodes tell each other at intervals, so together they can let pass a little more than the
   * limit: what each of them counts below the reported share, and within one interval.
   */
  take(key: string): RateLimitResult {
    const entry = this.#entry(key)
    entry.count++
    entry.unsent++
    if (this.#shared) this.#plan(key, entry)
    return this.#result(entry)
  }

  /** Counts one request in the database. For what is rare and has a small limit. */
  async takeShared(key: string): Promise<RateLimitResult> {
    const entry = this.#entry(key)
    entry.count++
    if (this.#shared && entry.count <= this.#limit) {
      const [total] = await this.#shared.add([{ key: sharedKey(this.#name, key), count: 1, windowMs: this.#msLeft(entry) }])
      this.#adopt(entry, total!)
      return this.#result({ ...entry, count: total!.count })
    }
    return this.#result(entry)
  }

  /**
   * For limits on failures. An attempt holds a place while it runs and keeps it if it fails, so concurrent attempts cannot
   * fail more often than allowed. An attempt without a free place waits until a running one has succeeded.
   */
  async reserve(key: string): Promise<Reservation> {
    const { entry, ...own } = await this.#reserveHere(key)
    if (!this.#shared || !own.allowed) return own
    const shared = this.#shared
    const id = sharedKey(this.#name, key)
    try {
      for (;;) {
        const place = await shared.reserve(id, this.#limit, this.#msLeft(entry))
        if (place.kind === 'taken') {
          this.#adopt(entry, place.total)
          const settle = (end: { failed: boolean }) => {
            own.settle(end)
            const settling = shared.settle(id, place.window, end).catch(shared.onError)
            this.#settling.add(settling)
            void settling.finally(() => this.#settling.delete(settling))
          }
          return { ...this.#result(entry), settle }
        }
        if (place.kind === 'refused') {
          this.#adopt(entry, place.total)
          own.settle({ failed: false })
          return { ...this.#result(entry), allowed: false, settle: () => {} }
        }
        await sleep(LOOK_AGAIN_MS)
      }
    } catch (error) {
      own.settle({ failed: false })
      throw error
    }
  }

  /** A place on this node. */
  async #reserveHere(key: string): Promise<Reservation & { entry: Entry }> {
    for (;;) {
      const entry = this.#entry(key)
      if (entry.count >= this.#limit) return { ...this.#result(entry), allowed: false, settle: () => {}, entry }
      if (entry.count + entry.pending < this.#limit) {
        entry.pending++
        return { ...this.#result(entry), settle: ({ failed }) => settle(entry, failed, this.#limit), entry }
      }
      await new Promise<void>((wake) => entry.waiting.push(wake))
    }
  }

  /** Tells the other nodes what this one has counted, and learns what they have. A report that is on its way is awaited. */
  async report(): Promise<void> {
    await this.#reporting
    await this.#send()
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const shared = this.#shared
    const entries = [...this.#unreported].filter(([, { unsent }]) => unsent > 0)
    this.#unreported.clear()
    if (!shared || !entries.length) return
    const reports = entries.map(([key, entry]) => {
      const report = { key: sharedKey(this.#name, key), count: entry.unsent, windowMs: this.#msLeft(entry) }
      entry.unsent = 0
      return report
    })
    try {
      const totals = await shared.add(reports)
      for (const [n, [, entry]] of entries.entries()) this.#adopt(entry, totals[n]!)
    } catch (error) {
      // This node goes on with its own counts and reports them with the next ones.
      for (const [n, [key, entry]] of entries.entries()) {
        entry.unsent += reports[n]!.count
        this.#unreported.set(key, entry)
      }
      shared.onError(error as Error)
    }
  }

  /** Tells the other nodes the rest; from then on this node counts alone, because the database is closed next. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.report()
    await Promise.all(this.#settling)
  }

  #plan(key: string, entry: Entry): void {
    if (this.#isClosed) return
    const known = entry.count - entry.unsent
    if (known > this.#limit || entry.count < this.#limit * REPORTED_SHARE) return
    this.#unreported.set(key, entry)
    const isUrgent = entry.unsent >= Math.max(1, (this.#limit - known) * EARLY_SHARE)
    if (isUrgent && !this.#reporting) {
      this.#reporting = this.#send().finally(() => {
        this.#reporting = undefined
      })
    }
    this.#timer ??= setTimeout(() => void this.report(), this.#reportEveryMs).unref()
  }

  /** Requests that were counted here while the answer was on its way stay counted. */
  #adopt(entry: Entry, { count, windowMs }: Total): void {
    entry.count = Math.max(entry.count, count + entry.unsent)
    entry.ends = Math.min(entry.ends, monotonicMs(this.#clock) + windowMs)
  }

  #msLeft({ ends }: Entry): number {
    return Math.max(1, ends - monotonicMs(this.#clock))
  }

  headers(result: RateLimitResult): Record<string, string> {
    if (this.isOff) return {}
    const headers = {
      'ratelimit-policy': `"${this.#name}";q=${Math.floor(this.#limit)};w=${WINDOW_SECONDS}`,
      ratelimit: `"${this.#name}";r=${Math.floor(result.remaining)};t=${result.resetSeconds}`,
    }
    return result.allowed ? headers : { ...headers, 'retry-after': String(result.resetSeconds) }
  }

  /** Throws 429 with Retry-After if the limit is exceeded. */
  check(result: RateLimitResult): void {
    if (!result.allowed) throw new Problem('too_many_requests', { headers: this.headers(result) })
  }

  #entry(key: string): Entry {
    const now = monotonicMs(this.#clock)
    let entry = this.#counts.get(key)
    if (!entry || entry.ends <= now) {
      if (this.#counts.size >= MAX_KEYS) this.#sweep(now)
      entry = { count: 0, unsent: 0, pending: 0, waiting: [], ends: now + WINDOW_SECONDS * 1000 }
      this.#counts.set(key, entry)
    }
    return entry
  }

  #result({ count, ends }: Entry): RateLimitResult {
    const resetSeconds = Math.max(1, Math.ceil((ends - monotonicMs(this.#clock)) / 1000))
    return { allowed: count <= this.#limit, limit: this.#limit, remaining: Math.max(0, this.#limit - count), resetSeconds }
  }

  #sweep(now: number): void {
    for (const [key, entry] of this.#counts) if (entry.ends <= now) this.#counts.delete(key)
    // An attacker creates keys faster than they expire: reset all counts instead of running out of memory.
    if (this.#counts.size >= MAX_KEYS) this.#counts.clear()
  }
}

function settle(entry: Entry, failed: boolean, limit: number): void {
  entry.pending--
  if (failed) entry.count++
  // After the last allowed failure all are refused; before that, a failure frees no place.
  const woken = entry.count >= limit ? entry.waiting.length : failed ? 0 : 1
  for (const wake of entry.waiting.splice(0, woken)) wake()
}

/** An IPv6 /64 counts as one address: providers assign it to one household. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail = ''] = ip.split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = ip.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
