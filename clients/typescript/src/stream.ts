import { ProblemError } from './errors.ts'
import { readMessages } from './event-stream.ts'
import { backoffMs, readRetryAfter } from './retry.ts'
import { type LinkedController, linkedController, type Transport, timeoutError } from './send.ts'

/** An event of a stream with its parsed data. */
export type StreamEvent<Data> = { id: string | undefined; event: string; data: Data }

export type Following = {
  url: URL
  /** For each connection, because a token may have been refreshed. */
  headers: () => Promise<Headers>
  lastEventId: string | undefined
  signal: AbortSignal | undefined
  idleTimeoutMs: number
}

const DEFAULT_RECONNECT_MS = 3_000
/** These pass; other errors end the stream. */
const TEMPORARY = new Set([429, 500, 502, 503, 504])

/** Follows a stream until the caller leaves the loop or aborts; connects again and continues after the last event. */
export async function* follow<Data>(transport: Transport, following: Following): AsyncGenerator<StreamEvent<Data>, void> {
  const { signal, idleTimeoutMs } = following
  let { lastEventId } = following
  let reconnectMs = DEFAULT_RECONNECT_MS
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    const connection = linkedController(signal)
    const idle = makeIdleTimer(connection, idleTimeoutMs)
    let delayMs = 0
    try {
      const body = await connect(transport.fetch, following, lastEventId, connection.signal)
      for await (const { id, event, data, retryMs } of readMessages(body, idle.restart)) {
        failures = 0
        if (retryMs !== undefined) reconnectMs = retryMs
        if (id !== undefined) lastEventId = id
        if (data === undefined) continue
        // The time that the caller takes for an event is not idle time of the server.
        idle.stop()
        yield { id: lastEventId, event, data: JSON.parse(data) as Data }
        idle.restart()
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof SyntaxError) throw error
      if (error instanceof ProblemError && !TEMPORARY.has(error.status)) throw error
      failures++
      delayMs = Math.max(backoffMs(failures, transport.retry), error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0)
    } finally {
      idle.stop()
      connection.unlink()
    }
    await transport.retry.wait(Math.max(delayMs, reconnectMs), signal)
  }
}

async function connect(
  fetch: Transport['fetch'],
  { url, headers: makeHeaders }: Following,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers = await makeHeaders()
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  const response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (response.status === 200 && isStream && response.body) return response.body
  const request = { method: 'GET', url: url.pathname + url.search, isUncertain: false }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now())
  throw new ProblemError(request, {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    retryAfterMs,
  })
}

/** Ends a connection on which nothing arrives: the other side may be gone without closing it. */
function makeIdleTimer(connection: LinkedController, idleTimeoutMs: number): { restart: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    timer = setTimeout(() => connection.abort(timeoutError(idleTimeoutMs)), idleTimeoutMs)
  }
  restart()
  return { restart, stop }
}
