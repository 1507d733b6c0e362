import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { makeActor, type UserActor } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { type Answer, type Asked, ask, COOKIES, NOW, openHttpServer, SESSIONS, SITE, TOKENS } from '#test/support/http-server.ts'
import { open, signedIn } from './access.ts'
import { actionEndpoint } from './endpoint.ts'
import { actionPage, formPage, viewPage } from './page.ts'
import { Problem } from './problem.ts'
import { RateLimiter } from './rate-limiter.ts'

const [ann, limited] = [SESSIONS.get('ann')!, { ...TOKENS.get('reads')! } as UserActor]
const ALLOWED_PAGE = 'https://display.example'
TOKENS.set(
  'limited',
  makeActor<UserActor>({
    ...limited,
    via: {
      kind: 'token',
      tokenId: 90,
      scopes: new Set(['PUBLIC_READ']),
      limits: { isAllowedAddress: (address) => address !== '192.0.2.66', origins: new Set([ALLOWED_PAGE]) },
    },
  }),
)
const PROVED_MS = 15 * 60_000
const provedAgo = (ms: number, id: number): UserActor =>
  makeActor<UserActor>({
    ...ann,
    via: { kind: 'session', sessionHash: Buffer.alloc(32, id), provedAt: new Date(NOW.getTime() - ms) },
  })
SESSIONS.set('fresh', provedAgo(PROVED_MS - 1, 91))
SESSIONS.set('stale', provedAgo(PROVED_MS, 92))

const docs = { name: 'Guess', operationId: 'guess', summary: 'Guess', tag: 'things', method: 'POST' } as const
const guessing = {
  ...docs,
  access: open('a test'),
  body: z.object({ code: z.string() }),
  responses: { 200: { description: 'Right' } },
  perform: async (_context: unknown, _path: unknown, { code }: { code: string }) => {
    if (code === 'right') return { status: 200, body: {} }
    throw code === 'broken' ? new Error('a fault of the server') : new Problem('invalid_input')
  },
}
const submitted: unknown[] = []
const sensitive = (path: string) => ({
  path,
  access: signedIn,
  form: z.looseObject({}),
  show: async ({ csrfToken }: { csrfToken: string }) => ({
    title: 'Sensitive',
    main: html`<form method="post"><input name="csrf_token" value="${csrfToken}"></form>`,
  }),
  submit: async (_request: unknown, input: unknown) => {
    submitted.push(input)
    return { redirect: '/mine/' }
  },
})
const server = await openHttpServer({
  trustProxy: 1,
  failures: new RateLimiter({ now: () => NOW }, 'failures', 2, 1),
  endpoints: [
    actionEndpoint({ ...guessing, path: '/api/guess/', limitFailures: true }),
    actionEndpoint({ ...guessing, path: '/api/guess-freely/', operationId: 'free' }),
  ],
  pages: [
    formPage({ ...sensitive('/sensitive/'), requires: 'recentSignInToSubmit' }),
    formPage({ ...sensitive('/sensitive/shown/'), requires: 'recentSignIn' }),
    formPage({ ...sensitive('/sensitive/leaving/'), requires: 'recentSignInToSubmit', leavesSite: true }),
    formPage({ ...sensitive('/harmless/') }),
    actionPage({ ...sensitive('/sensitive/button/'), requires: 'recentSignInToSubmit' }),
    viewPage({
      path: '/agent/',
      access: open('a test'),
      show: async ({ browser }) => ({ title: 'Agent', main: html`<p>agent (${browser.userAgent})</p>` }),
    }),
  ],
  loadConfirmation: async (_request, sealed) => ({ title: 'Confirm', main: html`<p>sealed ${sealed}</p>` }),
})
after(server.close)
const get = (url: string, asked?: Asked) => ask(server, url, asked)
const outcomeOf = ({ status, body }: Answer) => (status < 300 ? String(status) : `${status} ${JSON.parse(body).code}`)

