import type { FastifyInstance } from 'fastify'

/** `covers`: paths with CORS headers; `allows`: origins that may call them. Credentials are never allowed. */
export type Cors = { covers: (path: string) => boolean; allows: (origin: string) => Promise<boolean> }

const REQUEST_HEADERS = 'authorization, content-type, accept, accept-language, if-none-match'
const EXPOSED_HEADERS = 'link, etag, retry-after, ratelimit, ratelimit-policy, www-authenticate, x-request-id'
const MAX_ORIGIN_LENGTH = 300

export function serveCors(app: FastifyInstance, { covers, allows }: Cors): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!covers((request.raw.url ?? '').split('?')[0]!)) return
    const { origin } = request.headers
    // A cache must not serve one origin's response to another.
    reply.header('vary', 'Origin')
    if (!origin || origin === 'null' || origin.length > MAX_ORIGIN_LENGTH || !(await allows(origin))) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': '600',
    })
    return reply.code(204).send()
  })
}
