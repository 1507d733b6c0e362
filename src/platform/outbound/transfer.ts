import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseAllowList } from './addresses.ts'
import { OutboundError, resolveAllowed } from './outbound.ts'

type TransferRequest = {
  method: 'GET' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  /** Needs the header `content-length`. */
  body?: Readable
}

/** Sends and receives large bodies as streams, to hosts of the configuration only. Does not follow redirects. */
export type Transfer = (url: URL, request: TransferRequest) => Promise<IncomingMessage>

/** Without any byte for so long, the exchange has failed. */
const IDLE_TIMEOUT_MS = 30_000

/** `allow`: the host that an administrator has configured; it may be private and use plain http. */
export function makeTransfer({ allow }: { allow: readonly string[] }): Transfer {
  const allowed = parseAllowList(allow)
  return async (url, { method, headers, body }) => {
    const address = await resolveAllowed(url, { allowed })
    const send = url.protocol === 'https:' ? secureRequest : plainRequest
    return new Promise((done, fail) => {
      const outgoing = send(
        {
          host: address,
          port: url.port || undefined,
          path: `${url.pathname}${url.search}`,
          method,
          // Certificates are issued for the name, not for the address.
          ...(isIP(url.hostname) ? {} : { servername: url.hostname }),
          headers: { 'user-agent': 'Turnout', ...headers, host: url.host },
          agent: false,
          timeout: IDLE_TIMEOUT_MS,
        },
        done,
      )
      outgoing.on('timeout', () => outgoing.destroy(new OutboundError('too_slow', `${url.host} does not answer`)))
      outgoing.on('error', (cause) => {
        fail(cause instanceof OutboundError ? cause : new OutboundError('unreachable', cause.message, { cause }))
      })
      // A failure of either side reaches `error` above.
      if (body) pipeline(body, outgoing).catch(fail)
      else outgoing.end()
    })
  }
}