describe('a token with limits', () => {
  const CASES: [what: string, headers: Record<string, string>, outcome: string][] = [
    ['by a program, which sends no origin', {}, '200'],
    ['by a script of an allowed page', { origin: ALLOWED_PAGE }, '200'],
    ['by a page of this instance', { origin: SITE }, '200'],
    ['by a script of another page', { origin: 'https://evil.example' }, '403 origin_not_allowed'],
    ['by a page that hides its origin', { origin: 'null' }, '403 origin_not_allowed'],
    ['by an allowed page on another port', { origin: `${ALLOWED_PAGE}:8443` }, '403 origin_not_allowed'],
    ['from another network', { 'x-forwarded-for': '192.0.2.66' }, '403 network_not_allowed'],
    [
      'from another network by an allowed page',
      { origin: ALLOWED_PAGE, 'x-forwarded-for': '192.0.2.66' },
      '403 network_not_allowed',
    ],
    ['from its network', { 'x-forwarded-for': '192.0.2.67' }, '200'],
  ]
  for (const [what, headers, outcome] of CASES)
    test(`used ${what}: ${outcome}`, async () => {
      assert.equal(outcomeOf(await get('/api/things/', { token: 'limited', headers })), outcome)
    })
  test('one without limits works from every page and network', async () => {
    const headers = { origin: 'https://evil.example', 'x-forwarded-for': '192.0.2.66' }
    assert.equal(outcomeOf(await get('/api/things/', { token: 'reads', headers })), '200')
  })
})

describe('guesses at an address that limits failures', () => {
  const guess = async (code: string, from: string, url = '/api/guess/') => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    return (await get(url, { method: 'POST', headers, payload: JSON.stringify({ code }) })).status
  }
  const guessAll = async (codes: readonly string[], from: string, url?: string) => {
    const statuses: number[] = []
    for (const code of codes) statuses.push(await guess(code, from, url))
    return statuses
  }
  test('that are right count nothing, however many', async () => {
    assert.deepEqual(await guessAll(['right', 'right', 'right', 'right'], '192.0.2.1'), [200, 200, 200, 200])
  })
  test('that are wrong are refused after the second, and right ones with them', async () => {
    assert.deepEqual(await guessAll(['wrong', 'right', 'wrong', 'wrong', 'right'], '192.0.2.2'), [400, 200, 400, 429, 429])
  })
  test('of another client are not concerned', async () => {
    assert.deepEqual(await guessAll(['wrong', 'wrong', 'wrong'], '192.0.2.3'), [400, 400, 429])
    assert.equal(await guess('right', '192.0.2.4'), 200)
  })
  test('count nothing if the server fails', async () => {
    assert.deepEqual(await guessAll(['broken', 'broken', 'broken', 'right'], '192.0.2.5'), [500, 500, 500, 200])
  })
  test('count nothing where failures are not limited', async () => {
    assert.deepEqual(
      await guessAll(['wrong', 'wrong', 'wrong', 'right'], '192.0.2.6', '/api/guess-freely/'),
      [400, 400, 400, 200],
    )
    assert.equal(await guess('right', '192.0.2.6'), 200)
  })
})

