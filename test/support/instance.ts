import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { after } from 'node:test'
import { type App, buildApp } from '#app'
import { hashSecret, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { makeLog } from '#platform/log.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { freshDatabase, openTestDatabase, PATIENT } from './database.ts'
import type { namedExtensions } from './extensions.ts'
import { makeMemoryStore } from './file-store.ts'
import { addPeople } from './fixtures.ts'
import type { Person } from './people.ts'

const DAY = 24 * 3600 * 1000

export type Reply = {
  status: number
  headers: Record<string, string>
  cookies: string[]
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of all shapes
  json: any
}
export type Sending = { method?: string; headers?: Record<string, string | string[]>; body?: string }
export type ClientOptions = {
  redirectUris?: string[]
  scopes?: string[]
  pkce?: boolean
  trusted?: boolean
  origins?: string[]
  secretHash?: string
  name?: string
  isPublic?: boolean
  allowsDevices?: boolean
  isForAssistants?: boolean
  postLogoutRedirectUris?: string[]
}
export type TestClient = { id: number; clientId: string; secret: string }

export const CALLBACK = 'https://app.example/callback'
export const CALLER_SCOPES = ['openid', 'profile', 'email', 'PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ']
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** An instance with a real URL and an adjustable clock, for OAuth clients and partners. */
export class Instance {
  readonly base: string
  readonly app: App
  readonly db: Database
  readonly databaseUrl: string
  readonly logLines: string[]
  readonly #clock: { ahead: number }
  constructor(base: string, app: App, db: Database, databaseUrl: string, logLines: string[], clock: { ahead: number }) {
    this.base = base
    this.app = app
    this.db = db
    this.databaseUrl = databaseUrl
    this.logLines = logLines
    this.#clock = clock
  }

  get now(): Date {
    return new Date(Date.now() + this.#clock.ahead)
  }
  pass(seconds: number): void {
    this.#clock.ahead += seconds * 1000
  }

  send(path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Reply> {
    const { hostname, port, host, pathname, search } = new URL(path, this.base)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    return new Promise((done, fail) => {
      const target = path.startsWith('http') ? pathname + search : path
      const sent = request(
        // Not every resolver knows names below localhost.
        {
          hostname: hostname.endsWith('.localhost') ? '127.0.0.1' : hostname,
          port,
          agent,
          method,
          path: target,
          headers: { host, ...length, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', fail)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            const flat = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')])
            const isJson = /json/.test(response.headers['content-type'] ?? '')
            done({
              status: response.statusCode!,
              headers: Object.fromEntries(flat),
              cookies: response.headers['set-cookie'] ?? [],
              text,
              json: isJson && text ? JSON.parse(text) : undefined,
            })
          })
        },
      )
      sent.on('error', fail)
      sent.end(body)
    })
  }

  /** Posts a form, with Basic credentials of a client if one is given. */
  form(
    path: string,
    form: Record<string, string> | string,
    client?: TestClient,
    headers: Sending['headers'] = {},
  ): Promise<Reply> {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
    const credentials = client ? { authorization: basic(client) } : {}
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.send(path, { method: 'POST', headers: { ...type, ...credentials, ...headers }, body })
  }

  token(form: Record<string, string> | string, client?: TestClient, headers?: Sending['headers']): Promise<Reply> {
    return this.form('/api/oauth/token/', form, client, headers)
  }

  /** The status of an API request with this token. */
  async me(token: string): Promise<number> {
    return (await this.send('/api/users/me/', { headers: { authorization: `Bearer ${token}` } })).status
  }

  async addClient({ redirectUris = [CALLBACK], scopes = CALLER_SCOPES, ...wish }: ClientOptions = {}): Promise<TestClient> {
    const [clientId, secret] = [randomSecret(40), randomSecret(60)]
    const { id } = await this.db.write
      .insertInto('oauth_application')
      .values({
        client_id: clientId,
        client_secret_hash: wish.isPublic ? '' : (wish.secretHash ?? `sha256$${hashSecret(secret).toString('base64url')}`),
        name: wish.name ?? 'Rota viewer',
        redirect_uris: redirectUris,
        allowed_scopes: scopes,
        allowed_origins: wish.origins ?? [],
        require_pkce: wish.pkce ?? true,
        trusted: wish.trusted ?? false,
        is_public: wish.isPublic ?? false,
        allows_devices: wish.allowsDevices ?? false,
        is_for_assistants: wish.isForAssistants ?? false,
        post_logout_redirect_uris: wish.postLogoutRedirectUris ?? [],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, clientId, secret }
  }

  async browserOf(person?: Person): Promise<TestBrowser> {
    const browser = new TestBrowser(this)
    if (person) await browser.signIn(person)
    return browser
  }

  /** The complete flow: consent, code, tokens. */
  async tokens(person: Person, client: TestClient, scope = 'ME_READ'): Promise<{ access_token: string; refresh_token: string }> {
    const { code, verifier } = await (await this.browserOf(person)).code(client, { scope })
    const answer = await this.token({ grant_type: 'authorization_code', code, code_verifier: verifier }, client)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }

  async setActive(person: Person, isActive: boolean): Promise<void> {
    await this.db.write.updateTable('user_profile').set({ is_active: isActive }).where('id', '=', person.id).execute()
  }
}

export const basic = ({ clientId, secret }: TestClient): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

