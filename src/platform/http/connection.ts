import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/auth/actor.ts'
import { identifyAgain } from './authenticate.ts'
import type { HttpContext } from './http-context.ts'

/** For requests that wait or go on for long. */
export type Connection = {
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal
  /** The id of the last event of a stream that the client received. */
  readonly lastEventId: string | undefined
  /** Reads the credentials again: they may have ended, and the access of the person may have changed. */
  identify: () => Promise<Actor>
}

/** The signal is made on first use, because most requests do not wait. */
export function connectionOf(http: HttpContext, request: FastifyRequest): Connection {
  let signal: AbortSignal | undefined
  return {
    get signal() {
      signal ??= makeSignal(http, request)
      return signal
    },
    lastEventId: [request.headers['last-event-id']].flat()[0],
    identify: () => identifyAgain(http, request),
  }
}

function makeSignal({ stopping }: HttpContext, { raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  raw.socket?.once('close', () => gone.abort())
  if (raw.socket?.destroyed) gone.abort()
  return stopping ? AbortSignal.any([stopping, gone.signal]) : gone.signal
}