describe('a form that needs a recent proof', () => {
  const cookie = (session: string) => `${COOKIES.device}=${'D'.repeat(32)}; ${COOKIES.session}=${session}`
  const PART = { 'hx-request': 'true', 'hx-target': 'main#main', 'hx-current-url': `${SITE}/people/?page=2` }
  async function post(session: string, url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const form = await get('/harmless/', { headers: { cookie: cookie(session) } })
    const token = /name="csrf_token" value="([^"]+)"/.exec(form.body)![1]!
    submitted.length = 0
    const answer = await get(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookie(session), ...headers },
      payload: String(new URLSearchParams({ csrf_token: token, ...fields })),
    })
    const place = answer.headers.location ?? answer.headers['hx-redirect']
    return { answer, outcome: `${answer.status} ${place ?? (/sealed /.test(answer.body) ? 'asks, keeps the form' : '')}`.trim() }
  }
  const asks = (next: string) => `/accounts/confirm/?next=${encodeURIComponent(next)}`
  const NAME = { name: 'Drivers' }
  const FROM_LIST = { referer: `${SITE}/people/?page=2` }
  const CASES: [what: string, args: Parameters<typeof post>, outcome: string][] = [
    ['proved 15 minutes ago, without a millisecond', ['fresh', '/sensitive/', NAME], '303 /mine/'],
    ['proved 15 minutes ago', ['stale', '/sensitive/', NAME], '403 asks, keeps the form'],
    ['never proved', ['ann', '/sensitive/', NAME], '403 asks, keeps the form'],
    ['on a page that is protected itself', ['stale', '/sensitive/shown/', NAME], '403 asks, keeps the form'],
    ['behind a button', ['stale', '/sensitive/button/', NAME], '403 asks, keeps the form'],
    ['on a page without protection', ['stale', '/harmless/', NAME], '303 /mine/'],
    ['with a password', ['stale', '/sensitive/', { new_password: 'x' }], `303 ${asks('/sensitive/')}`],
    ['with the former value of a secret', ['stale', '/sensitive/', { current: 'x' }], `303 ${asks('/sensitive/')}`],
    ['that is too long to keep', ['stale', '/sensitive/', { text: 'x'.repeat(50_000) }], `303 ${asks('/sensitive/')}`],
    ['that is nearly too long', ['stale', '/sensitive/', { text: 'x'.repeat(49_000) }], '403 asks, keeps the form'],
    ['that leaves this site', ['stale', '/sensitive/leaving/', NAME], `303 ${asks('/sensitive/leaving/')}`],
    ['sent by a script', ['stale', '/sensitive/', NAME, PART], `200 ${asks('/sensitive/')}`],
    ['behind a button, sent by a script', ['stale', '/sensitive/button/', NAME, PART], `200 ${asks('/people/?page=2')}`],
    [
      'with a secret, behind a button',
      ['stale', '/sensitive/button/', { token: 'x' }, FROM_LIST],
      `303 ${asks('/people/?page=2')}`,
    ],
    [
      'with a secret, behind a button on a page of another site',
      ['stale', '/sensitive/button/', { token: 'x' }, { referer: 'https://evil.example/people/' }],
      `303 ${asks('/')}`,
    ],
  ]
  for (const [what, args, outcome] of CASES)
    test(`${what}: ${outcome}`, async () => {
      assert.equal((await post(...args)).outcome, outcome)
      assert.deepEqual(submitted, outcome === '303 /mine/' ? [NAME] : [])
    })
  test('is kept unreadable for the browser, without the token that protects it', async () => {
    const { answer } = await post('stale', '/sensitive/', NAME)
    assert.doesNotMatch(answer.body, /Drivers/)
    const sealed = /sealed ([^<]+)/.exec(answer.body)![1]!
    assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /Drivers/)
  })
  test('is not shown before, if the page itself is protected', async () => {
    const shown = async (session: string, url: string) => {
      const { status, headers } = await get(url, { headers: { cookie: cookie(session) } })
      return [status, headers.location]
    }
    assert.deepEqual(await shown('stale', '/sensitive/shown/'), [303, asks('/sensitive/shown/')])
    assert.deepEqual(await shown('fresh', '/sensitive/shown/'), [200, undefined])
    assert.deepEqual(await shown('stale', '/sensitive/'), [200, undefined])
  })
})

test('pages know the browser by its name, up to 400 characters', async () => {
  const shown = async (headers: Record<string, string>) => /agent \((.*)\)/.exec((await get('/agent/', { headers })).body)![1]
  assert.equal(await shown({ 'user-agent': 'Firefox' }), 'Firefox')
  assert.equal(await shown({ 'user-agent': 'x'.repeat(401) }), 'x'.repeat(400))
  assert.equal(await shown({}), '')
})
