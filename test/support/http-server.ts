import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type Actor, makeActor, type PartnerActor, type UserActor } from '#platform/auth/actor.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { html } from '#platform/html/html.ts'
import { anyUser, open, partner, permission, scope, signedIn, staff } from '#platform/http/access.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { actionEndpoint, type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { BadParameter, type Parameter } from '#platform/http/parameters.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { type HttpOptions, type HttpServer, makeServer } from '#platform/http/server.ts'
import { makeLog } from '#platform/log.ts'
import { freshDatabase, openTestDatabase, PATIENT } from './database.ts'
import { makeMemoryStore } from './file-store.ts'

export const SITE = 'https://plan.example'
export const COOKIES = cookieNames(SITE)
export const NOW = new Date('2031-05-04T08:00:00Z')

const person = (facts: Partial<UserActor>): UserActor =>
  makeActor<UserActor>({
    kind: 'user',
    userId: 7,
    displayName: 'Ann',
    email: 'ann@a.example',
    language: 'en',
    isStaff: false,
    isSuperuser: false,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'session', sessionHash: Buffer.alloc(32, 7) },
    ...facts,
  })
const holding = (tokenId: number, ...scopes: string[]) => ({ via: { kind: 'token', tokenId, scopes: new Set(scopes) } }) as const

/** Actors by bearer token. */
export const TOKENS = new Map<string, Actor>([
  ['reads', person(holding(1, 'PUBLIC_READ'))],
  ['reads-all', person({ ...holding(2, 'PUBLIC_READ', 'CONFIDENTIAL_READ'), permissions: new Set(['view_user']) })],
  ['confidential', person(holding(3, 'CONFIDENTIAL_READ'))],
  ['partner', makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 3, tokenId: 4 })],
  ['olgas', person({ ...holding(5, 'ME_READ'), isStaff: true, isSuperuser: true })],
])
/** Actors by session id. */
export const SESSIONS = new Map<string, UserActor>([
  ['ann', person({})],
  [
    'olga',
    person({
      userId: 8,
      displayName: 'Olga',
      language: 'de',
      isStaff: true,
      via: { kind: 'session', sessionHash: Buffer.alloc(32, 8) },
    }),
  ],
])

const letters: Parameter<string> = {
  description: 'Letters',
  schema: { type: 'string' },
  read: (values) => {
    if (!/^[a-z]*$/.test(values.at(-1)!)) throw new BadParameter('invalid_value', 'Only letters.')
    return values.at(-1)
  },
}
const parameters = { letters, old_letters: { ...letters, deprecated: { use: 'letters' } } }

type Thing = { id: number }
const thing = z.object({ id: z.number(), name: z.string() })
const present = ({ id }: Thing) => ({ id, name: `thing ${id} – ü` })
const docs = (name: string) => ({ name, operationId: name.replaceAll(' ', ''), summary: name, tag: 'things' })
const THINGS = Array.from({ length: 5 }, (_, n) => ({ id: n + 1 }))

const find = async (_context: unknown, _query: unknown, { limit, offset }: { limit: number; offset: number }) => ({
  count: THINGS.length,
  rows: THINGS.slice(offset, offset + limit),
})
const get = async (_context: unknown, { id }: { id: number }) => THINGS.find((each) => each.id === id)
const item = { item: thing, present, parameters, find }

export const ENDPOINTS: Endpoint[] = [
  listEndpoint({ ...docs('Thing List'), path: '/api/things/', access: scope('PUBLIC_READ'), ...item }),
  recordEndpoint({
    ...docs('Thing Instance'),
    path: '/api/things/{id}/',
    access: scope('PUBLIC_READ'),
    record: thing,
    parameters,
    get,
    present,
  }),
  listEndpoint({ ...docs('Secret List'), path: '/api/secrets/', access: scope('CONFIDENTIAL_READ', 'view_user'), ...item }),
  listEndpoint({ ...docs('Open List'), path: '/api/open/', access: open('a test'), ...item }),
  listEndpoint({ ...docs('Mine'), path: '/api/mine/', access: anyUser, ...item, suffix: false }),
  listEndpoint({ ...docs('Shared List'), path: '/api/shared/', access: partner, ...item }),
  listEndpoint({
    ...docs('Marked List'),
    path: '/api/marked/',
    access: open('a test'),
    ...item,
    find: async (asking, query, page) => ({ ...(await find(asking, query, page)), fingerprint: 'v1' }),
  }),
  recordEndpoint({
    ...docs('By Name'),
    path: '/api/names/{name}/',
    access: open('a test'),
    record: z.object({ name: z.string() }),
    parameters: {},
    get: async (_context, { name }) => ({ name }),
    present: (row) => row,
  }),
  actionEndpoint({
    ...docs('Redeem'),
    path: '/api/redeem/',
    method: 'POST',
    access: open('a test'),
    body: z.object({ code: z.string().min(1), count: z.coerce.number().optional() }),
    responses: { 201: { description: 'Made' } },
    perform: async (_context, _path, body) => ({ status: 201, body: { taken: body }, headers: { 'x-made': 'yes' } }),
  }),
  actionEndpoint({
    ...docs('Delete Mine'),
    path: '/api/mine/delete/',
    method: 'DELETE',
    access: anyUser,
    responses: { 204: { description: 'Gone' } },
    perform: async () => ({ status: 204 }),
  }),
]

