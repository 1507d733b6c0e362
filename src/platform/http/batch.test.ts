import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { batchEndpoint } from './batch.ts'
import type { HttpContext } from './http-context.ts'
import { type AnyWrite, runWrite } from './write.ts'

describe('batch', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}, {}, {}] })
  const [one, two, three] = event.shifts as [number, number, number]
  const hidden = await world.addEvent({ seenBy: [BEN], shifts: [{}] })
  const ann = world.as(ANN, 'ME_WRITE', 'ME_READ')
  const signUp = (shift: number) => ({ method: 'POST', path: `/api/shifts/${shift}/signup/`, body: {} })
  const ownShifts = async (): Promise<number[]> =>
    (await ann.get('/api/users/me/participations/')).body.results
      .filter(({ state }: { state: { value: number } }) => state.value < 2)
      .map(({ shift }: { shift: number }) => shift)
      .filter((shift: number) => event.shifts.includes(shift))

  test('needs the scopes of its writes', async () => {
    const { status, body } = await world.as(ANN, 'ME_READ').post('/api/batch/', { operations: [signUp(one)] })
    assert.deepEqual([status, body.code, body.results[0].status], [409, 'batch_failed', 403])
    assert.deepEqual(body.errors, [{ pointer: '/operations/0', code: 'insufficient_scope', detail: body.errors[0].detail }])
  })

  test('is named in the answer to OPTIONS', async () => {
    const { status, body } = await ann.request('OPTIONS', '/api/batch/')
    assert.deepEqual([status, body.name], [200, 'Batch'])
  })

  test('carries out nothing if one write fails, and tells the result of each', async () => {
    const operations = [
      signUp(one),
      signUp(hidden.shifts[0]!),
      { method: 'POST', path: '/api/nowhere/' },
      { ...signUp(two), body: { wish: 1 } },
    ]
    const { status, body } = await ann.post('/api/batch/', { operations })
    assert.equal(status, 409)
    assert.deepEqual(
      body.results.map(({ status: each }: { status: number }) => each),
      [201, 404, 404, 400],
    )
    assert.deepEqual(await ownShifts(), [])
  })

  test('tells the address of a write whose slash is missing, and carries out nothing', async () => {
    const operations = [signUp(one), { ...signUp(two), path: `/api/shifts/${two}/signup` }]
    const { status, body } = await ann.post('/api/batch/', { operations })
    const location = `https://a.example/api/shifts/${two}/signup/`
    assert.deepEqual([status, body.errors.map(({ code }: { code: string }) => code)], [409, ['moved']])
    const [, moved] = body.results
    assert.deepEqual([moved.status, moved.headers.location, moved.body.location], [308, location, location])
    assert.deepEqual(await ownShifts(), [])
  })

  test('reports mistakes in types together with what the rules say, and keeps nothing of asking them', async () => {
    const paul = world.as(PAUL, 'PUBLIC_WRITE', 'PUBLIC_READ')
    const mine = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    const shift = { start_time: 'soon', end_time: '2031-06-01T12:00:00+02:00', label: 'x'.repeat(256), questions: [999_999] }
    const path = `/api/events/${mine.id}/shifts/`
    const { status, body } = await paul.post('/api/batch/', { operations: [{ method: 'POST', path, body: shift }] })
    assert.deepEqual([status, body.results[0].status], [409, 400])
    const alone = await paul.post(path, shift)
    assert.deepEqual(body.results[0].body.errors, alone.body.errors)
    assert.deepEqual(
      alone.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      ['/start_time invalid_format', '/label too_long', '/questions/0 unknown_question'],
    )
    const patch = { method: 'PATCH', path: `/api/shifts/${mine.shifts[0]}/`, body: { end_time: 'soon', label: 'Kept' } }
    const changed = await paul.post('/api/batch/', { operations: [patch, { ...patch, if_match: '*', body: {} }] })
    assert.deepEqual(
      changed.body.results.map(({ status, body }: { status: number; body: { label?: string } }) => [status, body.label]),
      [
        [400, undefined],
        [200, ''],
      ],
    )
  })

  for (const [count, outcome] of [
    [2, 'batch_failed'],
    [3, 'too_large'],
  ] as const)
    test(`${count} writes of half a minute each: ${outcome}`, async () => {
      let elapsed = 0
      const clock = { now: () => world.now, monotonicMs: () => (elapsed += 30_000) }
      const { db, actor, now, site } = contextAs(world, ANN)
      const request = {
        operation: {
          endpoint: batchEndpoint(() => ENDPOINTS, clock) as AnyWrite,
          path: {},
          body: {
            operations: [signUp(one), ...Array.from({ length: count - 1 }, () => ({ method: 'POST', path: '/api/nowhere/' }))],
          },
          ifMatch: undefined,
        },
        actor,
        now,
        words: wordsFor('en', 'UTC'),
        requestId: 'a test',
        isDryRun: false,
        key: undefined,
      }
      await assert.rejects(runWrite({ db: { write: db, read: db }, site } as unknown as HttpContext, request), { code: outcome })
      assert.deepEqual(await ownShifts(), [])
    })

  test('carries out all writes in their order; later ones see what earlier ones wrote', async () => {
    const dry = await ann.post('/api/batch/', { operations: [signUp(one)] }, { query: 'dry_run=1' })
    assert.deepEqual([dry.status, dry.body.results[0].status, dry.headers['dry-run']], [200, 200, 'true'])
    const { status, body } = await ann.post('/api/batch/', {
      operations: [signUp(one), { method: 'POST', path: `/api/shifts/${one}/decline/` }, signUp(three)],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.results.map(({ body: record }: { body: { shift: number; state: { value: number } } }) => [
        record.shift,
        record.state.value,
      ]),
      [
        [one, 0],
        [one, 2],
        [three, 0],
      ],
    )
    assert.deepEqual(await ownShifts(), [three])
  })

  test('a write can be based on a version that an earlier write of the batch made', async () => {
    const signedUp = (await ann.post(`/api/shifts/${two}/signup/`, {})).body
    const path = `/api/users/me/participations/${signedUp.id}/`
    const { etag } = (await ann.get(path)).headers
    const first = { method: 'PATCH', path, body: { comment: 'van' }, if_match: etag }
    const dry = await ann.post('/api/batch/', { operations: [first] }, { query: 'dry_run=1' })
    const next = dry.body.results[0].headers.etag
    const stale = await ann.post('/api/batch/', { operations: [first, { ...first, body: { comment: 'bus' } }] })
    assert.deepEqual([stale.status, stale.body.results[1].body.code], [409, 'precondition_failed'])
    const { status } = await ann.post('/api/batch/', {
      operations: [first, { ...first, body: { comment: 'bus' }, if_match: next }],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      (await ann.get(path)).body.comments.map(({ text }: { text: string }) => text),
      ['van', 'bus'],
    )
  })

  test('writes without an answer have none in their result', async () => {
    const planner = world.as(PAUL, 'PUBLIC_WRITE', 'PUBLIC_READ')
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [] })
    const path = `/api/events/${id}/`
    const { status, body } = await planner.post('/api/batch/', { operations: [{ method: 'DELETE', path, if_match: '*' }] })
    assert.deepEqual([status, body.results[0].status, body.results[0].body], [200, 204, null])
    assert.equal((await planner.get(path)).status, 404)
  })

  const signedUp = async (start: string): Promise<{ taken: number; address: string }> => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start }] })
    const { body } = await ann.post(`/api/shifts/${shifts[0]}/signup/`, {})
    return { taken: shifts[0]!, address: `/api/users/me/participations/${body.id}/` }
  }

  describe('whose only failure is', async () => {
    const { taken, address } = await signedUp('2031-07-01T08:00:00Z')
    const fine = { method: 'PATCH', path: address, body: { comment: 'kept?' }, if_match: '*' }
    const cases: [what: string, operation: object, status: number, code: string][] = [
      ['a mistake in a body', { ...signUp(one), body: { wish: 1 } }, 400, 'invalid_input'],
      [
        'a missing scope',
        { method: 'PATCH', path: `/api/events/${event.id}/`, body: {}, if_match: '*' },
        403,
        'insufficient_scope',
      ],
      ['an unknown address', { method: 'POST', path: '/api/nowhere/' }, 404, 'not_found'],
      ['a rule', signUp(taken), 409, 'refused'],
      ['an old version', { ...fine, if_match: 'W/"old"' }, 412, 'precondition_failed'],
      ['a missing version', { method: 'PATCH', path: address, body: {} }, 428, 'precondition_required'],
    ]
    for (const [what, operation, status, code] of cases)
      for (const operations of [
        [fine, operation],
        [operation, fine],
      ])
        test(`${what}, ${operations[0] === fine ? 'at the end' : 'at the beginning'}, carries out nothing`, async () => {
          const answer = await ann.post('/api/batch/', { operations })
          const index = operations.indexOf(operation as never)
          assert.deepEqual([answer.status, answer.body.code], [409, 'batch_failed'])
          assert.deepEqual(
            answer.body.errors.map((each: { pointer: string; code: string }) => [each.pointer, each.code]),
            [[`/operations/${index}`, code]],
          )
          assert.deepEqual(answer.body.results.map((each: { status: number }) => each.status).sort(), [200, status])
          const { comments } = (await ann.get(address)).body
          assert.ok(!comments.some(({ text }: { text: string }) => text === 'kept?'))
        })
  })

  test('a write can use what an earlier one answered, and a reference to nothing fails', async () => {
    const planner = world.as(OLGA, ...SCOPES)
    const times = { start_time: '2031-08-01T08:00:00Z', end_time: '2031-08-01T09:00:00Z' }
    const type = await world.addType({ title: 'Walk' })
    const create = { method: 'POST', path: '/api/events/', body: { title: 'Walk', location: 'Pier', type, shifts: [times] } }
    const changes = { location: { $result: '0/body/title' } }
    const rename = { method: 'PATCH', path: '/api/events/{0/body/id}/', body: changes, if_match: '*' }
    const publish = { method: 'POST', path: '/api/events/{0/body/id}/publish/' }
    const { status, body, text } = await planner.post('/api/batch/', { operations: [create, rename, publish] })
    assert.equal(status, 200, text)
    const { id } = body.results[0].body
    assert.equal((await planner.get(`/api/events/${id}/`)).body.location, 'Walk')
    const broken = await planner.post('/api/batch/', {
      operations: [create, { ...publish, path: '/api/events/{1/body/id}/publish/' }],
    })
    assert.deepEqual([broken.status, broken.body.results[1].body.errors[0].code], [409, 'unknown_result'])
  })

  test('100 writes are carried out, and the headers of each are in its result', async () => {
    const read = { method: 'PATCH', path: '/api/users/me/', body: { language: 'en' }, if_match: '*' }
    const { status, body } = await ann.post('/api/batch/', { operations: Array.from({ length: 100 }, () => read) })
    assert.deepEqual([status, body.results.length], [200, 100])
    assert.match(body.results[99].headers.etag, /^"/)
    const refused = await world.as(ANN, 'ME_READ').post('/api/batch/', { operations: [read] })
    assert.match(refused.body.results[0].headers['www-authenticate'], /scope="ME_WRITE"/)
  })

  test('the ETag of a record in one language fits a write in the other', async () => {
    const { address } = await signedUp('2031-07-03T08:00:00Z')
    for (const language of ['de', 'en']) {
      const { etag } = (await ann.get(address, { headers: { 'accept-language': language } })).headers
      assert.equal((await ann.patch(address, { comment: `in ${language}` }, etag!)).status, 200)
    }
  })

  for (const [what, operations] of [
    ['no write', []],
    ['more than 100', Array.from({ length: 101 }, () => signUp(one))],
    ['a read', [{ method: 'GET', path: '/api/events/' }]],
    ['an unknown key', [{ ...signUp(one), query: 'a' }]],
  ] as const)
    test(`${what} is refused as a whole`, async () => {
      assert.equal((await ann.post('/api/batch/', { operations })).status, 400)
    })

  test('addresses and versions have 500 characters at most', async () => {
    const statusOf = async (operation: object) => (await ann.post('/api/batch/', { operations: [operation] })).status
    const address = (length: number) => '/api/nowhere/'.padEnd(length, 'x')
    const FAILED = 409
    assert.deepEqual(
      [
        await statusOf({ method: 'POST', path: address(500) }),
        await statusOf({ method: 'POST', path: address(501) }),
        await statusOf({ ...signUp(hidden.shifts[0]!), if_match: 'x'.repeat(500) }),
        await statusOf({ ...signUp(hidden.shifts[0]!), if_match: 'x'.repeat(501) }),
      ],
      [FAILED, 400, FAILED, 400],
    )
  })

  for (const path of [
    '/api/batch/',
    '/api/shifts/x/signup/',
    '/api/shifts/%ff/signup/',
    '/api/shifts/1/signup/?dry_run=1',
    '/api/shifts/1/signup?dry_run=1',
  ])
    test(`POST ${path} within a batch is not found`, async () => {
      const { body } = await ann.post('/api/batch/', { operations: [{ method: 'POST', path }] })
      assert.equal(body.results[0].status, 404)
    })

  test('an id that is none is not found before the scopes are compared, as outside of a batch', async () => {
    const reader = world.as(ANN, 'ME_READ')
    const operations = ['1', '1.5'].map((id) => ({ method: 'POST', path: `/api/shifts/${id}/signup/` }))
    const { body } = await reader.post('/api/batch/', { operations })
    assert.deepEqual(
      body.results.map(({ status }: { status: number }) => status),
      [403, 404],
    )
  })
})
