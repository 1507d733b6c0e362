import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { type GuestActor, makeActor, type UserActor, type VisitorActor } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { type Answer, type Asked, ask, COOKIES, NOW, openHttpServer, SESSIONS, TOKENS } from '#test/support/http-server.ts'
import { guest, open, signedIn, visitor } from './access.ts'
import { VISITOR_COOKIE } from './cookies.ts'
import { formPage, type Redirect, viewPage } from './page.ts'

const ann = SESSIONS.get('ann')!
const inSession = (id: number, via: object, more: Partial<UserActor> = {}): UserActor =>
  makeActor<UserActor>({ ...ann, via: { kind: 'session', sessionHash: Buffer.alloc(32, id), ...via }, ...more })
SESSIONS.set('lacking', inSession(20, { factorDueAt: NOW }))
SESSIONS.set('due-later', inSession(21, { factorDueAt: new Date(NOW.getTime() + 1) }))
SESSIONS.set(
  'viewing',
  inSession(22, {}, { viewedBy: { userId: 8, displayName: 'Olga', until: new Date(NOW.getTime() + 60_000) } }),
)
const LONGEST = 'x'.repeat(1_000)
TOKENS.set(LONGEST, TOKENS.get('reads')!)
TOKENS.set(`${LONGEST}x`, TOKENS.get('reads')!)
TOKENS.set(
  'assistants',
  makeActor<UserActor>({
    ...ann,
    via: { kind: 'token', tokenId: 31, scopes: new Set(['PUBLIC_READ']), isForAssistant: true },
  }),
)

const visitorOf = (visitorId: number) =>
  makeActor<VisitorActor>({ kind: 'visitor', visitorId, federatedGuestId: 3, displayName: 'Vera', language: 'de' })
const guestOf = (guestId: number) =>
  makeActor<GuestActor>({ kind: 'guest', guestId, eventId: 5, displayName: 'Gus', language: 'en' })
const asked: unknown[][] = []
const authenticators = {
  bearer: async (token: string) => TOKENS.get(token),
  session: async (id: string, _now: Date, options?: { extendsSession: boolean }) => {
    asked.push([id, options?.extendsSession])
    return SESSIONS.get(id)
  },
  visitor: async (id: string) => (/^\d+$/.test(id) ? visitorOf(Number(id)) : undefined),
  guest: async (token: string) => (/^\d+$/.test(token) ? guestOf(Number(token)) : undefined),
}

const shown = (path: string, access: Parameters<typeof viewPage>[0]['access'], more = {}) =>
  viewPage({
    path,
    access,
    ...more,
    show: async ({ context: { actor, words }, browser }) => ({
      title: 'Who',
      main: html`<p>${actor.kind} ${words.language} ${browser.sessionHash ? 'session' : 'none'} ${browser.device.length}</p>`,
    }),
  })
let redirect: Redirect
let etag: string | undefined
let stream: Readable
const pages = [
  shown('/who/', open('a test')),
  shown('/who/own/', signedIn),
  shown('/who/factor/', signedIn, { isForFactorSetup: true }),
  shown('/who/visitor/', visitor),
  shown('/who/programs/', open('a test'), { isForPrograms: true }),
  shown('/who/guest/{token}/', guest),
  viewPage({ path: '/away/', access: open('a test'), show: async () => redirect }),
  viewPage({
    path: '/table/',
    access: open('a test'),
    show: async () => ({ content: 'a;b\n', contentType: 'text/csv', status: 203, ...(etag ? { etag } : {}) }),
  }),
  viewPage({
    path: '/streamed/',
    access: open('a test'),
    show: async () => {
      stream = Readable.from(['streamed'])
      return { content: stream, contentType: 'text/plain', status: 203 }
    },
  }),
  formPage({
    path: '/large/',
    access: open('a test'),
    maxFormBytes: 300,
    form: z.looseObject({}),
    show: async ({ csrfToken }) => ({ title: 'Large', main: html`<input name="csrf_token" value="${csrfToken}">` }),
    submit: async () => ({ redirect: '/' }),
  }),
]
const server = await openHttpServer({ authenticators, pages })
after(() => server.close())
const get = (url: string, more?: Asked) => ask(server, url, more)
const whoIn = ({ body }: Answer) => /<p>(.*)<\/p>/.exec(body)?.[1]

