import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { scope } from './access.ts'
import { type Endpoint, writeEndpoint } from './endpoint.ts'
import { deleteExpiredKeys, deleteKeysAbout, makeKey } from './idempotency.ts'
import { withPrecondition } from './preconditions.ts'
import { Problem } from './problem.ts'

/** Two records with an amount. Each write adds a row to a log, so that a write without a trace can be told from none. */
const purseOf = async ({ db }: Pick<RequestContext, 'db'>, id: number): Promise<{ id: number; amount: number } | undefined> =>
  (await sql<{ id: number; amount: number }>`select id, amount from purse where id = ${id}`.execute(db)).rows[0]

const lockPurse = (db: RequestContext['db'], id: number) => sql`select from purse where id = ${id} for update`.execute(db)
const path = '/api/purses/{id}/'
const base = { access: scope('PUBLIC_WRITE'), name: 'Purse', tag: 'purses', summary: 'A purse' }
const purseRecord = z.strictObject({ id: z.int(), amount: z.int() })
const purse = { description: 'The purse', schema: purseRecord, access: scope('PUBLIC_READ', 'add_event') }
const responses = { 200: purse, 201: purse, 204: { description: 'Gone' } }
const amountBody = z.strictObject({ amount: z.int(), label: z.string().max(3).optional() })

const endpoints: Endpoint[] = [
  writeEndpoint({
    ...base,
    method: 'POST',
    path: '/api/purses/',
    operationId: 'purses_create',
    body: amountBody,
    responses,
    perform: async ({ db }, _path, { amount }) => {
      if (amount < 0) throw new Problem('refused', { errors: [{ code: 'negative', detail: 'No debts.' }] })
      const { rows } = await sql<{ id: number; amount: number }>`
        insert into purse (amount) values (${amount}) returning id, amount`.execute(db)
      return { status: 201, body: rows[0]!, result: { pin: 'secret' }, headers: { location: `/api/purses/${rows[0]!.id}/` } }
    },
  }),
  writeEndpoint({
    ...base,
    method: 'PATCH',
    path,
    operationId: 'purses_update',
    body: amountBody.partial(),
    target: (context, { id }) => purseOf(context, id),
    responses,
    perform: async (context, { id }, { amount }) => {
      await lockPurse(context.db, id)
      await sql`update purse set amount = coalesce(${amount ?? null}, amount) where id = ${id}`.execute(context.db)
      return { status: 200, body: await purseOf(context, id) }
    },
  }),
  writeEndpoint({
    ...base,
    method: 'DELETE',
    path,
    operationId: 'purses_delete',
    target: (context, { id }) => purseOf(context, id),
    responses,
    perform: async ({ db }, { id }) => {
      await sql`delete from purse where id = ${id}`.execute(db)
      return { status: 204 }
    },
  }),
]

