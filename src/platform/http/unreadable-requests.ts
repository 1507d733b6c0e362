import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyRequest } from 'fastify'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Log } from '#platform/log.ts'
import { securityHeaders } from './headers.ts'
import { Problem, type ProblemCode, problemBody, problemDetail, problemLink } from './problem.ts'

const CODES: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}
const REASONS: Partial<Record<ProblemCode, string>> = {
  bad_request: 'Bad Request',
  request_timeout: 'Request Timeout',
  headers_too_large: 'Request Header Fields Too Large',
}
const REQUEST_LINE = /^[A-Z]+ (\/[^ ?\r\n]*)/

/** Answers requests that reach no handler, and closes their connection. Nothing is known of the caller, so the answer is in English. */
export function makeRefusal({ log, siteUrl }: { log: Log; siteUrl: string }) {
  const words = wordsFor('en', 'UTC')
  const common = securityHeaders(siteUrl)
  const refuse = (socket: Socket, code: ProblemCode, path: string | undefined): void => {
    if (!socket.writable) return
    const requestId = randomUUID()
    const problem = new Problem(code)
    // Without a path it is for programs: browsers send requests that can be read.
    const isPage = path !== undefined && !/^\/api([/?]|$)/.test(path)
    const body = isPage ? `${problemDetail(problem, words)}\n` : problemBody(problem, words, requestId)
    const headers = {
      ...common,
      'content-type': isPage ? 'text/plain; charset=utf-8' : 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'content-language': 'en',
      link: problemLink(code, siteUrl),
      'x-request-id': requestId,
      connection: 'close',
    }
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    log.info({ code, requestId }, 'refused an unreadable request')
    socket.end(`HTTP/1.1 ${problem.status} ${REASONS[code]}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
  }
  return {
    /** For errors of the parser and timeouts of Node. */
    onClientError: (error: ConnectionError, socket: Socket): void => {
      // The bytes among which the parser found the mistake; those of a slow request are gone.
      const bytes = Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
      const path = REQUEST_LINE.exec(bytes.toString('latin1'))?.[1]
      if (error.code === 'ECONNRESET') socket.destroy(error)
      else refuse(socket, CODES[error.code] ?? 'bad_request', path)
    },
    refuse,
  }
}

/** RFC 9110, section 10.1.1: other expectations than `100-continue` can be ignored. Node would answer 417 by itself. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** RFC 9112, section 3.2. Node would answer with an empty body. */
export const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined

/** Node has one limit for all requests, the one of uploads. Other requests are ended earlier. */
export function limitBodyTime({ raw }: FastifyRequest, limitMs: number, end: (socket: Socket) => void): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  const { socket } = raw
  const timer = setTimeout(() => {
    // Injected requests have no connection, and others may have lost it.
    if (!raw.complete && socket?.writable) end(socket)
  }, limitMs)
  // A body that nobody reads must not keep the process alive.
  timer.unref()
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}
