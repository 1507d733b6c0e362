import { accountHooks } from '#features/accounts/users/points.ts'
import type { Site } from '#platform/auth/context.ts'
import { siteWith } from './added.ts'
import '#app' // registers the words of all features
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach } from 'node:test'
import { sql } from 'kysely'
import { ownFactorPages } from '#features/access/second-factor/pages/own.ts'
import { GUARD } from '#features/access/sign-in/commands/attempts.ts'
import type { FactorGuard } from '#features/access/sign-in/commands/second-step.ts'
import { signInPages } from '#features/access/sign-in/pages/sign-in.ts'
import { authenticateSession } from '#features/access/sign-in/queries.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { formPage, viewPage } from '#platform/http/page.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { makeServer } from '#platform/http/server.ts'
import { makeLog } from '#platform/log.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { freshDatabase, openTestDatabase, PATIENT, type TestDatabase } from './database.ts'
import { makeMemoryStore } from './file-store.ts'
import { PASSWORD, type Server } from './http-browser.ts'

// A server with only the pages of sign-in, two test pages and one person.

export const SITE = 'https://turnout.example'
export const TRY_OUT = 'http://localhost:8123'

const siteOf = (url: string): Site => ({
  url,
  timeZone: 'Europe/Berlin',
  keyring: makeKeyring('k'.repeat(32)),
  tokenMaxDays: 365,
  added: () => [],
})

export type SignInSetup = {
  db: Database
  now: Date
  hashes: number
  /** Ids of people whose credentials were revoked. */
  ended: number[]
  ann: number
  server: Server
  /** Closes servers after each test. */
  open: (() => Promise<void>)[]
}

/** Call inside a suite: one database, and for each test a new server with Ann as the only person. */
export function useSignInServer(): SignInSetup {
  const setup = { open: [] as SignInSetup['open'] } as SignInSetup
  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
    // With one write connection, later statements see earlier ones.
    setup.db = openTestDatabase({ url: database.url, writes: 1 })
  })
  after(async () => {
    await setup.db.close()
    await database.drop()
  })
  beforeEach(async () => {
    await sql`truncate user_profile, user_group, sign_in_attempt, one_time_link, journal, rate_count cascade`.execute(
      setup.db.write,
    )
    await sql`delete from graphile_worker._private_jobs`.execute(setup.db.write)
    setup.now = new Date('2026-05-09T12:00:20Z')
    setup.hashes = 0
    setup.ended = []
    const row = { email: 'Ann@Example.org', display_name: 'Ann', password_hash: `hash of ${PASSWORD}` }
    setup.ann = (await setup.db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()).id
    setup.server = await serve(setup)
  })
  afterEach(async () => {
    await Promise.all(setup.open.splice(0).map((close) => close()))
  })
  return setup
}

export const contextIn = (setup: SignInSetup): CommandContext => ({
  db: setup.db.write,
  actor: ANONYMOUS,
  now: setup.now,
  site: siteOf(SITE),
  requestId: null,
})

type ServeOptions = { url?: string; port?: number; factor?: number; factorGuard?: FactorGuard }

export async function serve(
  setup: SignInSetup,
  { url = SITE, port = 0, factor = 1, ...more }: ServeOptions = {},
): Promise<Server> {
  const clock = { now: () => setup.now }
  /** Hashing is slow: only count the checks. */
  const check = async (ok: boolean) => {
    setup.hashes++
    return { ok, outdated: false }
  }
  const guard = {
    ...GUARD,
    checkPassword: (password: string, stored: string) => check(stored === `hash of ${password}`),
    checkDecoyPassword: () => check(false),
  }
  const limiter = new RateLimiter(clock, 'sign-in', 20, factor)
  const resets = new RateLimiter(clock, 'reset', 20, factor)
  const steps = new RateLimiter(clock, 'second-factor', 10, factor)
  const hooks = { revokeTokens: async (_tx: unknown, _context: unknown, userId: number) => setup.ended.push(userId) }
  const { app } = await makeServer({
    db: setup.db,
    clock,
    site: siteWith(siteOf(url), accountHooks, [hooks]),
    log: makeLog('silent'),
    loadLayout: async () => ({ siteName: 'Turnout', nav: [] }),
    version: '1',
    files: makeMemoryStore(),
    cookies: cookieNames(url),
    defaultLanguage: 'en',
    authenticators: {
      bearer: async () => undefined,
      session: authenticateSession(setup.db),
      visitor: async () => undefined,
      guest: async () => undefined,
    },
    reads: new RateLimiter(clock, 'reads', 600, Number.POSITIVE_INFINITY),
    endpoints: [],
    pages: [...signInPages({ limiter, resets, steps, guard, ...more }), ...ownFactorPages, home, change],
    readiness: async () => ({}),
    allowedHosts: [],
    isTryOut: url === TRY_OUT,
    // Lets each browser send its own IP address.
    trustProxy: 1,
    metricsToken: undefined,
    clientTimeouts: PATIENT,
  })
  await app.listen({ host: '127.0.0.1', port })
  setup.open.push(() => app.close())
  return { port: (app.server.address() as AddressInfo).port }
}

const home = viewPage({
  path: '/',
  access: signedIn,
  show: async ({ context: { actor } }) => ({
    title: 'Home',
    main: html`<h1>Home of ${actor.kind === 'user' && actor.displayName}</h1>`,
  }),
})

const change = formPage({
  path: '/change/',
  access: signedIn,
  form: emptyForm,
  show: async ({ csrfToken }) => ({
    title: 'Change',
    main: html`<h1>Change</h1><input type="hidden" name="csrf_token" value="${csrfToken}">`,
  }),
  submit: async () => ({ redirect: '/changed/' }),
})
