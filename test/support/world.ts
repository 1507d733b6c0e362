import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type App, buildApp } from '#app'
import type { Scope } from '#platform/auth/scopes.ts'
import { hashSecret, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Feature } from '#platform/features/feature.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { csrfToken } from '#platform/http/csrf.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Page } from '#platform/http/page.ts'
import type { QueueLimits } from '#platform/http/page-queue.ts'
import { makeLog } from '#platform/log.ts'
import { Caller, type Line } from './api-client.ts'
import { freshDatabase, openTestDatabase, PATIENT, type TestDatabase } from './database.ts'
import { type MemoryStore, makeMemoryStore } from './file-store.ts'
import { NORD, type Partner, PEOPLE, type Person } from './people.ts'
import { addSample, NOW, Records } from './records.ts'

export const SITE_URL = 'https://a.example'
export const METRICS_TOKEN = 'metrics-of-a-test'
const DAY = 24 * 3600 * 1000

export type WorldOptions = {
  timeZone?: string
  language?: 'en' | 'de'
  now?: Date
  /** `on`, or a factor; off by default. */
  rateLimit?: string
  logLevel?: string
  allowedHosts?: string
  /** TRUST_PROXY; by default the address of the connection counts. */
  trustProxy?: string
  /** Mails reach people (MAIL_URL is set); the test sends none. */
  hasMail?: boolean
  /** Default: pages show their result only. */
  progressAfterMs?: number
  /** Default: those of production. */
  queueLimits?: QueueLimits
  /** Reports about mails come to `bounces@a.example`, and by webhook with this secret. */
  bounceSecret?: string
  /** Hosts that outgoing requests may reach besides public ones. */
  outboundAllow?: string
  extra?: { endpoints?: Endpoint[]; pages?: Page[]; features?: Feature[] }
  /** See `namedExtensions`. */
  extensions?: (surroundings: Surroundings) => Promise<{ features: Feature[]; stop: () => Promise<void> }>
  /** Without sample users. */
  empty?: boolean
  /** Instead of a fresh database: migrated, and without data. */
  database?: TestDatabase & { readUrl?: string }
}

export type TokenOptions = { expires?: Date | null; revoked?: boolean }

/** A running app on a database of its own, with methods that add records. */
export class World extends Records {
  readonly app: App
  /** For additional connections. */
  readonly databaseUrl: string
  readonly line: Line
  /** All lines of the log. */
  readonly logLines: string[]
  /** Uploaded files. */
  readonly files: MemoryStore
  /** What uses the database besides the app and ends before it. */
  readonly others: { stop: () => Promise<void> }[] = []
  readonly #tokens = new Map<string, Promise<string>>()

  constructor(
    app: App,
    db: Database,
    databaseUrl: string,
    line: Line,
    logLines: string[],
    clock: { now: Date },
    files: MemoryStore,
  ) {
    super(db, clock)
    this.app = app
    this.databaseUrl = databaseUrl
    this.line = line
    this.logLines = logLines
    this.files = files
  }

  /** A caller without credentials. */
  get nobody(): Caller {
    return this.with({})
  }

  with(headers: Record<string, string | string[]>): Caller {
    return new Caller(this.line, async () => headers)
  }

  /** A caller with a personal token with these scopes. */
  as(person: Person, ...scopes: Scope[]): Caller {
    return new Caller(this.line, async () => ({ authorization: `Bearer ${await this.token(person, scopes)}` }))
  }

  partner(partner: Partner): Caller {
    return new Caller(this.line, async () => ({ authorization: `Bearer ${await this.partnerToken(partner)}` }))
  }

  withSession(person: Person): Caller {
    return new Caller(this.line, async () => ({ cookie: await this.sessionCookie(person) }))
  }

  /** A script of a page of this instance: the session with the CSRF token. */
  withScript(person: Person): Caller {
    return new Caller(this.line, async () => {
      const cookie = await this.sessionCookie(person)
      const sessionHash = hashSecret(cookie.slice(cookie.indexOf('=') + 1))
      return { cookie, 'x-csrf-token': csrfToken(this.app.site.keyring, '', sessionHash) }
    })
  }

  token(person: Person, scopes: readonly Scope[]): Promise<string> {
    return this.#once(`${person.id} ${scopes.join(' ')}`, () => this.makeToken(person, scopes))
  }