describe('who a request comes from', () => {
  const PAGES: [what: string, url: string, asked: Asked, who: string | undefined][] = [
    ['nobody', '/who/', {}, 'anonymous en none 32'],
    ['a person', '/who/', { session: 'ann' }, 'user en session 32'],
    ['a program', '/who/programs/', {}, 'anonymous en none 0'],
    ['a person who lacks a factor, on a page for everybody', '/who/', { session: 'lacking' }, 'anonymous en none 32'],
    ['a person who lacks a factor, where it is set up', '/who/factor/', { session: 'lacking' }, 'user en session 32'],
    ['a person who must have a factor a moment later', '/who/own/', { session: 'due-later' }, 'user en session 32'],
    ['an administrator who looks as a person', '/who/own/', { session: 'viewing' }, 'user en session 32'],
    ['a session on a page of visitors', '/who/visitor/', { session: 'ann' }, 'anonymous en none 32'],
    ['a session on a page of guests', '/who/guest/none/', { session: 'ann' }, 'anonymous en none 32'],
    ['a guest', '/who/guest/12/', {}, 'guest en none 32'],
    ['a visitor', '/who/visitor/', { headers: { cookie: `${COOKIES.of(VISITOR_COOKIE)}=7` } }, 'visitor de session 32'],
    [
      'a visitor whose session is over',
      '/who/visitor/',
      { headers: { cookie: `${COOKIES.of(VISITOR_COOKIE)}=over` } },
      'anonymous en none 32',
    ],
    ['a visitor on another page', '/who/', { headers: { cookie: `${COOKIES.of(VISITOR_COOKIE)}=7` } }, 'anonymous en none 32'],
  ]
  for (const [what, url, more, who] of PAGES) test(what, async () => assert.equal(whoIn(await get(url, more)), who))

  test('a person who lacks a required factor is led to the page to set it up', async () => {
    const { status, headers } = await get('/who/own/?a=1', { session: 'lacking' })
    assert.deepEqual([status, headers.location], [303, '/settings/security/second-factor/?next=%2Fwho%2Fown%2F%3Fa%3D1'])
  })

  const API: [what: string, asked: Asked, status: number][] = [
    ['a person who lacks a factor', { session: 'lacking' }, 401],
    ['a person who must have one a moment later', { session: 'due-later' }, 200],
    ['an administrator who looks as a person', { session: 'viewing' }, 401],
    ['a token for assistants', { token: 'assistants' }, 401],
    ['a program that says to be a call of this server', { token: 'assistants', headers: { 'x-internal-call': 'x' } }, 401],
    ['the longest token', { token: LONGEST }, 200],
    ['a longer token', { token: `${LONGEST}x` }, 401],
    ['a visitor', { headers: { cookie: `${COOKIES.of(VISITOR_COOKIE)}=7` } }, 401],
  ]
  for (const [what, more, status] of API)
    test(`by the API: ${what} is ${status}`, async () => assert.equal((await get('/api/things/', more)).status, status))

  test('a guest is known by a token of up to 1,000 characters', async () => {
    const path = (length: number) => `/who/guest/${'1'.repeat(length)}/`
    assert.equal(whoIn(await get(path(600))), 'guest en none 32')
  })

  test('a session goes on by requests, but not by those that poll', async () => {
    asked.length = 0
    for (const [value, headers] of [
      ['none', {}],
      ['other', { 'x-poll': '0' }],
      ['poll', { 'x-poll': '1' }],
    ] as const) {
      await get('/who/', { session: value, headers })
      await get('/api/open/', { session: value, headers })
    }
    const expected = ['none', 'none', 'other', 'other', 'poll', 'poll'].map((id) => [id, id !== 'poll'])
    assert.deepEqual(asked, expected)
  })
})

describe('each caller has a limit of requests of its own', async () => {
  const limited = await openHttpServer({ authenticators, pages, readsPerMinute: 1 })
  after(() => limited.close())
  const statuses = async (url: string, more?: Asked) => [
    (await ask(limited, url, more)).status,
    (await ask(limited, url, more)).status,
  ]
  const cookie = (id: number) => ({ headers: { cookie: `${COOKIES.of(VISITOR_COOKIE)}=${id}` } })
  const CALLERS: [what: string, url: string, asked: Asked][] = [
    ['an address', '/who/', {}],
    ['a token', '/api/things/', { token: 'reads' }],
    ['another token', '/api/things/', { token: 'reads-all' }],
    ['a partner instance', '/api/shared/', { token: 'partner' }],
    ['a session', '/who/', { session: 'ann' }],
    ['another session', '/who/', { session: 'olga' }],
    ['a visitor', '/who/visitor/', cookie(1)],
    ['another visitor', '/who/visitor/', cookie(2)],
    ['a guest', '/who/guest/1/', {}],
    ['another guest', '/who/guest/2/', {}],
  ]
  for (const [what, url, more] of CALLERS) test(what, async () => assert.deepEqual(await statuses(url, more), [200, 429]))
})

