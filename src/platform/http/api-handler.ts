import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkApiAccess, checkWritePermission } from './access.ts'
import { authenticate } from './authenticate.ts'
import { parseBodyValue, readBody, readJson } from './body.ts'
import { type Connection, connectionOf } from './connection.ts'
import { csrfToken, csrfTokenMatches, isSameOrigin } from './csrf.ts'
import { cursorLinks } from './cursor.ts'
import { deprecationHeaders } from './deprecation.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import {
  type ActionEndpoint,
  type DocumentEndpoint,
  type Endpoint,
  type LinkContext,
  type ListEndpoint,
  methodOf,
  type RecordEndpoint,
  type Rendering,
  type Revision,
} from './endpoint.ts'
import { etagMatches, recordEtag, weakEtag } from './etag.ts'
import { apiVary } from './headers.ts'
import {
  type HttpContext,
  makeCommandContext,
  makeRequestContext,
  requestOrigin,
  requestUrl,
  requestWords,
} from './http-context.ts'
import { makeKey, readIdempotencyKey } from './idempotency.ts'
import { indentJson, JsonBytes, jsonBytes } from './json.ts'
import { buildList, keptList, type SentList } from './list-bodies.ts'
import { negotiateJson, negotiateRendering, requestedIndent } from './negotiation.ts'
import { type Links, linkHeader, pageLinks } from './paging.ts'
import { type Parameters, type QueryOf, readParameters } from './parameters.ts'
import { checkPathShape, readApiPath, routeUrl } from './path.ts'
import { Problem } from './problem.ts'
import { addressKey } from './rate-limiter.ts'
import { parseRawQuery, type RawQuery, valuesOf } from './raw-query.ts'
import { bindingOf, checkIncluded, pageOf, parametersFor, type RequestOptions, shapeRecords } from './request-options.ts'
import { ALL_METHODS } from './routing.ts'
import { EVENT_STREAM, sendStream } from './stream.ts'
import { type AnyWrite, checkPreconditionGiven, runWrite } from './write.ts'

const CACHE = 'private, no-cache'

