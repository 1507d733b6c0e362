import type { FastifyInstance } from 'fastify'

/** Scripts of other sites may call where `covers` says so, if `allows` knows their origin. Cookies never come along. */
export type Cors = { covers: (path: string) => boolean; allows: (origin: string) => Promise<boolean> }

const HEADERS_TO_SEND = 'authorization, content-type, accept, accept-language, if-none-match'
const HEADERS_TO_READ = 'link, etag, retry-after, ratelimit, ratelimit-policy, www-authenticate, x-request-id'
const LONGEST_ORIGIN = 300

export function serveCors(app: FastifyInstance, { covers, allows }: Cors): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!covers((request.raw.url ?? '').split('?')[0]!)) return
    const { origin } = request.headers
    // A cache must not give one site's answer to another.
    reply.header('vary', 'Origin')
    if (!origin || origin === 'null' || origin.length > LONGEST_ORIGIN || !(await allows(origin))) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': HEADERS_TO_READ })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': HEADERS_TO_SEND,
      'access-control-max-age': '600',
    })
    return reply.code(204).send()
  })
}
