import { ConnectionError, type FailedRequest, ProblemError } from './errors.ts'
import { backoffMs, type RetryOptions, readRetryAfter } from './retry.ts'

export type Transport = { fetch: typeof globalThis.fetch; retry: RetryOptions }
export type Outgoing = {
  method: string
  url: URL
  headers: Headers
  body: string | undefined
  idempotencyKey: string | undefined
  signal: AbortSignal | undefined
  timeoutMs: number
}
export type Received = { status: number; headers: Headers; text: string }

/** A gateway lost its connection to the server, which may have carried out the request. */
const LOST = new Set([502, 504])
/** The server did not begin. */
const NOT_BEGUN = new Set([429, 503])

/**
 * Sends a request until it is answered. Reads may be repeated, a POST is recognised by its key, and other writes name a version with
 * If-Match, so none is carried out twice.
 */
export async function send({ fetch, retry }: Transport, outgoing: Outgoing): Promise<Received> {
  const { method, url, idempotencyKey, signal } = outgoing
  let hasLostAnswer = false
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= retry.attempts
    const request = (): FailedRequest => ({
      method,
      url: url.pathname + url.search,
      idempotencyKey,
      isUncertain: hasLostAnswer && method !== 'GET' && method !== 'POST',
    })
    let received: Received
    try {
      received = await attemptOnce(fetch, outgoing)
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      hasLostAnswer = true
      if (isLast) throw new ConnectionError(request(), attempt, cause)
      await retry.wait(backoffMs(attempt, retry), signal)
      continue
    }
    const { status, headers } = received
    if (status >= 200 && status < 300 && isJson(received)) return received
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now())
    const isRetried = NOT_BEGUN.has(status) || LOST.has(status) || (status === 409 && retryAfterMs !== undefined)
    if (LOST.has(status)) hasLostAnswer = true
    if (isLast || !isRetried || (retryAfterMs ?? 0) > retry.maxRetryAfterMs)
      throw new ProblemError(request(), { ...received, retryAfterMs })
    await retry.wait(Math.max(retryAfterMs ?? 0, backoffMs(attempt, retry)), signal)
  }
}

/** Or nothing. Something in between may answer with a page of its own. */
const isJson = ({ headers, text }: Received): boolean =>
  text === '' || /^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '')

/** An answer counts when its body has arrived, too. */
async function attemptOnce(
  fetch: Transport['fetch'],
  { method, url, headers, body, signal, timeoutMs }: Outgoing,
): Promise<Received> {
  const attempt = linkedController(signal)
  const timer = setTimeout(() => attempt.abort(timeoutError(timeoutMs)), timeoutMs)
  try {
    // A redirect would turn a POST into a GET.
    const init: RequestInit = { method, headers, redirect: 'manual', signal: attempt.signal }
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } finally {
    clearTimeout(timer)
    attempt.unlink()
  }
}

export const timeoutError = (ms: number): DOMException => new DOMException(`no answer within ${ms} ms`, 'TimeoutError')

export type LinkedController = { signal: AbortSignal; abort: (reason: unknown) => void; unlink: () => void }

/** Ends with the given signal or by itself; Node 18 has no `AbortSignal.any`. */
export function linkedController(outer: AbortSignal | undefined): LinkedController {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => outer?.removeEventListener('abort', onAbort),
  }
}
