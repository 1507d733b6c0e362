import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { codedEtag } from './etag.ts'

type Encoding = 'br' | 'gzip'
type Level = 'quick' | 'best'

/** Below it, the header costs more than it saves. */
const LEAST_BYTES = 1_000
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|problem\+json|manifest\+json|yaml|javascript|vnd\.oai\.openapi)|image\/svg\+xml)/

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]
const BROTLI_QUALITY = { quick: 4, best: 9 }
const GZIP_LEVEL = { quick: 4, best: 9 }
/** 256 kB instead of 4 MB: pages are smaller, and every response that is being compressed needs its own. */
const WINDOW_BITS = 18

function compress(bytes: Buffer, encoding: Encoding, level: Level): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: GZIP_LEVEL[level] })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[level],
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotli(bytes, { params })
}

/** Bodies that are kept, as files and pages of lists are, are compressed once and kept as long as their bytes. */
const compressed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

function compressOnce(bytes: Buffer, encoding: Encoding, level: Level): Promise<Buffer> {
  const known = compressed.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  compressed.set(bytes, known)
  const result = known.get(encoding) ?? compress(bytes, encoding, level)
  known.set(encoding, result)
  return result
}

/** The best encoding that the client accepts; `q=0` refuses one. */
export function chooseEncoding(header: string | undefined): Encoding | undefined {
  if (!header) return undefined
  const accepted = new Map(
    header.split(',').map((part) => {
      const [name, ...parameters] = part.split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find((text) => text !== undefined)
      return [name!.trim().toLowerCase(), quality === undefined ? 1 : Number(quality)]
    }),
  )
  const isAccepted = (encoding: Encoding) => (accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(isAccepted)
}

type OriginHeaders = { 'sec-fetch-site'?: string | string[] | undefined; authorization?: string | undefined }

/**
 * Whether another site could have chosen what the response repeats. Then its compressed length would tell how much of that occurs among
 * what the person alone may read (the BREACH attack), so such a response is sent as it is. Browsers tell who made the request; old ones do
 * not, and then a query could be chosen by somebody else.
 */
export function mayBeChosenElsewhere(headers: OriginHeaders, url: string): boolean {
  // Other sites cannot send a token that they do not have.
  if (headers.authorization !== undefined) return false
  const site = headers['sec-fetch-site']
  if (site === undefined) return url.includes('?')
  return site !== 'same-origin' && site !== 'none'
}

const addVary = (reply: FastifyReply): void => {
  const existing = reply.getHeader('vary')
  reply.header('vary', existing ? `${existing}, Accept-Encoding` : 'Accept-Encoding')
}

const isCompressible = (reply: FastifyReply, payload: string | Buffer): boolean =>
  payload.length >= LEAST_BYTES &&
  COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? '')) &&
  !reply.hasHeader('content-encoding') &&
  reply.statusCode !== 206

/** Compresses texts for clients that accept it. Streams and small responses are sent as they are. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || request.method === 'HEAD' || !isCompressible(reply, payload)) return done(null, payload)
    const isFile = request.routeOptions.url?.startsWith('/assets/') === true
    // Caches on the way keep files for everybody.
    if (isFile) addVary(reply)
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!encoding || (!isFile && mayBeChosenElsewhere(request.headers, request.raw.url ?? ''))) return done(null, payload)
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    compressOnce(bytes, encoding, isFile ? 'best' : 'quick').then((encoded) => {
      if (!isFile) addVary(reply)
      reply.header('content-encoding', encoding).removeHeader('content-length')
      const etag = reply.getHeader('etag')
      if (etag !== undefined) reply.header('etag', codedEtag(String(etag), encoding))
      done(null, encoded)
    }, done)
  })
}
