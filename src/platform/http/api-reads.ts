import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestContext } from '#platform/auth/context.ts'
import { send, sendIfNotModified } from './api-response.ts'
import type { Connection } from './connection.ts'
import { cursorLinks } from './cursor.ts'
import type { DocumentEndpoint, LinkContext, ListEndpoint, RecordEndpoint, Rendering } from './endpoint.ts'
import { recordEtag, weakEtag } from './etag.ts'
import { requestOrigin, requestUrl } from './http-context.ts'
import { JsonBytes, jsonBytes } from './json.ts'
import { buildList, keptList, type SentList } from './list-bodies.ts'
import { type Links, linkHeader, pageLinks } from './paging.ts'
import { type Parameters, type QueryOf, readParameters } from './parameters.ts'
import { readApiPath } from './path.ts'
import { Problem } from './problem.ts'
import type { RawQuery } from './raw-query.ts'
import { bindingOf, checkIncluded, pageOf, parametersFor, type RequestOptions, shapeRecords } from './request-options.ts'

const linkContextOf = (request: FastifyRequest, siteUrl: string): LinkContext => ({
  origin: requestOrigin(request, siteUrl),
  suffix: request.formatSuffix,
})

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into paths and rows
type AnyList = ListEndpoint<any, Parameters, any>
// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into paths and rows
type AnyRecord = RecordEndpoint<any, Parameters, any>

export async function sendList(
  endpoint: AnyList,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: RawQuery,
): Promise<FastifyReply> {
  const binding = () => bindingOf(endpoint, query, request.params, context)
  const declared = parametersFor(endpoint, query, binding)
  const parameters: QueryOf<Parameters> & RequestOptions = await readParameters(declared, query, context)
  checkIncluded(endpoint, parameters, context)
  const path = readApiPath(request.params as Record<string, string>)
  const page = pageOf(query, parameters)
  const { count, rows, fingerprint, edges } = await endpoint.find(context, parameters, page, path)
  const base = `${requestOrigin(request, context.site.url)}${requestUrl(request).split('?')[0]}`
  const build = async (etag: string): Promise<SentList> => {
    const { limit, keyset } = page
    const links = keyset
      ? cursorLinks(binding(), { base, query, limit, keyset, edges })
      : pageLinks(base, query, page, count ?? 0)
    const presented = (typeof rows === 'function' ? await rows() : rows).map((row) => endpoint.present(row, context))
    const records = await shapeRecords(endpoint, presented, parameters, context)
    return { bytes: envelope(count, links, records), etag, link: linkHeader(links) }
  }
  if (fingerprint === undefined || parameters.include) return sendPage(request, reply, await build(''))
  // Links depend on URL, count and edges only.
  const position = edges ? JSON.stringify(edges) : count
  const all = `${fingerprint}\n${position}\n${base}?${request.raw.url}\n${context.words.language}\n${context.site.timeZone}`
  const kept = keptList(context.db, all)
  const etag = kept?.etag ?? weakEtag(all)
  const notModified = sendIfNotModified(request, reply, etag)
  return notModified ?? sendPage(request, reply, kept ?? (await buildList(context.db, all, () => build(etag))))
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { bytes, etag, link }: SentList): FastifyReply {
  if (etag) reply.header('etag', etag)
  if (link) reply.header('link', [reply.getHeader('link'), link].filter(Boolean).join(', '))
  return send(request, reply, bytes)
}

const BEGIN = Buffer.from('[')
const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

function envelope(count: number | null, { next, previous }: Links, records: unknown[]): Buffer {
  const start = `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":`
  // One text for all records: a buffer for each takes longer than their serialization.
  if (!records.some((record) => record instanceof JsonBytes)) return Buffer.from(`${start}${JSON.stringify(records)}}`)
  const parts = records.flatMap((record, i) => [i ? COMMA : BEGIN, jsonBytes(record)])
  return Buffer.concat([Buffer.from(start), ...parts, END])
}

export async function sendRecord(
  endpoint: AnyRecord,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: RawQuery,
  connection: Connection,
): Promise<FastifyReply> {
  const declared = parametersFor(endpoint, query, () => bindingOf(endpoint, query, request.params, context))
  const parameters: QueryOf<Parameters> & RequestOptions = await readParameters(declared, query, context)
  checkIncluded(endpoint, parameters, context)
  const path = readApiPath(request.params as Record<string, string>)
  const row = await endpoint.get(context, path, parameters, connection)
  if (row === undefined) throw new Problem('not_found')
  const presented = endpoint.present(row, context, linkContextOf(request, context.site.url))
  const [record] = await shapeRecords(endpoint, [presented], parameters, context)
  const body = jsonBytes(record)
  // What is included changes without the record, whose version the ETag names.
  if (parameters.include) return send(request, reply, body, { tagged: false })
  const revision = await endpoint.revision?.(context, path)
  const whole = parameters.fields ? jsonBytes(presented) : body
  return send(request, reply, body, { etag: recordEtag(whole, revision, context.site.keyring) })
}

export function sendDocument(
  endpoint: DocumentEndpoint,
  rendering: Rendering,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { content, contentType, headers = {} } = endpoint.render(rendering, context, linkContextOf(request, context.site.url))
  reply.headers(headers)
  return send(request, reply, content, { contentType, tagged: !endpoint.fresh })
}