  async makeToken(person: Person, scopes: readonly Scope[], { expires, revoked = false }: TokenOptions = {}): Promise<string> {
    const token = `turnout_pat_${randomSecret(40)}`
    await this.db.write
      .insertInto('access_token')
      .values({
        token_hash: hashSecret(token),
        kind: 'personal',
        user_id: person.id,
        scopes: [...scopes],
        description: 'a test',
        created_at: this.now,
        expires_at: expires === undefined ? new Date(this.now.getTime() + 300 * DAY) : expires,
        revoked_at: revoked ? this.now : null,
        // Set, so that reading requests do not update it.
        last_used_at: this.now,
      })
      .execute()
    return token
  }

  partnerToken(partner: Partner): Promise<string> {
    return this.#once(`partner ${partner.id}`, async () => {
      const token = randomSecret(64)
      const values = { token_hash: hashSecret(token), kind: 'federation', federated_guest_id: partner.id }
      await this.db.write
        .insertInto('access_token')
        .values({ ...values, created_at: this.now, last_used_at: this.now })
        .execute()
      return token
    })
  }

  sessionCookie(person: Person): Promise<string> {
    return this.#once(`session ${person.id}`, async () => {
      const id = randomSecret(43)
      const expires = new Date(this.now.getTime() + 60 * DAY)
      await this.db.write
        .insertInto('session')
        .values({
          id_hash: hashSecret(id),
          user_id: person.id,
          created_at: this.now,
          last_seen_at: this.now,
          own_proved_at: this.now,
          expires_at: expires,
        })
        .execute()
      return `${cookieNames(SITE_URL).session}=${id}`
    })
  }

  #once(key: string, make: () => Promise<string>): Promise<string> {
    let made = this.#tokens.get(key)
    if (!made) {
      made = make()
      this.#tokens.set(key, made)
    }
    return made
  }
}

/** Closes after the suite or test that opened it. */
/** What loads extensions gets. */
export type Surroundings = { db: Database; databaseUrl: string; log: ReturnType<typeof makeLog>; clock: { now: () => Date } }

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const database: NonNullable<WorldOptions['database']> = options.database ?? (await freshDatabase())
  const env = {
    SITE_URL,
    SECRET_KEY: 'k'.repeat(32),
    TIME_ZONE: options.timeZone,
    DEFAULT_LANGUAGE: options.language,
    RATE_LIMIT: options.rateLimit ?? 'off',
    ALLOWED_HOSTS: options.allowedHosts,
    TRUST_PROXY: options.trustProxy,
    OUTBOUND_ALLOW: options.outboundAllow,
    METRICS_TOKEN,
    ...(options.hasMail ? { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@a.example' } : {}),
    ...(options.bounceSecret ? { BOUNCE_ADDRESS: 'bounces@a.example', BOUNCE_SECRET: options.bounceSecret } : {}),
    WORKER: 'off',
  }
  const config = readConfig(env, 'serve')
  const db = openTestDatabase({ url: database.url, readUrl: database.readUrl, reads: 8 })
  const clock = { now: options.now ?? NOW }
  const logLines: string[] = []
  const log = makeLog(options.logLevel ?? 'info', { write: (line: string) => void logLines.push(line) })
  const files = makeMemoryStore(() => clock.now)
  const extensions = await options.extensions?.({ db, databaseUrl: database.url, log, clock: { now: () => clock.now } })
  const app = await buildApp({
    config,
    extensions: extensions?.features ?? [],
    databaseUrl: database.url,
    db,
    log,
    keyring: makeKeyring('k'.repeat(32)),
    clock: { now: () => clock.now },
    mailer: { send: async () => {}, describe: 'nowhere' },
    clientTimeouts: PATIENT,
    progressAfterMs: options.progressAfterMs ?? PATIENT.requestMs,
    queueLimits: options.queueLimits,
    files,
    ...(options.extra ? { extra: options.extra } : {}),
  })
  if (!options.empty) await addSample(db, clock.now)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const { port } = app.app.server.address() as AddressInfo
  after(async () => {
    for (const other of world.others) await other.stop()
    agent.destroy()
    await app.app.close()
    await extensions?.stop()
    await db.close()
    await database.drop()
  })
  const line = { port, agent, host: new URL(SITE_URL).host }
  const world = new World(app, db, database.url, line, logLines, clock, files)
  return world
}

export type { Qualification } from './records.ts'
export { NORD, NOW, PEOPLE }
