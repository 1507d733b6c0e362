import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '#platform/auth/context.ts'
import { secretsMatch } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Mount } from '#platform/http/mount.ts'
import { Problem } from '#platform/http/problem.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import { parseForeignJson } from '#platform/json-depth.ts'
import { receiveBounces, receiveReport } from './commands/bounces.ts'
import { readBounces } from './rules/webhook-bounces.ts'
import { BOUNCES_PATH, MAX_REPORT_BYTES } from './schema.ts'

type BounceOptions = {
  db: Database
  clock: Clock
  site: Site
  /** Undefined: the address does not exist. */
  secret: string | undefined
  /** Limits wrong secrets by IP address. */
  limiter: RateLimiter
}

/** Where mail services and mail servers report mails that came back. Without OpenAPI: services choose the shape of the body. */
export function bounceMount({ db, clock, site, secret, limiter }: BounceOptions): Mount {
  return {
    routes: [{ path: BOUNCES_PATH, methods: ['POST'], kind: 'json' }],
    check: async () => {
      if (secret === undefined) throw new Problem('not_found')
    },
    handle: async (request, response, { ip, requestId }) => {
      const place = await limiter.reserve(addressKey(ip))
      if (!place.allowed) return respond(request, response, 429, { error: 'too_many_requests' })
      const isKnown = secretsMatch(readSecret(request), secret!)
      place.settle({ failed: !isKnown })
      if (!isKnown) {
        response.setHeader('www-authenticate', 'Basic realm="bounces", Bearer realm="bounces"')
        return respond(request, response, 401, { error: 'invalid_secret' })
      }
      const body = await readBody(request)
      if (body === undefined) return respond(request, response, 413, { error: 'too_large' })
      const context = { db: db.write, now: clock.now(), site, requestId }
      if (/^\s*message\/rfc822\b/i.test(request.headers['content-type'] ?? '')) {
        const outcome = await receiveReport(context, { message: body, to: String(request.headers['x-recipient'] ?? '') })
        return respond(request, response, 200, { outcome })
      }
      const parsed = parseJson(body)
      if (parsed === undefined) return respond(request, response, 400, { error: 'invalid_json' })
      const bounces = readBounces(parsed)
      return respond(request, response, 200, { bounces: bounces.length, set: await receiveBounces(context, bounces) })
    },
  }
}

/** The password of Basic, or a bearer token: services offer one of them. Never in the address, which servers log. */
function readSecret({ headers: { authorization = '' } }: IncomingMessage): string {
  const [scheme = '', value = ''] = authorization.split(/\s+/, 2)
  if (/^bearer$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return ''
  const pair = Buffer.from(value, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REPORT_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function respond(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  // The rest of a body that is not read would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  response.end(JSON.stringify(body))
}