/** One route per path for all methods: access is checked before the method, so that 405 reveals nothing. */
export function serveApi(app: FastifyInstance, http: HttpContext, endpoints: Endpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ path }) => path as string)
  for (const [path, group] of byPath) {
    const url = routeUrl(path)
    const allow = allowOf(group)
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(http, group, allow, request, reply)
    app.route({ method: ALL_METHODS, url, onRequest: dropMalformedType, handler })
  }
  // A short address of the reference.
  app.get('/api/docs/', (_request, reply) => reply.redirect('/api/schema/swagger-ui/'))
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Fastify would reject a malformed content type before the access check; without one, `readBody` rejects it afterwards. */
async function dropMalformedType({ raw }: FastifyRequest): Promise<void> {
  if (!MEDIA_TYPE.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type']
}

async function handle(
  http: HttpContext,
  group: Endpoint[],
  allow: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const now = http.clock.now()
  const words = requestWords(http, request)
  const endpoint = group.find((each) => methodOf(each) === requestedMethod(request)) ?? group[0]!
  const vary = apiVary(reply.getHeader('vary'))
  reply.headers({ allow, vary, 'content-language': words.language, 'cache-control': CACHE })
  const query = parseRawQuery(request.raw.url ?? '')
  const rendering = negotiate(endpoint, request, query)
  if (request.formatSuffix && endpoint.suffix === false) throw new Problem('not_found')
  const { actor, credentials } = await authenticate(http, request, reply, now)
  checkPathShape(request.params as Record<string, string>)
  checkApiAccess(endpoint.access, actor, credentials)
  checkWritePermission(endpoint, actor, request.method)
  if (request.method === 'OPTIONS') return send(request, reply, JSON.stringify(describeEndpoint(endpoint)))
  if (methodOf(endpoint) !== requestedMethod(request)) throw new Problem('method_not_allowed')
  if (endpoint.kind === 'action') {
    // Open actions ignore the session cookie, so a forged request gains nothing.
    if (endpoint.access.kind !== 'open') checkCsrf(http, request, actor)
    const attempt = () => runAction(endpoint, makeCommandContext(http, { actor, now, request }), request, reply)
    return endpoint.limitFailures ? limitFailures(http, request, attempt) : attempt()
  }
  if (endpoint.kind === 'write') {
    checkCsrf(http, request, actor)
    return handleWrite(http, endpoint, { actor, now, words, query }, request, reply)
  }
  const context = makeRequestContext(http, actor, now, words)
  if (endpoint.kind === 'document') return sendDocument(endpoint, rendering!, context, request, reply)
  reply.headers(deprecationHeaders(endpoint.parameters, query, http.site.url))
  const reading = { ...context, db: await http.db.chooseReader() }
  if (endpoint.kind === 'list') return sendList(endpoint, reading, request, reply, query)
  const connection = connectionOf(http, request)
  if (endpoint.kind === 'stream') return sendStream(endpoint, { context, request, reply, query, connection })
  const revision = endpoint.revision ?? revisionAt(group)
  return sendRecord({ ...endpoint, ...(revision ? { revision } : {}) }, reading, request, reply, query, connection)
}

const revisionAt = (group: Endpoint[]): Revision | undefined =>
  group.flatMap((each) => (each.kind === 'write' && each.revision ? [each.revision] : []))[0]

function negotiate(endpoint: Endpoint, request: FastifyRequest, query: RawQuery): Rendering | undefined {
  if (endpoint.kind === 'document') return negotiateRendering(endpoint.renderings, request.accepts(), query)
  if (endpoint.kind === 'stream') return negotiateRendering([EVENT_STREAM], request.accepts(), query)
  negotiateJson(request.headers.accept === undefined ? undefined : request.accepts(), query)
  return undefined
}

const requestedMethod = ({ method }: FastifyRequest): string => (method === 'HEAD' ? 'GET' : method)

function allowOf(group: Endpoint[]): string {
  return [
    ...group.flatMap((endpoint) => (methodOf(endpoint) === 'GET' ? ['GET', 'HEAD'] : [methodOf(endpoint)])),
    'OPTIONS',
  ].join(', ')
}

const linkContextOf = (request: FastifyRequest, siteUrl: string): LinkContext => ({
  origin: requestOrigin(request, siteUrl),
  suffix: request.formatSuffix,
})

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into paths and rows
type AnyList = ListEndpoint<any, Parameters, any>
// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into paths and rows
type AnyRecord = RecordEndpoint<any, Parameters, any>

async function sendList(
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
  const all = `${fingerprint}\n${position}\n${base}?${request.raw.url}\n${context.words.language}`
  const kept = keptList(context.db, all)
  const etag = kept?.etag ?? weakEtag(all)
  if (etagMatches(request.headers['if-none-match'], etag)) return sendNotModified(reply, etag)
  return sendPage(request, reply, kept ?? (await buildList(context.db, all, () => build(etag))))
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

async function sendRecord(
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
  const revision = await endpoint.revision?.(context, path)
  return send(request, reply, body, { etag: recordEtag(body, revision, context.site.keyring) })
}

function sendDocument(
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

async function limitFailures<T>({ failures }: HttpContext, request: FastifyRequest, attempt: () => Promise<T>): Promise<T> {
  if (!failures) return attempt()
  const place = await failures.reserve(addressKey(request.ip))
  failures.check(place)
  try {
    const result = await attempt()
    place.settle({ failed: false })
    return result
  } catch (error) {
    place.settle({ failed: error instanceof Problem && error.status < 500 })
    throw error
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into bodies
type AnyAction = ActionEndpoint<any, any>

async function runAction(
  endpoint: AnyAction,
  commandContext: CommandContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = endpoint.body ? await readBody(request, endpoint.body) : undefined
  const path = readApiPath(request.params as Record<string, string>)
  const { status, body: content, headers = {} } = await endpoint.perform(commandContext, path, body)
  reply.code(status).headers(headers)
  return content === undefined ? reply.send() : sendBytes(reply, 'application/json', jsonBytes(content))
}

type WriteCaller = { actor: RequestContext['actor']; now: Date; words: Words; query: RawQuery }

async function handleWrite(
  http: HttpContext,
  endpoint: AnyWrite,
  { actor, now, words, query }: WriteCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isDryRun = readWriteQuery(query, words)
  const isPost = endpoint.method === 'POST'
  const keyText = isPost ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  const { text, value } = await readJson(request)
  const body = parseBodyValue(value, endpoint.body, words.language)
  const path = readApiPath(request.params as Record<string, string>)
  const ifMatch = request.headers['if-match']
  checkPreconditionGiven(endpoint, ifMatch)
  const key =
    keyText !== undefined && actor.kind === 'user'
      ? makeKey({ actor, key: keyText, method: request.method, url: requestUrl(request), body: text })
      : undefined
  const operation = { endpoint, path, body, ifMatch }
  const response = await runWrite(http, { operation, actor, now, words, requestId: request.id, isDryRun, key })
  reply.code(response.status).headers(response.headers)
  return response.body === undefined ? reply.send() : sendBytes(reply, 'application/json', response.body)
}

const DRY_RUN: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
/** `format` was read with the header Accept. */
const WRITE_PARAMETERS = ['dry_run', 'format']

/** Whether it is a dry run. Refuses what it does not know: a misspelled `dry_run` would write. */
function readWriteQuery(query: RawQuery, words: Words): boolean {
  const given = valuesOf(query, 'dry_run')
  const text = given.length ? given[0]!.trim().toLowerCase() : 'false'
  const unknown = [...new Set(query.map(([name]) => name))].filter((name) => !WRITE_PARAMETERS.includes(name))
  const detail = words.t('problem.unknown_parameter', { known: WRITE_PARAMETERS.join(', ') })
  const errors = unknown.map((parameter) => ({ parameter, code: 'unknown_parameter', detail }))
  if (given.length > 1 || !Object.hasOwn(DRY_RUN, text))
    errors.push({ parameter: 'dry_run', code: 'invalid_choice', detail: words.t('problem.dry_run_choice') })
  if (errors.length) throw new Problem('invalid_input', { errors })
  return DRY_RUN[text]!
}

/** Only sessions need it: browsers send cookies on their own, but not bearer tokens. */
function checkCsrf(http: HttpContext, request: FastifyRequest, actor: RequestContext['actor']): void {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return
  const expected = csrfToken(http.site.keyring, request.cookies[http.cookies.device] ?? '', actor.via.sessionHash)
  const trusted = isSameOrigin(request.headers, requestOrigin(request, http.site.url))
  if (!trusted || !csrfTokenMatches(expected, request.headers['x-csrf-token'])) throw new Problem('csrf_failed')
}

function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.code(304).header('etag', etag).send()
}

function send(
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
