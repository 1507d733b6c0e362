import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { ANN, HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

describe('URLs', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}], sharedWith: [NORD] })
  const participation = await world.addParticipation({ who: ANN, shift: event.shifts[0]! })
  const olga = world.as(OLGA, ...SCOPES)
  const ann = world.as(ANN, ...SCOPES)

  const WITH_SUFFIX = [
    '/api/events/',
    `/api/events/${event.id}/`,
    '/api/shifts/',
    `/api/shifts/${event.shifts[0]}/`,
    '/api/participations/',
    `/api/participations/${participation}/`,
    '/api/participations-userinfo/',
    `/api/participations-userinfo/${participation}/`,
    '/api/users/',
    `/api/users/${ANN.id}/`,
    `/api/users/by_email/${ANN.email}/`,
    `/api/users/${ANN.id}/participations/`,
    `/api/users/${ANN.id}/participations/${participation}/`,
    '/api/buildingblocks/',
  ]
  const WITHOUT_SUFFIX = [
    '/api/users/me/',
    '/api/users/me/details/',
    '/api/users/me/picture/',
    '/api/federation/events/',
    '/api/schema/',
  ]

  for (const path of WITH_SUFFIX) {
    for (const suffix of ['.json', '.json/', '.api', '.api/']) {
      test(`${path.replace(/\/$/, suffix)} returns the same as ${path}`, async () => {
        const plain = await olga.get(path)
        const suffixed = await olga.get(path.replace(/\/$/, suffix))
        assert.deepEqual([plain.status, suffixed.status, suffixed.body], [200, 200, plain.body])
      })
    }
  }
  test('the lists of the own account accept a suffix, too', async () => {
    for (const path of ['/api/users/me/participations.json', `/api/users/me/participations/${participation}.json`])
      assert.equal(await ann.status(path), 200, path)
  })
  for (const path of WITHOUT_SUFFIX)
    for (const suffix of ['.json', '.api'])
      test(`${path.replace(/\/$/, suffix)} does not exist`, async () => {
        const caller = path.includes('federation') ? world.partner(NORD) : olga
        assert.equal(await caller.status(path.replace(/\/$/, suffix)), 404)
      })
  for (const path of [
    '/api/events.xml',
    '/api/events.xml/',
    '/api/events.csv',
    `/api/events/${event.id}.xml`,
    '/api/events.JSON',
  ])
    test(`${path} does not exist`, async () => assert.equal((await olga.get(path)).body?.code, 'not_found'))

  describe('a missing slash', () => {
    const paths = ENDPOINTS.map(({ path }) =>
      (path as string).replace('{id}', '1').replace('{user}', '1').replace('{email}', 'a@b.example'),
    )
    for (const path of new Set(paths)) {
      test(`${path.slice(0, -1)} redirects with its query, for every method and without credentials`, async () => {
        const location = `${path}?a=%20b&a=+&c`
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const answer = await world.nobody.request(method, `${path.slice(0, -1)}?a=%20b&a=+&c`)
          assert.deepEqual([answer.status, answer.headers.location, answer.text], [301, location, ''], method)
        }
        // Clients turn a 301 into a GET: a write would get lost with the answer 200.
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const answer = await world.nobody.request(method, `${path.slice(0, -1)}?a=%20b&a=+&c`)
          const { code, status, location: address } = answer.body
          assert.deepEqual([answer.status, answer.headers.location], [308, address], method)
          assert.deepEqual([code, status, address], ['moved', 308, `${SITE_URL}${location}`])
        }
        assert.equal((await world.nobody.get(path.slice(0, -1))).headers.location, path)
      })
    }
    test('answers 404 for a path that has no endpoint with a slash either', async () => {
      for (const path of ['//evil.example/api/events', '/api/nothing', '/api/events/1/2'])
        assert.ok([404].includes(await world.nobody.status(path, { unchecked: true })), path)
    })
  })

  describe('unknown paths', () => {
    for (const path of [
      '/api/nothing/',
      '/api/events/1/2/',
      '/api//events/',
      '/api/Events/',
      '/api/users/me/me/',
      '/api/v1/events/',
    ])
      test(`${path} answers a JSON problem for every caller`, async () => {
        for (const caller of [world.nobody, olga]) assert.equal((await caller.get(path)).body.code, 'not_found')
      })
    test('answers 400 for an invalid percent escape', async () => {
      assert.equal(await olga.status('/api/events/%zz/'), 400)
      assert.equal(await olga.status('/api/events/?search=%zz'), 400)
      assert.equal(await olga.status('/api/events/?%zz=1'), 400)
      assert.equal(await olga.status('/api/events/?search=%ff'), 400)
    })
    test('refuses a URL that is too long', async () => {
      assert.equal((await olga.get(`/api/events/?search=${'a'.repeat(9_000)}`)).body.code, 'uri_too_long')
    })
  })

  const FORMATS: [query: string, status: number][] = [
    ['format=json', 200],
    ['format=api', 200],
    ['format=', 200],
    ['format', 200],
    ['format=xml', 404],
    ['format=JSON', 404],
    ['format=csv', 404],
    ['format=xml&format=json', 200],
    ['format=json&format=xml', 404],
  ]
  for (const [query, status] of FORMATS)
    test(`?${query} is answered with ${status}`, async () => {
      for (const path of WITH_SUFFIX.slice(0, 3)) assert.equal(await olga.status(path, { query }), status)
    })

  const ACCEPTS: [accept: string | undefined, status: number][] = [
    [undefined, 200],
    ['', 200],
    ['*/*', 200],
    ['application/*', 200],
    ['application/json', 200],
    ['APPLICATION/JSON', 200],
    ['application/json;q=0.1, text/html', 200],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
    ['text/html', 200],
    ['application/xml, application/json', 200],
    ['application/problem+json', 200],
    ['application/xml', 406],
    ['text/plain', 406],
    ['image/png, text/csv', 406],
    ['application/jsonx', 406],
    ['garbage', 406],
  ]
  for (const [accept, status] of ACCEPTS)
    test(`Accept ${accept ?? '(absent)'} is answered with ${status}`, async () => {
      const headers = accept === undefined ? {} : { accept }
      for (const path of WITH_SUFFIX.slice(0, 4)) assert.equal(await olga.status(path, { headers }), status)
    })
  test('checks Accept before credentials', async () => {
    assert.equal(await world.nobody.status('/api/events/', { headers: { accept: 'image/png' } }), 406)
    assert.equal(await world.nobody.status('/api/events/', { query: 'format=xml' }), 404)
  })
  test('Accept with indent returns indented JSON', async () => {
    const plain = await olga.get('/api/participations/')
    for (const [wanted, width] of [
      ['4', 4],
      ['2', 2],
      ['99', 8],
    ] as const) {
      const headers = { accept: `application/json; indent=${wanted}` }
      const pretty = await olga.get('/api/participations/', { headers, unchecked: true })
      assert.equal(pretty.headers['content-type'], 'application/json')
      assert.deepEqual(pretty.body, plain.body)
      assert.equal(pretty.text.replaceAll('3600.0', '3600'), JSON.stringify(plain.body, null, width))
      assert.ok(pretty.text.includes('"duration": 3600.0'))
    }
    for (const wanted of ['x', '-1', ''])
      assert.equal(
        (await olga.get('/api/participations/', { headers: { accept: `application/json; indent=${wanted}` } })).text,
        plain.text,
      )
  })

  describe('host names', async () => {
    const allowing = await openWorld({ allowedHosts: 'b.example, c.example:8443' })
    const HOSTS: [host: string, status: number, origin: string][] = [
      ['a.example', 200, SITE_URL],
      ['A.EXAMPLE', 200, SITE_URL],
      ['b.example', 200, 'http://b.example'],
      ['c.example:8443', 200, 'http://c.example:8443'],
      ['evil.example', 421, ''],
      ['a.example.evil.example', 421, ''],
      ['localhost', 421, ''],
      ['127.0.0.1', 421, ''],
      ['a.example@evil.example', 421, ''],
    ]
    for (const [host, status, origin] of HOSTS)
      test(`${host} is answered with ${status}`, async () => {
        const answer = await allowing.withSession(OLGA).get('/api/users/?limit=1', { headers: { host } })
        assert.equal(answer.status, status)
        if (status === 200) assert.equal(answer.body.next, `${origin}/api/users/?limit=1&offset=1`)
      })
  })
})
