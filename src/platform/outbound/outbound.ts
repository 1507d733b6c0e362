import { lookup } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { type AllowList, isMetadataAddress, isPublicAddress, parseAllowList } from './addresses.ts'

type OutboundRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** The status is all that counts: the body of the response is not read. */
  discardsBody?: boolean
  /** Ends the request early. */
  signal?: AbortSignal
}
type OutboundResponse = { status: number; headers: Record<string, string | undefined>; text: string }

/**
 * `message` is for logs and administrators, `code` for decisions and for everybody: `forbidden` is also a name that cannot be
 * resolved, so that nobody learns which names exist in the network of the server.
 */
export class OutboundError extends Error {
  readonly code: 'forbidden' | 'unreachable' | 'too_slow' | 'too_large' | 'encoded' | 'redirected'
  /** The request went to an address of an internal network that OUTBOUND_ALLOW permits. */
  readonly isInternal: boolean
  constructor(code: OutboundError['code'], message: string, options: ErrorOptions & { isInternal?: boolean } = {}) {
    super(message, options)
    this.code = code
    this.isInternal = options.isInternal ?? false
  }
}

/** HTTP client for all outgoing requests. */
export type Outbound = { send: (url: string, request?: OutboundRequest) => Promise<OutboundResponse> }

export type OutboundLimits = Pick<OutboundOptions, 'deadlineMs' | 'maxBytes' | 'reusesConnections'>

export type OutboundOptions = {
  /** Hosts and networks that may be private and may use plain http. */
  allow: readonly string[]
  resolve?: (host: string) => Promise<string[]>
  /** For the whole exchange including redirects, so that a slow trickle of bytes cannot extend it. */
  deadlineMs?: number
  maxBytes?: number
  /**
   * Keeps connections open for further requests. A request on a connection that the server has just closed is sent again, so it must be
   * one that may arrive twice.
   */
  reusesConnections?: boolean
  /** Replaced by tests that show what the check prevents. */
  isAllowed?: typeof isAddressAllowed
}

const MAX_REDIRECTS = 2
/** Connections without a request are closed after so long. */
const IDLE_MS = 10_000
/** Per address. */
const MAX_IDLE = 4

/** Names below `localhost` are loopback (RFC 6761), but not every resolver knows that. */
async function resolveByDns(host: string): Promise<string[]> {
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1']
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

/** Whether a connection to this address is allowed for this host name. */
function isAddressAllowed(
  allowed: AllowList,
  { host, address, isSecure }: { host: string; address: string; isSecure: boolean },
): boolean {
  // Never, not even if OUTBOUND_ALLOW contains the name: who controls the name server would choose the address.
  if (isMetadataAddress(address)) return false
  if (allowed.host(host) || allowed.address(address)) return true
  return isSecure && isPublicAddress(address)
}

type AddressCheck = { allowed: AllowList } & Pick<OutboundOptions, 'resolve' | 'isAllowed'>

/** Checks the resolved address, for every request including redirects; the connection uses exactly this address. */
export async function resolveAllowed(
  url: URL,
  { allowed, resolve = resolveByDns, isAllowed = isAddressAllowed }: AddressCheck,
): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const found = isIP(host)
    ? [host]
    : await resolve(host).catch((cause) => {
        throw new OutboundError('forbidden', `${host} cannot be resolved`, { cause })
      })
  const address = found.find((each) => isAllowed(allowed, { host, address: each, isSecure }))
  if (address !== undefined) return address
  const reason = isSecure || !found.some(isPublicAddress) ? 'is not on the public internet' : 'is not reached by https'
  throw new OutboundError('forbidden', `${host} ${reason}; OUTBOUND_ALLOW can permit it`)
}