export const pkce = () => {
  const verifier = randomBytes(48).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const asked = (client: TestClient, challenge: string, more: Record<string, string | undefined> = {}) => {
  const all: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: CALLBACK,
    scope: 'ME_READ',
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export const authorizeUrl = (params: Record<string, string>): string => `/api/oauth/authorize/?${new URLSearchParams(params)}`

/** A browser without scripts: respects cookie paths and does not follow redirects. */
export class TestBrowser {
  readonly instance: Instance
  readonly jar = new Map<string, { name: string; value: string; path: string }>()
  csrf = ''
  constructor(instance: Instance) {
    this.instance = instance
  }

  async signIn(person: Person): Promise<void> {
    const id = randomSecret(43)
    const { now, db, base } = this.instance
    const values = { id_hash: hashSecret(id), user_id: person.id, created_at: now, last_seen_at: now }
    await db.write
      .insertInto('session')
      .values({ ...values, expires_at: new Date(now.getTime() + 60 * DAY) })
      .execute()
    const name = cookieNames(base).session
    this.jar.set(`${name}|/`, { name, value: id, path: '/' })
  }

  get sessionId(): string {
    return this.jar.get(`${cookieNames(this.instance.base).session}|/`)?.value ?? ''
  }

  async go(path: string, sending: Sending = {}): Promise<Reply> {
    const { pathname } = new URL(path, this.instance.base)
    const cookie = [...this.jar.values()]
      .filter((each) => pathname.startsWith(each.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const answer = await this.instance.send(path, { ...sending, headers: { cookie, ...sending.headers } })
    for (const line of answer.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      const place = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/'
      const key = `${name}|${place}`
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.jar.delete(key)
      else this.jar.set(key, { name: name!, value: value!, path: place })
    }
    this.csrf = /name="csrf_token" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.csrf
    return answer
  }

  post(path: string, form: Record<string, string>, headers: Sending['headers'] = {}): Promise<Reply> {
    const body = new URLSearchParams({ csrf_token: this.csrf, ...form }).toString()
    return this.go(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  }

  /** Opens the authorization URL and follows redirects within the instance. */
  async ask(params: Record<string, string>): Promise<Reply> {
    let answer = await this.go(authorizeUrl(params))
    while (answer.headers.location?.startsWith('/')) answer = await this.go(answer.headers.location)
    return answer
  }

  /** Completes the consent page; returns the response that redirects to the application. */
  async authorize(params: Record<string, string>, decision = 'allow'): Promise<Reply> {
    const started = await this.go(authorizeUrl(params))
    const consent = started.headers.location
    if (!consent?.startsWith('/accounts/authorize/')) return started
    const page = await this.go(consent)
    const next = page.status === 200 ? await this.post(consent, { decision }) : page
    if (!next.headers.location?.startsWith('/api/oauth/')) return next
    return this.go(next.headers.location)
  }

  async code(
    client: TestClient,
    more: Record<string, string | undefined> = {},
  ): Promise<{ code: string; verifier: string; url: URL }> {
    const { verifier, challenge } = pkce()
    const answer = await this.authorize(asked(client, challenge, more))
    assert.equal(answer.status, 303, answer.text)
    const url = new URL(answer.headers.location!)
    const code = url.searchParams.get('code')
    assert.ok(code, url.href)
    return { code, verifier, url }
  }
}

export type InstanceOptions = {
  logLevel?: string
  rateLimit?: string
  refreshGraceSeconds?: string
  ahead?: number
  /** A name below `localhost`, for instances that call each other. */
  host?: string
  /** Hosts that it may call (OUTBOUND_ALLOW). */
  allow?: string
  outbound?: Outbound
  /** Another node on the database of this instance. */
  beside?: Instance
  /** Pages offer what needs mail. */
  hasMail?: boolean
  language?: string
  extensions?: ReturnType<typeof namedExtensions>
}

export async function openInstance(options: InstanceOptions = {}): Promise<Instance> {
  const port = await freePort()
  const base = `http://${options.host ?? '127.0.0.1'}:${port}`
  const database = options.beside ? { url: options.beside.databaseUrl, drop: async () => {} } : await freshDatabase()
  const env = {
    SITE_URL: base,
    SECRET_KEY: 'k'.repeat(32),
    RATE_LIMIT: options.rateLimit ?? 'off',
    WORKER: 'off',
    OUTBOUND_ALLOW: options.allow,
    DEFAULT_LANGUAGE: options.language,
    REFRESH_GRACE_SECONDS: options.refreshGraceSeconds,
    ...(options.hasMail ? { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@a.example' } : {}),
  }
  const config = readConfig(env, 'serve')
  const db = openTestDatabase({ url: database.url, reads: 8, writes: 6 })
  const clock = { ahead: (options.ahead ?? 0) * 1000 }
  const logLines: string[] = []
  const log = makeLog(options.logLevel ?? 'warn', { write: (line: string) => void logLines.push(line) })
  const now = () => new Date(Date.now() + clock.ahead)
  const extensions = await options.extensions?.({ db, databaseUrl: database.url, log, clock: { now } })
  const app = await buildApp({
    config,
    extensions: extensions?.features ?? [],
    databaseUrl: database.url,
    db,
    log,
    keyring: makeKeyring('k'.repeat(32)),
    clock: { now },
    mailer: { send: async () => {}, describe: 'nowhere' },
    clientTimeouts: PATIENT,
    files: makeMemoryStore(),
    ...(options.outbound ? { outbound: options.outbound } : {}),
  })
  if (!options.beside) await addPeople(db.write, new Date())
  await app.app.listen({ host: '127.0.0.1', port })
  after(async () => {
    await app.app.close()
    await extensions?.stop()
    await db.close()
    await database.drop()
  })
  return new Instance(base, app, db, database.url, logLines, clock)
}

/** Below the ports that outgoing connections get, so that none takes it before the instance listens. */
function freePort(): Promise<number> {
  return new Promise((done) => {
    const port = randomInt(12_000, 32_000)
    const server = createServer()
    server.on('error', () => done(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)))
  })
}
