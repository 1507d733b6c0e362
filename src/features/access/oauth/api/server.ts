import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Cors } from '#platform/http/cors.ts'
import type { Mount, MountedRequest, MountedRoute } from '#platform/http/mount.ts'
import { Problem } from '#platform/http/problem.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Log } from '#platform/log.ts'
import { recordConsent } from '../commands/consents.ts'
import { requireSigningKeys } from '../commands/keys.ts'
import type { Guard } from '../commands/storage.ts'
import { isAllowedOrigin } from '../queries/applications.ts'
import { END_SESSION, ROUTES } from '../rules/routes.ts'
import { answerEndSession } from './end-session.ts'

type OAuthOptions = {
  db: Database
  clock: Clock
  site: Site
  log: Log
  /** Limits failed attempts by IP address. */
  limiter: RateLimiter
  guard?: Guard
  refreshGraceSeconds: number
}

type OAuthServer = { mount: Mount; cors: Cors; provider: () => Promise<Provider> }

const DISCOVERY = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']
const MOUNTED_ROUTES: MountedRoute[] = [
  { path: ROUTES.authorization, methods: ['GET'], kind: 'page' },
  { path: `${ROUTES.authorization}{uid}`, methods: ['GET'], kind: 'page' },
  { path: ROUTES.token, methods: ['POST'], kind: 'json' },
  { path: ROUTES.revocation, methods: ['POST'], kind: 'json' },
  { path: ROUTES.introspection, methods: ['POST'], kind: 'json' },
  { path: ROUTES.userinfo, methods: ['GET', 'POST'], kind: 'json' },
  { path: ROUTES.device_authorization, methods: ['POST'], kind: 'json' },
  { path: END_SESSION, methods: ['GET', 'POST'], kind: 'page' },
  { path: ROUTES.jwks, methods: ['GET'], kind: 'json' },
  ...DISCOVERY.map((path): MountedRoute => ({ path, methods: ['GET'], kind: 'json' })),
]
/** Routes with client authentication; only failed attempts count for the rate limit. */
const WITH_SECRETS: string[] = [ROUTES.token, ROUTES.revocation, ROUTES.introspection, ROUTES.device_authorization]
/** Routes that scripts of other sites may not call. */
const NO_CORS: string[] = [ROUTES.authorization, ROUTES.introspection, END_SESSION]

const KEY_CHECK_INTERVAL_MS = 60_000

export function oauthServer(options: OAuthOptions): OAuthServer {
  const { db, clock, site, log, limiter } = options
  const mountedRequests = new WeakMap<IncomingMessage, MountedRequest>()
  const waitingDevices = new WeakSet<IncomingMessage>()
  const places = new WeakMap<MountedRequest, Awaited<ReturnType<RateLimiter['reserve']>>>()
  const make = async (now: Date, before?: Made): Promise<Made> => {
    const keys = await requireSigningKeys(db.write, site.keyring, now)
    const kids = keys.map(({ kid }) => kid).join(' ')
    if (before?.kids === kids) return { ...before, at: now }
    // Loaded with the first request: the library takes a fifth of the time in which the server starts.
    const [{ makeProvider }, { GUARD, makeStorage }] = await Promise.all([
      import('../provider.ts'),
      import('../commands/storage.ts'),
    ])
    const { guard = GUARD, refreshGraceSeconds } = options
    const provider = makeProvider({
      issuer: site.url,
      keyring: site.keyring,
      db,
      log,
      storage: makeStorage({ db, clock, guard, refreshGraceMs: refreshGraceSeconds * 1000 }),
      mountedRequests,
      waitingDevices,
      keys: keys.map(({ jwk }) => jwk),
      recordConsent: (userId, applicationId, scopes, at) => recordConsent(db.write, { userId, applicationId, scopes, now: at }),
    })
    return { kids, provider, callback: provider.callback(), at: now }
  }
  const current = cacheProvider(make, clock)
  const headers = { host: new URL(site.url).host, 'x-forwarded-proto': new URL(site.url).protocol.replace(':', '') }
  return {
    provider: async () => (await current()).provider,
    cors: {
      covers: (path) => DISCOVERY.includes(path) || (path.startsWith('/api/') && !NO_CORS.some((each) => path.startsWith(each))),
      allows: (origin) => isAllowedOrigin(db.read, origin),
    },
    mount: {
      routes: MOUNTED_ROUTES,
      check: async (mounted) => {
        // PostgreSQL rejects NUL, and the library would store it.
        if (/%00/.test(mounted.url)) throw new Problem('bad_request')
        if (mounted.route.path === ROUTES.authorization) requireOneAddress(mounted)
        const { uid } = mounted.parameters
        if (uid !== undefined) await requireSamePerson(await current(), uid, mounted)
        if (!WITH_SECRETS.includes(mounted.route.path)) return
        const place = await limiter.reserve(addressKey(mounted.ip))
        limiter.check(place)
        places.set(mounted, place)
      },
      handle: async (request, response, mounted) => {
        mountedRequests.set(request, mounted)
        const { origin: _decided, 'x-forwarded-host': _elsewhere, ...rest } = request.headers
        // Browser routes respond with HTML, all others with JSON, regardless of the Accept header.
        request.headers = { ...rest, ...headers, accept: mounted.route.kind === 'page' ? 'text/html' : 'application/json' }
        try {
          const { provider, callback } = await current()
          if (mounted.route.path === END_SESSION) await answerEndSession(provider, request, response)
          else await callback(request, response)
        } finally {
          // A device asks every few seconds until the person has decided.
          const isWaiting = waitingDevices.has(request)
          const isFailure = response.statusCode >= 400 && response.statusCode < 500 && !isWaiting
          places.get(mounted)?.settle({ failed: isFailure })
        }
      },
    },
  }
}

type Made = { kids: string; provider: Provider; callback: ReturnType<Provider['callback']>; at: Date }

/** The library reads keys only at construction, so a new provider is created after a key rotation. */
function cacheProvider(make: (now: Date, before?: Made) => Promise<Made>, clock: Clock): () => Promise<Made> {
  let made: Promise<Made> | undefined
  let checkedAt = 0
  return () => {
    const now = clock.now()
    if (made && Math.abs(now.getTime() - checkedAt) < KEY_CHECK_INTERVAL_MS) return made
    checkedAt = now.getTime()
    const before = made
    const next = (before ?? Promise.resolve(undefined)).then(
      (known) => make(now, known),
      () => make(now),
    )
    made = next
    next.catch(() => {
      // Do not cache failures.
      if (made === next) made = before
      checkedAt = 0
    })
    return next
  }
}

/** With two values, one could be checked and the other one followed. */
function requireOneAddress({ url, words }: MountedRequest): void {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  for (const name of ['client_id', 'redirect_uri'])
    if (query.getAll(name).length > 1) throw new Problem('bad_request', { detail: words.t('oauth.error_redirect') })
}

/** The person who consented must still be signed in, so that no other person gets the code. */
async function requireSamePerson({ provider }: Made, uid: string, { person, words }: MountedRequest): Promise<void> {
  const interaction = await provider.Interaction.find(uid)
  const allowedBy = interaction?.result?.login?.accountId
  if (!interaction || allowedBy === undefined || allowedBy === String(person?.userId)) return
  await interaction.destroy()
  throw new Problem('permission_denied', { detail: words.t('oauth.error_switched') })
}
