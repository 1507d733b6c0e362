import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagMatches, weakEtag } from './etag.ts'
import { indentJson } from './json.ts'
import { requestedIndent } from './negotiation.ts'

export function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.code(304).header('etag', etag).send()
}

/** Sends a body with its entity tag, or 304 if the client has it. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  { contentType = 'application/json', tagged = request.method !== 'OPTIONS', etag = '' } = {},
): FastifyReply {
  if (tagged && !reply.hasHeader('etag')) {
    const tag = etag || weakEtag(body)
    if (etagMatches(request.headers['if-none-match'], tag)) return sendNotModified(reply, tag)
    reply.header('etag', tag)
  }
  const indent = contentType === 'application/json' ? requestedIndent(request.headers.accept) : 0
  const content = indent ? indentJson(body.toString(), indent) : body
  if (request.method !== 'HEAD') return sendBytes(reply, contentType, content)
  return reply.headers({ 'content-type': contentType, 'content-length': Buffer.byteLength(content) }).send()
}

/** Sends bytes, because Fastify adds a charset to text and JSON has none (RFC 8259). */
export function sendBytes(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  return reply.header('content-type', contentType).send(typeof body === 'string' ? Buffer.from(body) : body)
}
