export type RetryOptions = {
  /** Attempts in all; 1 switches retries off. */
  attempts: number
  /** The longest wait before the second attempt; it doubles with every further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** A server that asks to wait for longer than this is not waited for. */
  maxRetryAfterMs: number
  /** Replaces the waiting, for tests. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export const DEFAULT_RETRY: RetryOptions = {
  attempts: 5,
  firstDelayMs: 500,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 120_000,
  wait: waitFor,
}

/** Between nothing and a doubling limit, so that clients that failed together do not come back together. */
export function backoffMs(failures: number, { firstDelayMs, maxDelayMs }: RetryOptions): number {
  return Math.random() * Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs)
}

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const onAbort = () => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      done()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Unique, not secret. Node 18 and pages without TLS have no `crypto.randomUUID`. */
export function makeIdempotencyKey(): string {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID()
  const random = () => Math.random().toString(36).slice(2).padEnd(11, '0')
  return `${Date.now().toString(36)}-${random()}${random()}`
}
