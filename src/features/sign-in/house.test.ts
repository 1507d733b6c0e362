import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { formPage, viewPage } from '#platform/http/page.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { makeServer } from '#platform/http/server.ts'
import { makeLog } from '#platform/log.ts'
import { freshDatabase, type TestDatabase } from '#test/support/database.ts'
import { GUARD } from './commands/sign-in.ts'
import { signInPages } from './pages/sign-in.ts'
import { authenticateSession } from './queries.ts'
import { nothing } from './schema.ts'

// What the tests of the pages share: a server, a person, and browsers that visit it over HTTP.

export const SITE = 'https://turnout.example'
export const TRY_OUT = 'http://localhost:8123'
export const LOGIN = '/accounts/login/'
export const PASSWORD = 'seven quiet lamps'

const siteOf = (url: string) => ({
  url,
  timeZone: 'Europe/Berlin',
  keyring: makeKeyring('k'.repeat(32)),
  tokenMaxDays: 365,
})

export type Server = { port: number }
export type House = {
  db: Database
  now: Date
  hashes: number
  /** People whose tokens were ended. */
  ended: number[]
  ann: number
  server: Server
  /** Closed after each test, whatever became of it. */
  open: (() => Promise<void>)[]
}

/** Inside a suite: one database, and for each test a new server with Ann alone in it. */
export function useHouse(): House {
  const house = { open: [] as House['open'] } as House
  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
    // One connection that writes: what comes later in its queue sees what came before.
    house.db = openDatabase({ url: database.url, writes: 1 })
  })
  after(async () => {
    await house.db.close()
    await database.drop()
  })
  beforeEach(async () => {
    await sql`truncate user_profile, user_group, sign_in_attempt, one_time_link, journal cascade`.execute(house.db.write)
    await sql`delete from graphile_worker._private_jobs`.execute(house.db.write)
    house.now = new Date('2026-05-09T12:00:20Z')
    house.hashes = 0
    house.ended = []
    const row = { email: 'Ann@Example.org', display_name: 'Ann', password_hash: `hash of ${PASSWORD}` }
    house.ann = (await house.db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()).id
    house.server = await serve(house)
  })
  afterEach(async () => {
    await Promise.all(house.open.splice(0).map((close) => close()))
  })
  return house
}

export const contextIn = (house: House): CommandContext => ({
  db: house.db.write,
  actor: ANONYMOUS,
  now: house.now,
  site: siteOf(SITE),
  requestId: null,
})

export async function serve(house: House, { url = SITE, factor = 1 } = {}): Promise<Server> {
  const clock = { now: () => house.now }
  /** Hashes cost time; here they only count. */
  const check = async (ok: boolean) => {
    house.hashes++
    return { ok, outdated: false }
  }
  const guard = {
    ...GUARD,
    checkPassword: (password: string, stored: string) => check(stored === `hash of ${password}`),
    checkDecoyPassword: () => check(false),
  }
  const limiter = new RateLimiter(clock, 'sign-in', 20, factor)
  const resets = new RateLimiter(clock, 'reset', 20, factor)
  const endCredentials = async (_tx: unknown, _context: unknown, userId: number) => void house.ended.push(userId)
  const { app } = await makeServer({
    db: house.db,
    clock,
    site: siteOf(url),
    log: makeLog('silent'),
    loadLayout: async () => ({ siteName: 'Turnout', nav: [] }),
    version: '1',
    cookies: cookieNames(url),
    defaultLanguage: 'en',
    authenticators: { bearer: async () => undefined, session: authenticateSession(house.db), visitor: async () => undefined },
    reads: new RateLimiter(clock, 'reads', 600, Number.POSITIVE_INFINITY),
    endpoints: [],
    pages: [...signInPages({ limiter, resets, endCredentials, guard }), home, change],
    readiness: async () => ({}),
    allowedHosts: [],
    isTryOut: url === TRY_OUT,
    // So that each browser can have an address of its own.
    trustProxy: 1,
    metricsToken: undefined,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  house.open.push(() => app.close())
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
  form: nothing,
  show: async ({ csrfToken }) => ({
    title: 'Change',
    main: html`<h1>Change</h1><input type="hidden" name="csrf_token" value="${csrfToken}">`,
  }),
  submit: async () => ({ redirect: '/changed/' }),
})

type Headers = Record<string, string>
export type Answer = {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: string
  cookies: string[]
}
type Post = { form?: Record<string, string | string[]>; headers?: Headers; token?: string | undefined }

/** Keeps cookies and tokens as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  token: string | undefined
  readonly #server: Server
  readonly #always: Headers
  constructor(server: Server, { ip = '192.0.2.1', language = 'en', host = 'turnout.example', agent = '' } = {}) {
    this.#server = server
    this.#always = { host, 'accept-language': language, 'x-forwarded-for': ip, 'user-agent': agent }
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-turnout_session')
  }

  get(url: string, { headers = {} }: { headers?: Headers } = {}): Promise<Answer> {
    return this.#send('GET', url, headers)
  }

  post(url: string, { form = {}, headers = {}, ...more }: Post = {}): Promise<Answer> {
    const token = 'token' in more ? more.token : this.token
    const fields = Object.entries({ ...form, ...(token === undefined ? {} : { csrf_token: token }) })
    const body = new URLSearchParams(fields.flatMap(([name, value]) => [value].flat().map((each) => [name, each]))).toString()
    const length = String(Buffer.byteLength(body))
    const type = 'application/x-www-form-urlencoded'
    return this.#send('POST', url, { 'content-type': type, 'content-length': length, ...headers }, body)
  }

  async signIn(password = PASSWORD, email = 'ann@example.org', url = LOGIN): Promise<Answer> {
    await this.get(url)
    return this.post(url, { form: { email, password } })
  }

  async #send(method: string, path: string, headers: Headers, body = ''): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...this.#always, ...(cookie ? { cookie } : {}), ...headers }
    const answer = await exchange({ port: this.#server.port, method, path, headers: sent }, body)
    for (const line of answer.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    this.token = /name="csrf_token" value="([^"]+)"/.exec(answer.body)?.[1] ?? this.token
    return answer
  }
}

function exchange(options: { port: number; method: string; path: string; headers: Headers }, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request({ hostname: '127.0.0.1', ...options, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        const cookies = headers['set-cookie'] ?? []
        resolve({ statusCode, headers, body: Buffer.concat(chunks).toString(), cookies })
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