const note = z.object({ text: z.string().min(3), tags: z.union([z.string(), z.array(z.string())]).optional() })

export const PAGES: Page[] = [
  viewPage({ path: '/', access: open('a test'), show: async ({ url }) => ({ title: 'Home', main: html`<h1>Home ${url}</h1>` }) }),
  viewPage({
    path: '/mine/',
    access: signedIn,
    show: async ({ context: { actor } }) => ({ title: 'Mine', main: html`<h1>Mine, ${actor.kind}</h1>` }),
  }),
  viewPage({ path: '/staff/', access: staff, show: async () => ({ title: 'Staff', main: html`<h1>Staff</h1>` }) }),
  viewPage({
    path: '/people/{id}/',
    access: permission('view_user'),
    show: async () => ({ title: 'People', main: html`<h1>People</h1>` }),
  }),
  viewPage({
    path: '/file/',
    access: open('a test'),
    show: async () => ({
      content: 'a;b\n',
      contentType: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': 'attachment' },
    }),
  }),
  formPage({
    path: '/notes/new/',
    access: open('a test'),
    form: note,
    show: async ({ csrfToken, context }, refused) => ({
      title: 'Note',
      main: html`<h1>Note for ${context.actor.kind}</h1><form method="post"><input name="csrf_token" value="${csrfToken}">
<input name="text" value="${refused?.values.text ?? ''}">${refused?.errors.map(({ text }) => html`<p class="error">${text}</p>`)}</form>`,
    }),
    submit: async (_visit, { text }) =>
      text === 'taken'
        ? { refused: [{ field: 'text', text: 'Already there.' }], status: 409 }
        : { redirect: '/', flash: { kind: 'good', text: `Kept <${text}>` } },
  }),
  actionPage({
    path: '/notes/delete/',
    access: signedIn,
    form: z.object({ id: z.coerce.number() }),
    submit: async () => ({ redirect: '/' }),
  }),
]

export type TestHttpServer = HttpServer & { db: Database; lines: () => Record<string, unknown>[]; close: () => Promise<void> }

/** A server with sample endpoints and pages on a database of its own; `lines` returns its log. */
export async function openHttpServer(more: Partial<HttpOptions> & { readsPerMinute?: number } = {}): Promise<TestHttpServer> {
  const { url } = await freshDatabase()
  const db = openTestDatabase({ url })
  let logged = ''
  const log = makeLog('trace', {
    write: (line) => {
      logged += line
    },
  })
  const clock = { now: () => NOW }
  const server = await makeServer({
    db,
    clock,
    log,
    site: { url: SITE, timeZone: 'Europe/Berlin', keyring: makeKeyring('k'.repeat(32)), tokenMaxDays: 365, added: () => [] },
    authenticators: {
      bearer: async (token) => TOKENS.get(token),
      session: async (id) => SESSIONS.get(id),
      visitor: async () => undefined,
      guest: async () => undefined,
    },
    cookies: COOKIES,
    defaultLanguage: 'en',
    reads: new RateLimiter(clock, 'reads', more.readsPerMinute ?? 1, more.readsPerMinute ? 1 : Number.POSITIVE_INFINITY),
    loadLayout: async () => ({ siteName: 'Turnout', nav: [] }),
    version: '0',
    files: makeMemoryStore(),
    readiness: async () => ({ database: true }),
    allowedHosts: ['also.example'],
    isTryOut: false,
    trustProxy: 0,
    metricsToken: 'm'.repeat(16),
    clientTimeouts: PATIENT,
    ...more,
    endpoints: [...ENDPOINTS, ...(more.endpoints ?? [])],
    pages: [...PAGES, ...(more.pages ?? [])],
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await server.app.close()
    await db.close()
  }
  const lines = () =>
    logged
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...server, db, lines, close }
}

export type Asked = {
  method?: string
  headers?: Record<string, string | string[]>
  token?: string
  session?: string
  payload?: string
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export type Answer = { status: number; headers: Record<string, string>; cookies: string[]; body: string; json: () => any }

/** Uses a real connection, so that no client library normalises paths or bodies. The default Host is that of the site. */
export async function ask({ app }: HttpServer, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, token, session, payload } = asked
  const { port } = app.server.address() as AddressInfo
  const sent = {
    host: 'plan.example',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(session ? { cookie: `${COOKIES.session}=${session}` } : {}),
    ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
    ...headers,
  }
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers: sent, agent: false })
  outgoing.end(payload)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await text(answer)
  const { 'set-cookie': cookies = [], ...rest } = answer.headers
  return { status: answer.statusCode!, headers: rest as Record<string, string>, cookies, body, json: () => JSON.parse(body) }
}