export function makeOutbound(options: OutboundOptions): Outbound {
  const { deadlineMs = 5_000, maxBytes = 1024 * 1024 } = options
  const check = { ...options, allowed: parseAllowList(options.allow) }
  const connections = options.reusesConnections ? makeConnections() : undefined

  async function sendOnce(
    url: URL,
    request: OutboundRequest,
    signal: AbortSignal,
    reached: Reached,
    pool = connections,
  ): Promise<OutboundResponse> {
    const address = await untilAborted(resolveAllowed(url, check), signal)
    reached.isInternal = !isPublicAddress(address)
    const isSecure = url.protocol === 'https:'
    const send = isSecure ? secureRequest : plainRequest
    return new Promise((done, fail) => {
      let isAnswered = false
      const outgoing: ClientRequest = send(
        {
          host: address,
          port: url.port || undefined,
          path: `${url.pathname}${url.search}`,
          method: request.method ?? 'GET',
          // Certificates are issued for the name, not for the address.
          ...(isIP(url.hostname) ? {} : { servername: url.hostname }),
          headers: {
            'user-agent': 'Turnout',
            'accept-encoding': 'identity',
            ...request.headers,
            host: url.host,
            ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
          },
          agent: pool?.[isSecure ? 'secure' : 'plain'] ?? false,
          signal,
        },
        (response) => {
          isAnswered = true
          if (!request.discardsBody) return void read(response, maxBytes).then(done, fail)
          done({ status: response.statusCode!, headers: headersOf(response), text: '' })
          if (pool) discard(response)
          else response.destroy()
        },
      )
      outgoing.on('error', (error) => {
        const isStale = outgoing.reusedSocket && !isAnswered && !signal.aborted
        if (isStale) sendOnce(url, request, signal, reached, NO_CONNECTIONS).then(done, fail)
        else fail(error)
      })
      outgoing.end(request.body)
    })
  }

  async function followRedirects(
    start: URL,
    request: OutboundRequest,
    signal: AbortSignal,
    reached: Reached,
  ): Promise<OutboundResponse> {
    let url = start
    for (let hops = 0; ; hops++) {
      const answer = await sendOnce(url, hops && url.origin !== start.origin ? withoutSecrets(request) : request, signal, reached)
      const { location } = answer.headers
      const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304 && location !== undefined
      // Only GET is repeated at another URL.
      if (!isRedirect || (request.method ?? 'GET') !== 'GET') return answer
      if (hops === MAX_REDIRECTS) throw new OutboundError('redirected', 'too many redirects')
      url = readUrl(location, url)
    }
  }

  return {
    send: async (address, request = {}) => {
      const url = readUrl(address)
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), deadlineMs)
      const signal = request.signal ? AbortSignal.any([deadline.signal, request.signal]) : deadline.signal
      const reached: Reached = { isInternal: false }
      try {
        return await followRedirects(url, request, signal, reached)
      } catch (cause) {
        const options = { cause, isInternal: reached.isInternal }
        if (deadline.signal.aborted)
          throw new OutboundError('too_slow', `no response within ${deadlineMs / 1000} seconds`, options)
        if (cause instanceof OutboundError) throw cause
        throw new OutboundError('unreachable', (cause as Error).message, options)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** What is known about the address of the last request. */
type Reached = { isInternal: boolean }

type Connections = { plain?: PlainAgent; secure?: SecureAgent }

/**
 * Agents find a connection by the address that was resolved and checked for this request, and by the name of the certificate. A name that
 * gets another address gets another connection.
 */
function makeConnections(): Connections {
  const options = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS }
  return { plain: new PlainAgent(options), secure: new SecureAgent(options) }
}

const NO_CONNECTIONS: Connections = {}

/** More than this, or a body that takes longer, is not worth a connection. */
const MAX_DISCARDED_BYTES = 64 * 1024
const MAX_DISCARD_MS = 1_000

/** The connection can be used again after the end of the body. */
function discard(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), MAX_DISCARD_MS)
  let size = 0
  response
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_DISCARDED_BYTES) response.destroy()
    })
    .on('error', () => {})
    .on('close', () => clearTimeout(timer))
}

/** Name resolution cannot be aborted, so the deadline must not wait for it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new OutboundError('forbidden', 'not an http or https URL')
  return url
}

const SECRET = new Set(['authorization', 'cookie'])

const withoutSecrets = (request: OutboundRequest): OutboundRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers ?? {}).filter(([name]) => !SECRET.has(name.toLowerCase()))),
})

async function read(response: IncomingMessage, maxBytes: number): Promise<OutboundResponse> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    response.destroy()
    throw new OutboundError('encoded', `the response has the unsupported encoding ${encoding}`)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      response.destroy()
      throw new OutboundError('too_large', `the response is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return { status: response.statusCode!, headers: headersOf(response), text: Buffer.concat(chunks).toString('utf8') }
}

const headersOf = ({ headers }: IncomingMessage): OutboundResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
