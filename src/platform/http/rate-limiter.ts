import { isIPv6 } from 'node:net'
import { type Clock, monotonicMs } from '#platform/clock.ts'
import { Problem } from './problem.ts'

type RateLimitResult = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A place for one attempt whose failure counts. Every allowed one must be settled. */
type Reservation = RateLimitResult & { settle: (end: { failed: boolean }) => void }

type Entry = { count: number; pending: number; waiting: (() => void)[]; ends: number }

const WINDOW_SECONDS = 60
const MAX_KEYS = 100_000

/** Counts per key in windows of one minute, in memory: each node counts for itself. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #limit: number
  readonly #name: string
  #counts = new Map<string, Entry>()
  constructor(clock: Clock, name: string, perMinute: number, factor: number) {
    this.#clock = clock
    this.#name = name
    this.#limit = perMinute * factor
  }

  get isOff(): boolean {
    return !Number.isFinite(this.#limit)
  }

  /** Counts one request. */
  take(key: string): RateLimitResult {
    const entry = this.#entry(key)
    entry.count++
    return this.#result(entry)
  }

  /**
   * For limits on failures. An attempt holds a place while it runs and keeps it if it fails, so concurrent attempts cannot
   * fail more often than allowed. An attempt without a free place waits until a running one has succeeded.
   */
  async reserve(key: string): Promise<Reservation> {
    for (;;) {
      const entry = this.#entry(key)
      if (entry.count >= this.#limit) return { ...this.#result(entry), allowed: false, settle: () => {} }
      if (entry.count + entry.pending < this.#limit) {
        entry.pending++
        return { ...this.#result(entry), settle: ({ failed }) => settle(entry, failed, this.#limit) }
      }
      await new Promise<void>((wake) => entry.waiting.push(wake))
    }
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
      entry = { count: 0, pending: 0, waiting: [], ends: now + WINDOW_SECONDS * 1000 }
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