describe('writes of the API', async () => {
  const world = await openWorld({ extra: { endpoints } })
  await sql`create table purse (id int primary key generated always as identity, amount int not null)`.execute(world.db.write)
  const olga = world.as(OLGA, 'PUBLIC_WRITE', 'PUBLIC_READ')
  const unchecked = { unchecked: true }
  const addPurse = async (amount: number): Promise<{ address: string; etag: string; id: number }> => {
    const { body, headers } = await olga.post('/api/purses/', { amount }, unchecked)
    return { address: `/api/purses/${body.id}/`, etag: headers.etag!, id: body.id }
  }
  const amountOf = async (id: number) => (await purseOf({ db: world.db.read }, id))?.amount
  const count = async () => (await sql<{ n: number }>`select count(*)::int as n from purse`.execute(world.db.read)).rows[0]!.n

  test('all mistakes of a body are reported at once, with a pointer to each', async () => {
    const { status, body } = await olga.post('/api/purses/', { amount: 'much', label: 'long', 'a/b': 1, c: 2 }, unchecked)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/amount', 'invalid_type'],
        ['/label', 'too_big'],
        ['/a~1b', 'unrecognized_keys'],
        ['/c', 'unrecognized_keys'],
      ],
    )
  })

  test('mistakes are described in the language of the caller', async () => {
    const german = await olga.post('/api/purses/', {}, { ...unchecked, headers: { 'accept-language': 'de' } })
    const english = await olga.post('/api/purses/', {}, unchecked)
    assert.match(german.body.errors[0].detail, /Ungültige Eingabe/)
    assert.match(english.body.errors[0].detail, /Invalid input/)
  })

  for (const [what, body, type, status] of [
    ['a form', 'amount=1', 'application/x-www-form-urlencoded', 415],
    ['JSON without its type', '{"amount":1}', undefined, 415],
    ['broken JSON', '{"amount":', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['a null character', '{"amount":1,"label":"\\u0000"}', 'application/json', 400],
    ['half of a surrogate pair', '{"amount":1,"label":"\\ud800"}', 'application/json', 400],
    ['a merge patch', '{"amount":1}', 'application/merge-patch+json', 201],
  ] as const)
    test(`${what} is answered with ${status}`, async () => {
      const headers: Record<string, string> = type ? { 'content-type': type } : {}
      assert.equal((await olga.request('POST', '/api/purses/', { ...unchecked, body, headers })).status, status)
    })

  test('a dry run answers as if, and writes nothing', async () => {
    const before = await count()
    const { status, body, headers } = await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query: 'dry_run=true' })
    assert.deepEqual([status, body.amount], [201, 5])
    assert.match(headers.etag!, /^W\//)
    assert.equal(await count(), before)
  })

  for (const [query, parameter, code] of [
    ['dry_run=maybe', 'dry_run', 'invalid_choice'],
    ['dry_run=', 'dry_run', 'invalid_choice'],
    ['dry_run', 'dry_run', 'invalid_choice'],
    ['dry_run=true&dry_run=false', 'dry_run', 'invalid_choice'],
    ['dry_run[]=true', 'dry_run[]', 'unknown_parameter'],
    ['Dry_Run=true', 'Dry_Run', 'unknown_parameter'],
    ['dryrun=true', 'dryrun', 'unknown_parameter'],
    ['dry-run=true&dry_run=true', 'dry-run', 'unknown_parameter'],
    ['limit=5', 'limit', 'unknown_parameter'],
  ] as const)
    test(`?${query} is refused and writes nothing`, async () => {
      const before = await count()
      const { status, body } = await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query })
      assert.deepEqual([status, body.errors.length, body.errors[0].parameter, body.errors[0].code], [400, 1, parameter, code])
      assert.match(body.errors[0].detail, code === 'unknown_parameter' ? /Known: dry_run, format\./ : /true or false/)
      assert.equal(await count(), before)
    })
  for (const [query, writes] of [
    ['dry_run=TRUE', 0],
    ['dry_run=1&format=json', 0],
    ['dry_run=false', 1],
    ['dry_run=0', 1],
    ['format=json', 1],
    ['', 1],
  ] as const)
    test(`?${query} writes ${writes} rows`, async () => {
      const before = await count()
      assert.equal((await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query })).status, 201)
      assert.equal(await count(), before + writes)
    })

  describe('answers to callers who may not read the record', () => {
    const writer = world.as(OLGA, 'PUBLIC_WRITE')
    const reader = world.as(ANN, 'PUBLIC_WRITE', 'PUBLIC_READ')
    const tryOut = { ...unchecked, query: 'dry_run=true' }

    for (const [what, caller] of [
      ['without the scope', writer],
      ['without the permission', reader],
    ] as const) {
      test(`${what}: the id and the version`, async () => {
        const { address, id, etag } = await addPurse(7)
        const { status, body, headers } = await caller.patch(address, { amount: 8 }, etag, unchecked)
        assert.deepEqual([status, body], [200, { id, version: headers.etag }])
        assert.equal((await olga.patch(address, { amount: 9 }, body.version, unchecked)).status, 200)
      })
      test(`${what}: a dry run tells no version, which guesses could be compared by`, async () => {
        const { address, id } = await addPurse(7)
        const { status, body, headers } = await caller.patch(address, {}, '*', tryOut)
        assert.deepEqual([status, body, headers.etag], [200, { id }, undefined])
      })
    }

    test('what the write made is in the answer beside both', async () => {
      const shown = await olga.post('/api/purses/', { amount: 5 }, unchecked)
      assert.deepEqual(shown.body, { id: shown.body.id, amount: 5, pin: 'secret' })
      const { body, headers } = await writer.post('/api/purses/', { amount: 5 }, unchecked)
      assert.deepEqual(body, { id: body.id, version: headers.etag, pin: 'secret' })
      assert.equal(headers.location, `/api/purses/${body.id}/`)
    })
    test('a session reads as far as the person may', async () => {
      const { address, id } = await addPurse(7)
      const send = (who: typeof OLGA) => world.withScript(who).patch(address, { amount: 8 }, '*', unchecked)
      assert.deepEqual((await send(OLGA)).body, { id, amount: 8 })
      assert.deepEqual(Object.keys((await send(ANN)).body), ['id', 'version'])
    })
    test('the version of an answer does not depend on what it shows', async () => {
      const { address } = await addPurse(7)
      const readable = await olga.patch(address, { amount: 8 }, '*', unchecked)
      assert.equal((await writer.patch(address, { amount: 8 }, '*', unchecked)).body.version, readable.headers.etag)
    })
  })

  describe('If-Match', () => {
    const words = wordsFor('en', 'UTC')
    test('PATCH and DELETE without it are answered with 428', async () => {
      const { address } = await addPurse(1)
      assert.equal((await olga.send('PATCH', address, { amount: 2 }, unchecked)).status, 428)
      assert.equal((await olga.send('DELETE', address, undefined, unchecked)).status, 428)
    })

    test('the ETag of the answer to a write matches; an older one does not', async () => {
      const { address, etag, id } = await addPurse(1)
      const changed = await olga.patch(address, { amount: 2 }, etag, unchecked)
      assert.deepEqual([changed.status, changed.body.amount], [200, 2])
      assert.equal((await olga.patch(address, { amount: 3 }, etag, unchecked)).status, 412)
      assert.equal(await amountOf(id), 2)
      assert.equal((await olga.delete(address, etag, unchecked)).status, 412)
      assert.equal((await olga.delete(address, changed.headers.etag!, unchecked)).status, 204)
      assert.equal(await amountOf(id), undefined)
    })

    test('a star matches every version of a record that exists', async () => {
      const { address } = await addPurse(1)
      assert.equal((await olga.patch(address, { amount: 9 }, '*', unchecked)).status, 200)
      assert.equal((await olga.patch('/api/purses/99999/', { amount: 9 }, '*', unchecked)).status, 404)
    })

    /** Two writes based on the same version. Both compare before one of them writes. */
    const writeTwice = async (comparesAgain: boolean): Promise<{ done: number; amount: number | undefined }> => {
      const { id, etag } = await addPurse(0)
      const compared = Promise.withResolvers<void>()
      let waiting = 0
      const write = (amount: number) =>
        world.db.write.transaction().execute(async (db) => {
          const context = {
            db,
            committed: world.db.read,
            actor: ANONYMOUS,
            now: world.now,
            site: world.app.site,
            words,
            requestId: null,
          }
          const target = (reader: RequestContext) => purseOf(reader, id)
          return withPrecondition(
            { context, endpoint: { target }, path: {}, ifMatch: etag },
            async () => {
              if (++waiting === 2) compared.resolve()
              await compared.promise
              await lockPurse(db, id)
              await sql`update purse set amount = ${amount} where id = ${id}`.execute(db)
            },
            { comparesAgain },
          )
        })
      const results = await Promise.allSettled([write(1), write(2)])
      return { done: results.filter(({ status }) => status === 'fulfilled').length, amount: await amountOf(id) }
    }
    test('of two writes based on the same version one is carried out', async () => {
      assert.equal((await writeTwice(true)).done, 1)
    })
    test('twin: without the second comparison, one overwrites the other', async () => {
      assert.equal((await writeTwice(false)).done, 2)
    })
  })

  describe('Idempotency-Key', () => {
    const keyed = (key: string) => ({ ...unchecked, headers: { 'idempotency-key': key } })

    test('a repeated request gets the first answer and writes nothing', async () => {
      const before = await count()
      const first = await olga.post('/api/purses/', { amount: 5 }, keyed('a-1'))
      const second = await olga.post('/api/purses/', { amount: 5 }, keyed('a-1'))
      assert.deepEqual([first.status, second.status], [201, 201])
      assert.equal(second.text, first.text)
      assert.equal(second.headers.etag, first.headers.etag)
      assert.equal(second.headers.location, first.headers.location)
      assert.deepEqual([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']], [undefined, 'true'])
      assert.equal(await count(), before + 1)
    })

    test('another body or address under the same key is refused', async () => {
      await olga.post('/api/purses/', { amount: 5 }, keyed('a-2'))
      const { status, body } = await olga.post('/api/purses/', { amount: 6 }, keyed('a-2'))
      assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
    })

    test('keys of different people do not meet', async () => {
      const ann = world.as(ANN, 'PUBLIC_WRITE')
      const [one, two] = [
        await olga.post('/api/purses/', { amount: 5 }, keyed('a-3')),
        await ann.post('/api/purses/', { amount: 5 }, keyed('a-3')),
      ]
      assert.notEqual(one.body.id, two.body.id)
    })

    test('keys of different credentials of one person do not meet', async () => {
      const session = world.withScript(OLGA)
      const tokens = [
        olga,
        world.as(OLGA, 'PUBLIC_WRITE'),
        world.with({ authorization: `Bearer ${await world.makeToken(OLGA, ['PUBLIC_WRITE', 'PUBLIC_READ'])}` }),
        session,
      ]
      const ids = []
      for (const caller of tokens) {
        const { body, headers } = await caller.post('/api/purses/', { amount: 5 }, keyed('a-7'))
        assert.equal(headers['idempotency-replayed'], undefined)
        ids.push(body.id)
      }
      assert.equal(new Set(ids).size, tokens.length)
      assert.equal((await session.post('/api/purses/', { amount: 5 }, keyed('a-7'))).body.id, ids.at(-1))
    })

    const grantedTo = (scopes: string[], via: { tokenId: number; grantId?: number }) =>
      actorOf(OLGA, { via: { kind: 'token', scopes: new Set(scopes), ...via } })
    const keyOf = (actor: ReturnType<typeof actorOf>) => makeKey({ actor, key: 'a', method: 'POST', url: '/', body: '' })
    test('the tokens of an OAuth grant are one credential, and fewer scopes another request', () => {
      const [first, refreshed, other] = [
        keyOf(grantedTo(['ME_READ', 'ME_WRITE'], { tokenId: 1, grantId: 7 })),
        keyOf(grantedTo(['ME_WRITE', 'ME_READ'], { tokenId: 2, grantId: 7 })),
        keyOf(grantedTo(['ME_READ', 'ME_WRITE'], { tokenId: 1, grantId: 8 })),
      ]
      assert.deepEqual(refreshed, first)
      assert.notEqual(other.key, first.key)
      const weaker = keyOf(grantedTo(['ME_WRITE'], { tokenId: 3, grantId: 7 }))
      assert.equal(weaker.key, first.key)
      assert.notDeepEqual(weaker.requestHash, first.requestHash)
    })

    test('a refused request is judged again', async () => {
      assert.equal((await olga.post('/api/purses/', { amount: -1 }, keyed('a-4'))).status, 409)
      assert.equal((await olga.post('/api/purses/', { amount: 1 }, keyed('a-4'))).status, 201)
    })

    test('a key is free again after 24 hours, and its answer is deleted', async () => {
      await olga.post('/api/purses/', { amount: 5 }, keyed('a-5'))
      const then = world.now
      world.now = new Date(then.getTime() + 24 * 3600_000)
      try {
        assert.equal((await olga.post('/api/purses/', { amount: 6 }, keyed('a-5'))).status, 201)
        await deleteExpiredKeys(world.db.write, world.now)
        const left = await world.db.read.selectFrom('idempotency_key').select('created_at').execute()
        assert.deepEqual(left, [{ created_at: world.now }])
      } finally {
        world.now = then
      }
    })

    test('a millisecond before 24 hours are over, the first answer is repeated and kept', async () => {
      const first = await olga.post('/api/purses/', { amount: 5 }, keyed('a-8'))
      const then = world.now
      world.now = new Date(then.getTime() + 24 * 3600_000 - 1)
      try {
        await deleteExpiredKeys(world.db.write, world.now)
        const again = await olga.post('/api/purses/', { amount: 5 }, keyed('a-8'))
        assert.deepEqual([again.body, again.headers['idempotency-replayed']], [first.body, 'true'])
        assert.equal((await olga.post('/api/purses/', { amount: 6 }, keyed('a-8'))).status, 422)
      } finally {
        world.now = then
      }
    })

    test('a dry run neither uses nor stores a key', async () => {
      const tryOut = { ...keyed('a-9'), query: 'dry_run=true' }
      assert.equal((await olga.post('/api/purses/', { amount: 1 }, tryOut)).status, 201)
      const first = await olga.post('/api/purses/', { amount: 2 }, keyed('a-9'))
      assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined])
      const again = await olga.post('/api/purses/', { amount: 1 }, tryOut)
      assert.deepEqual([again.status, again.headers['idempotency-replayed'], again.body.amount], [201, undefined, 1])
    })

    test('the same body at another address is another request', async () => {
      await olga.post('/api/purses/', { amount: 5 }, keyed('a-10'))
      const { status } = await olga.post('/api/purses/?format=json', { amount: 5 }, keyed('a-10'))
      assert.equal(status, 422)
    })

    test('a key of 255 characters is taken', async () => {
      assert.equal((await olga.post('/api/purses/', { amount: 1 }, keyed('x'.repeat(255)))).status, 201)
    })

    test('stored answers are unreadable, and those about an erased person are deleted, whoever got them', async () => {
      const stored = () => world.db.read.selectFrom('idempotency_key').select(['user_id', 'body']).execute()
      const { unseal, seal } = world.app.site.keyring
      await world.db.write.deleteFrom('idempotency_key').execute()
      await olga.post('/api/purses/', { amount: 5, label: 'Max' }, keyed('b-1'))
      await olga.post('/api/purses/', { amount: 7777, label: 'Eva' }, keyed('b-2'))
      await world.as(ANN, 'PUBLIC_WRITE').post('/api/purses/', { amount: 5 }, keyed('b-3'))
      for (const { body } of await stored()) {
        assert.doesNotMatch(body!, /amount|version/)
        assert.match(unseal(body!), /"amount"|"version"/)
      }
      const erase = (userId: number, pattern: string | undefined, names: string[] = []) =>
        world.db.write.transaction().execute((tx) => deleteKeysAbout(tx, { userId, pattern, names, unseal }))
      await erase(BEN.id, '7777')
      assert.deepEqual((await stored()).map(({ user_id }) => user_id).sort(), [ANN.id, OLGA.id].sort())
      await erase(ANN.id, undefined)
      assert.deepEqual(
        (await stored()).map(({ user_id }) => user_id),
        [OLGA.id],
      )
      await world.db.write.updateTable('idempotency_key').set({ headers: '{"location": "/api/7778/"}' }).execute()
      await erase(BEN.id, '7779')
      assert.equal((await stored()).length, 1)
      await erase(BEN.id, '7778')
      assert.equal((await stored()).length, 0)
      await olga.post('/api/purses/', { amount: 5 }, keyed('b-4'))
      await world.db.write
        .updateTable('idempotency_key')
        .set({ body: `0${seal('x')}` })
        .execute()
      await erase(BEN.id, 'none')
      assert.equal((await stored()).length, 0, 'sealed with a key that nobody has')
      await olga.post('/api/purses/', { amount: 5 }, keyed('b-5'))
      await erase(BEN.id, undefined, ['secre', 'amount "'])
      assert.equal((await stored()).length, 1)
      await erase(BEN.id, undefined, ['other', 'secret'])
      assert.equal((await stored()).length, 0, 'a value that is the name')
    })

    for (const key of ['', 'with space', 'ä', 'x'.repeat(256)])
      test(`the key ${JSON.stringify(key.slice(0, 12))} is refused`, async () => {
        const { status, body } = await olga.post('/api/purses/', { amount: 1 }, keyed(Buffer.from(key).toString('latin1')))
        assert.deepEqual([status, body.errors?.[0].parameter], [400, 'Idempotency-Key'])
      })

    const postAtOnce = async (times: number, options: (index: number) => object): Promise<Set<number>> => {
      const answers = await Promise.all(
        Array.from({ length: times }, (_, index) =>
          olga.post('/api/purses/', { amount: 7 }, { ...unchecked, ...options(index) }),
        ),
      )
      for (const { status, text } of answers) assert.equal(status, 201, text)
      return new Set(answers.map(({ body }) => body.id))
    }
    test('200 requests with one key at once write once', async () => {
      const before = await count()
      const ids = await postAtOnce(200, () => ({ headers: { 'idempotency-key': 'a-6' } }))
      assert.deepEqual([ids.size, await count()], [1, before + 1])
    })
    test('twin: without a key, each of them writes', async () => {
      assert.equal((await postAtOnce(20, () => ({}))).size, 20)
    })
  })

  describe('with a session', () => {
    const bySession = world.withSession(OLGA)
    test('a write needs the CSRF token', async () => {
      const { status, body } = await bySession.post('/api/purses/', { amount: 1 }, unchecked)
      assert.deepEqual([status, body.code], [403, 'csrf_failed'])
    })
  })
})

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

  test('carries out all writes in their order; later ones see what earlier ones wrote', async () => {
    const dry = await ann.post('/api/batch/', { operations: [signUp(one)] }, { query: 'dry_run=1' })
    assert.deepEqual([dry.status, dry.body.results[0].status], [200, 201])
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

  test('100 writes are carried out, and the headers of each are in its result', async () => {
    const read = { method: 'PATCH', path: '/api/users/me/', body: { language: 'en' }, if_match: '*' }
    const { status, body } = await ann.post('/api/batch/', { operations: Array.from({ length: 100 }, () => read) })
    assert.deepEqual([status, body.results.length], [200, 100])
    assert.match(body.results[99].headers.etag, /^W\//)
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

  for (const path of [
    '/api/batch/',
    '/api/shifts/x/signup/',
    '/api/shifts/1/signup',
    '/api/shifts/%ff/signup/',
    '/api/shifts/1/signup/?dry_run=1',
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
