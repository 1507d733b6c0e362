import type { FastifyInstance } from 'fastify'

/** `covers`: paths with CORS headers; `allows`: origins that may call them. Cookies are never allowed. */
export type Cors = { covers: (path: string) => boolean; allows: (origin: string) => Promise<boolean> }

const METHODS = 'GET, POST, PATCH, PUT, DELETE'
const REQUEST_HEADERS =
  'authorization, content-type, accept, accept-language, if-none-match, if-match, idempotency-key, last-event-id'
const EXPOSED_HEADERS =
  'etag, link, location, retry-after, ratelimit, ratelimit-policy, idempotency-replayed, dry-run, www-authenticate, x-request-id'
const MAX_ORIGIN_LENGTH = 300

/** A preflight has no token, so it is answered by the origin alone; each rule counts for its own paths. */
export function serveCors(app: FastifyInstance, rules: readonly Cors[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = (request.raw.url ?? '').split('?')[0]!
    const covering = rules.filter(({ covers }) => covers(path))
    if (!covering.length) return
    const { origin } = request.headers
    // A cache must not serve one origin's response to another.
    reply.header('vary', 'Origin')
    if (!origin || origin === 'null' || origin.length > MAX_ORIGIN_LENGTH || !(await isAllowed(covering, origin))) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': '600',
    })
    return reply.code(204).send()
  })
}

async function isAllowed(rules: readonly Cors[], origin: string): Promise<boolean> {
  for (const { allows } of rules) if (await allows(origin)) return true
  return false
}
