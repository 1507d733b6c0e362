import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const LABELS: Record<'en' | 'de', string[]> = {
  en: ['requested', 'confirmed', 'declined by user', 'rejected by responsible', 'getting dispatched'],
  de: ['angefragt', 'bestätigt', 'abgesagt durch helfende Person', 'abgelehnt durch verantwortliche Person', 'in Zuteilung'],
}

describe('languages', async () => {
  const world = await openWorld()
  const german = await openWorld({ language: 'de' })
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}, {}, {}, {}, {}] })
  const ids: number[] = []
  for (const state of [0, 1, 2, 3, 4] as const) ids.push(await world.addParticipation({ who: ANN, shift: shifts[state]!, state }))
  const olga = world.as(OLGA, ...SCOPES)

  for (const language of ['en', 'de'] as const)
    test(`translates state labels to ${language}`, async () => {
      const headers = { 'accept-language': language }
      const { body, headers: sent } = await olga.get('/api/participations-userinfo/', { headers })
      assert.equal(sent['content-language'], language)
      assert.deepEqual(
        body.results.map(({ state }: { state: object }) => state),
        LABELS[language].map((label, value) => ({ value, label })),
      )
      const one = await olga.get(`/api/participations/${ids[1]}/`, { headers })
      assert.deepEqual(one.body.state, { value: 1, label: LABELS[language][1] })
    })

  const ACCEPTED: [header: string | undefined, language: 'en' | 'de'][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['en,de', 'en'],
    ['en;q=0.4,de;q=0.5', 'de'],
    ['fr,de;q=0.3', 'de'],
    ['fr', 'en'],
    ['de;q=0', 'en'],
    ['garbage;;;q=,,', 'en'],
    ['x'.repeat(3_000), 'en'],
  ]
  for (const [header, language] of ACCEPTED)
    test(`Accept-Language ${(header ?? '(absent)').slice(0, 30)} selects ${language}`, async () => {
      const headers = header === undefined ? {} : { 'accept-language': header }
      const answer = await world.nobody.get('/api/events/', { headers })
      assert.equal(answer.headers['content-language'], language)
      assert.equal(
        answer.body.detail,
        language === 'de' ? 'Anmeldedaten fehlen.' : 'Authentication credentials were not provided.',
      )
    })
  test('the default language applies to requests without Accept-Language', async () => {
    assert.equal((await german.nobody.get('/api/events/')).body.detail, 'Anmeldedaten fehlen.')
    const asked = await german.nobody.get('/api/events/', { headers: { 'accept-language': 'en' } })
    assert.equal(asked.body.detail, 'Authentication credentials were not provided.')
    assert.equal((await german.nobody.get('/api/nothing/')).headers['content-language'], 'de')
  })
  test('cookies do not select a language, and no cookie is set', async () => {
    const answer = await olga.get('/api/events/', { headers: { cookie: 'django_language=de' } })
    assert.deepEqual([answer.headers['content-language'], answer.headers['set-cookie']], ['en', undefined])
  })

  const PROBLEMS: [
    what: string,
    ask: (headers: Record<string, string>) => Promise<{ body: Record<string, string> }>,
    en: string,
    de: string,
  ][] = [
    [
      'forbidden',
      (headers) => world.as(ANN, ...SCOPES).get('/api/users/', { headers }),
      'You do not have permission to perform this action.',
      'Sie sind nicht berechtigt, diese Aktion durchzuführen.',
    ],
    [
      'not acceptable',
      (headers) => olga.get('/api/events/', { headers: { ...headers, accept: 'image/png' } }),
      'Could not satisfy the request Accept header.',
      'Kann die Accept Kopfzeile der Anfrage nicht erfüllen.',
    ],
    [
      'not signed in',
      (headers) => world.nobody.get('/api/users/me/', { headers }),
      'Authentication credentials were not provided.',
      'Anmeldedaten fehlen.',
    ],
    [
      'absent',
      (headers) => olga.get('/api/events/999/', { headers }),
      'There is nothing here that you can see.',
      'Hier gibt es nichts, was du sehen kannst.',
    ],
    [
      'wrong method',
      (headers) => olga.request('PUT', '/api/events/', { headers }),
      'This address does not take requests of this method.',
      'Diese Adresse nimmt keine Anfragen dieser Methode an.',
    ],
    [
      'unknown path',
      (headers) => olga.get('/api/nothing/', { headers }),
      'There is nothing here that you can see.',
      'Hier gibt es nichts, was du sehen kannst.',
    ],
  ]
  for (const [what, ask, en, de] of PROBLEMS)
    test(`the problem “${what}” is translated and has the same code in both languages`, async () => {
      const [english, deutsch] = await Promise.all([ask({ 'accept-language': 'en' }), ask({ 'accept-language': 'de' })])
      assert.deepEqual([english.body.detail, deutsch.body.detail], [en, de])
      assert.notEqual(english.body.title, deutsch.body.title)
      assert.deepEqual([english.body.code, english.body.type], [deutsch.body.code, deutsch.body.type])
    })
})

describe('rate limits', async () => {
  const world = await openWorld({ rateLimit: '0.01' })
  const url = '/api/users/me/'
  test('count per credential, report the remaining requests, and reset after a minute', async () => {
    const ann = world.as(ANN, 'ME_READ')
    for (let left = 5; left >= 0; left--) {
      const { status, headers } = await ann.get(url)
      assert.equal(status, 200)
      assert.match(headers['ratelimit-policy'] ?? '', /;q=6;w=60$/)
      assert.match(headers.ratelimit ?? '', new RegExp(`;r=${left};t=60$`))
    }
    world.now = new Date(world.now.getTime() + 20_000)
    const refused = await ann.get(url)
    assert.deepEqual([refused.status, refused.body.code, refused.headers['retry-after']], [429, 'too_many_requests', '40'])
    assert.equal(await world.as(OLGA, 'ME_READ').status(url), 200)
    assert.equal(await world.withSession(ANN).status(url), 200)
    assert.equal(await world.nobody.status(url), 401)
    world.now = new Date(world.now.getTime() + 40_000)
    assert.equal(await ann.status(url), 200)
  })
  test('count requests without a valid credential by IP address', async () => {
    world.now = new Date(world.now.getTime() + 61_000)
    for (let n = 0; n < 6; n++) {
      const caller = n % 2 ? world.nobody : world.with({ authorization: `Bearer guess${n}` })
      assert.equal(await caller.status(url), 401)
    }
    assert.equal(await world.nobody.status(url), 429)
    assert.equal(await world.with({ authorization: 'Bearer other' }).status(url), 429)
    assert.equal(await world.as(OLGA, 'ME_READ').status(url), 200)
  })
  test('send no headers when they are off', async () => {
    const { headers } = await (await openWorld()).nobody.get(url)
    assert.deepEqual([headers.ratelimit, headers['ratelimit-policy'], headers['retry-after']], [undefined, undefined, undefined])
  })
})
