import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkApiAccess, checkWritePermission } from './access.ts'
import { sendDocument, sendList, sendRecord } from './api-reads.ts'
import { send } from './api-response.ts'
import { handleAction, handleWrite } from './api-writes.ts'
import { authenticate } from './authenticate.ts'
import { connectionOf } from './connection.ts'
import { deprecationHeaders } from './deprecation.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { type Endpoint, methodOf, type Rendering, type Revision } from './endpoint.ts'
import { apiVary } from './headers.ts'
import { apiWords, type HttpContext, makeRequestContext, requestOrigin } from './http-context.ts'
import { negotiateJson, negotiateRendering } from './negotiation.ts'
import { checkPathShape, routeUrl } from './path.ts'
import { Problem } from './problem.ts'
import { parseRawQuery, type RawQuery } from './raw-query.ts'
import { ALL_METHODS } from './routing.ts'
import { EVENT_STREAM, sendStream } from './stream.ts'

const CACHE = 'private, no-cache'

/** The endpoints of one path. */
type Group = { endpoints: readonly Endpoint[]; allow: string; revision: Revision | undefined }

/** One route per path for all methods: access is checked before the method, so that 405 reveals nothing. */
export function serveApi(app: FastifyInstance, http: HttpContext, endpoints: Endpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ path }) => path as string)
  for (const [path, ofPath] of byPath) {
    const group = { endpoints: ofPath, allow: allowOf(ofPath), revision: revisionOf(ofPath) }
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(http, group, request, reply)
    app.route({ method: ALL_METHODS, url: routeUrl(path), onRequest: dropMalformedType, handler })
  }
  // A short address of the reference.
  app.get('/api/docs/', (request, reply) => reply.redirect(`${requestOrigin(request, http.site.url)}/api/schema/swagger-ui/`))
}

const allowOf = (endpoints: readonly Endpoint[]): string =>
  [...endpoints.flatMap((endpoint) => (methodOf(endpoint) === 'GET' ? ['GET', 'HEAD'] : [methodOf(endpoint)])), 'OPTIONS'].join(
    ', ',
  )

/** A record has the version that writes of the same path compare. */
const revisionOf = (endpoints: readonly Endpoint[]): Revision | undefined =>
  endpoints.flatMap((each) => (each.kind === 'write' && each.revision ? [each.revision] : []))[0]

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Fastify would reject a malformed content type before the access check; without one, `readBody` rejects it afterwards. */
async function dropMalformedType({ raw }: FastifyRequest): Promise<void> {
  if (!MEDIA_TYPE.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type']
}

async function handle(http: HttpContext, group: Group, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const now = http.clock.now()
  const words = apiWords(http, request)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = group.endpoints.find((each) => methodOf(each) === method) ?? group.endpoints[0]!
  const vary = apiVary(reply.getHeader('vary'))
  reply.headers({ allow: group.allow, vary, 'content-language': words.language, 'cache-control': CACHE })
  const query = parseRawQuery(request.raw.url ?? '')
  const rendering = negotiate(endpoint, request, query)
  if (request.formatSuffix && endpoint.suffix === false) throw new Problem('not_found')
  const { actor, credentials } = await authenticate(http, request, reply, now)
  checkPathShape(request.params as Record<string, string>)
  checkApiAccess(endpoint.access, actor, credentials)
  checkWritePermission(endpoint, actor, request.method)
  if (request.method === 'OPTIONS') return send(request, reply, JSON.stringify(describeEndpoint(endpoint)))
  if (methodOf(endpoint) !== method) throw new Problem('method_not_allowed')

  const caller = { actor, now, words, query }
  if (endpoint.kind === 'action') return handleAction(http, endpoint, caller, request, reply)
  if (endpoint.kind === 'write') return handleWrite(http, endpoint, caller, request, reply)
  const context = makeRequestContext(http, actor, now, words)
  if (endpoint.kind === 'document') return sendDocument(endpoint, rendering!, context, request, reply)
  reply.headers(deprecationHeaders(endpoint.parameters, query, http.site.url))
  const reading = { ...context, db: await http.db.chooseReader() }
  if (endpoint.kind === 'list') return sendList(endpoint, reading, request, reply, query)
  const connection = connectionOf(http, request)
  if (endpoint.kind === 'stream') return sendStream(endpoint, { context, request, reply, query, connection })
  const revision = endpoint.revision ?? group.revision
  return sendRecord({ ...endpoint, ...(revision ? { revision } : {}) }, reading, request, reply, query, connection)
}

function negotiate(endpoint: Endpoint, request: FastifyRequest, query: RawQuery): Rendering | undefined {
  if (endpoint.kind === 'document') return negotiateRendering(endpoint.renderings, request.accepts(), query)
  if (endpoint.kind === 'stream') return negotiateRendering([EVENT_STREAM], request.accepts(), query)
  negotiateJson(request.headers.accept === undefined ? undefined : request.accepts(), query)
  return undefined
}
