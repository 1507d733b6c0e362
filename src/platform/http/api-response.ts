import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchingEtag, weakEtag } from './etag.ts'
import { indentJson } from './json.ts'
import { requestedIndent } from './negotiation.ts'

/** 304 with the ETag of what the client has, if that is current: of compressed bytes it is another one. */
export function sendIfNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply | undefined {
  const known = matchingEtag(request.headers['if-none-match'], etag)
  if (known === undefined) return undefined
  return reply
    .code(304)
    .header('etag', etag.startsWith('W/') ? etag : known.replace(/^W\//, ''))
    .send()
}

/** The same record as other bytes. */
const etagOf = (etag: string, indent: number): string => (indent && etag.startsWith('"') ? `W/${etag}` : etag)

/** Sends a body with its entity tag, or 304 if the client has it. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  { contentType = 'application/json', tagged = request.method !== 'OPTIONS', etag = '' } = {},
): FastifyReply {
  const indent = contentType === 'application/json' ? requestedIndent(request.headers.accept) : 0
  if (tagged && !reply.hasHeader('etag')) {
    const tag = etag ? etagOf(etag, indent) : weakEtag(body)
    const notModified = sendIfNotModified(request, reply, tag)
    if (notModified) return notModified
    reply.header('etag', tag)
  }
  const content = indent ? indentJson(body.toString(), indent) : body
  if (request.method !== 'HEAD') return sendBytes(reply, contentType, content)
  return reply.headers({ 'content-type': contentType, 'content-length': Buffer.byteLength(content) }).send()
}

/** Sends bytes, because Fastify adds a charset to text and JSON has none (RFC 8259). */
export function sendBytes(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  return reply.header('content-type', contentType).send(typeof body === 'string' ? Buffer.from(body) : body)
}