describe('a redirect', () => {
  const cookiesOf = async (more: Omit<Redirect, 'redirect'>) => {
    redirect = { redirect: '/', ...more }
    const { cookies, headers } = await get('/away/', { headers: { cookie: `${COOKIES.device}=${'D'.repeat(32)}` } })
    return { cookies, cleared: headers['clear-site-data'] }
  }
  const END = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'

  test('begins a session, and clears what the browser keeps of somebody else', async () => {
    const begun = (replacesPerson: boolean) => cookiesOf({ session: { start: 's1', maxAgeSeconds: 90, replacesPerson } })
    const cookies = [`${COOKIES.session}=s1; Max-Age=90; Path=/; HttpOnly; Secure; SameSite=Lax`]
    assert.deepEqual(await begun(false), { cookies, cleared: undefined })
    assert.deepEqual(await begun(true), { cookies, cleared: '"cache"' })
  })

  test('ends a session and other cookies, and begins others', async () => {
    const { cookies, cleared } = await cookiesOf({
      session: 'end',
      cookies: { visitor: 'end', code: { start: 'c1', maxAgeSeconds: 5 } },
    })
    assert.equal(cleared, undefined)
    const [session, ended, code] = cookies
    for (const [text, name] of [
      [session, COOKIES.session],
      [ended, COOKIES.of('visitor')],
    ] as const) {
      assert.ok(text!.startsWith(`${name}=;`), text)
      assert.ok(text!.includes(END), text)
    }
    assert.equal(code, `${COOKIES.of('code')}=c1; Max-Age=5; Path=/; HttpOnly; Secure; SameSite=Lax`)
    assert.equal(cookies.length, 3)
  })

  test('keeps its message for a minute', async () => {
    const { cookies } = await cookiesOf({ flash: { kind: 'good', text: 'Kept' } })
    assert.match(cookies.join(), new RegExp(`^${COOKIES.flash}=[^;]+; Max-Age=60; `))
    assert.deepEqual((await cookiesOf({})).cookies, [])
  })
})

describe('a download', () => {
  test('has its status, and is 304 for its ETag', async () => {
    etag = undefined
    const plain = await get('/table/', { headers: { 'if-none-match': '*' } })
    assert.deepEqual([plain.status, plain.body, plain.headers.etag], [203, 'a;b\n', undefined])
    etag = '"v1"'
    for (const [known, status, body] of [
      ['"v1"', 304, ''],
      ['"v2"', 203, 'a;b\n'],
    ] as const) {
      const answer = await get('/table/', { headers: { 'if-none-match': known } })
      assert.deepEqual([answer.status, answer.body, answer.headers.etag], [status, body, '"v1"'])
    }
  })

  test('that is streamed is not read for HEAD', async () => {
    const whole = await get('/streamed/')
    assert.deepEqual([whole.status, whole.body], [203, 'streamed'])
    const head = await get('/streamed/', { method: 'HEAD' })
    assert.deepEqual([head.status, head.body, head.headers['content-type']], [203, '', 'text/plain'])
    assert.equal(stream.destroyed, true)
  })
})

test('a form takes as many bytes as it says', async () => {
  const cookie = `${COOKIES.device}=${'D'.repeat(32)}`
  const token = /value="([^"]+)"/.exec((await get('/large/', { headers: { cookie } })).body)![1]!
  const send = async (bytes: number) => {
    const fields = `csrf_token=${token}&text=`
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    return (await get('/large/', { method: 'POST', headers, payload: fields.padEnd(bytes, 'x') })).status
  }
  assert.deepEqual([await send(300), await send(301)], [303, 413])
})

test('a device is known for 400 days', async () => {
  const { cookies } = await get('/who/')
  assert.match(cookies.join(), new RegExp(`^${COOKIES.device}=\\w{32}; Max-Age=${400 * 24 * 3_600}; `))
})
