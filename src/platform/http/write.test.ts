import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openPurses, PURSE_ENDPOINT, unchecked } from '#test/support/purses.ts'
import { type AnyWrite, performOperation } from './write.ts'

describe('writes of the API', async () => {
  const purses = await openPurses()
  const { world, olga } = purses

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
    assert.equal(german.body.errors[0].detail, 'Muss angegeben werden')
    assert.equal(english.body.errors[0].detail, 'Is required')
  })

  test('malformed JSON is answered with its place', async () => {
    const headers = { 'content-type': 'application/json', 'accept-language': 'en' }
    const send = (body: string) => olga.request('POST', '/api/purses/', { ...unchecked, body, headers })
    assert.equal((await send('{\n  "amount": 1,\n}')).body.detail, 'The body is not JSON from line 3, column 1.')
    assert.equal((await send('['.repeat(65) + ']'.repeat(65))).body.detail, 'The body is nested too deeply.')
  })
  test('what is not UTF-8 is refused instead of stored with other characters', async () => {
    const headers = { 'content-type': 'application/json; charset=latin1', 'accept-language': 'en' }
    const send = (text: string, encoding: BufferEncoding) =>
      olga.request('POST', '/api/purses/', { ...unchecked, body: Buffer.from(text, encoding), headers })
    const { status, body } = await send('{"amount":1,"label":"ä"}', 'latin1')
    assert.deepEqual([status, body.detail], [400, 'Send the body in UTF-8. It contains bytes that are not.'])
    assert.equal((await send('{"amount":1,"label":"ä"}', 'utf8')).status, 201)
    assert.equal((await send('\ufeff{"amount":1}', 'utf8')).status, 201, 'with a byte order mark')
  })
  test('compressed content is answered with the encoding that is taken', async () => {
    const send = (encoding: string, body: string) =>
      olga.request('POST', '/api/purses/', {
        ...unchecked,
        body,
        headers: { 'content-type': 'application/json', 'content-encoding': encoding, 'accept-language': 'en' },
      })
    const { status, body, headers } = await send('gzip', '{"amount":1}')
    assert.deepEqual([status, body.detail, headers['accept-encoding']], [415, 'Send the body without compression.', 'identity'])
    assert.equal((await send('Identity', '{"amount":1}')).status, 201)
    assert.equal((await send('gzip', '')).status, 400, 'without content there is nothing to decode')
  })
  test('content of another type is answered with the types that are taken', async () => {
    const { body, headers } = await olga.request('POST', '/api/purses/', {
      ...unchecked,
      body: 'amount=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.match(body.detail, /application\/json/)
    assert.equal(headers.accept, 'application/json, application/merge-patch+json')
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
    const before = await purses.count()
    const { status, body, headers } = await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query: 'dry_run=true' })
    assert.deepEqual([status, body.amount, headers['dry-run']], [200, 5, 'true'])
    assert.deepEqual([headers.etag, headers.location], [undefined, undefined])
    assert.equal(await purses.count(), before)
  })
  test('a dry run of a change names the version that it would make, and a write has no header of a dry run', async () => {
    const { address } = await purses.add(5)
    const dry = await olga.patch(address, { amount: 6 }, '*', { ...unchecked, query: 'dry_run=true' })
    const real = await olga.patch(address, { amount: 6 }, '*', unchecked)
    assert.deepEqual([dry.headers['dry-run'], real.headers['dry-run']], ['true', undefined])
    assert.equal(dry.headers.etag, real.headers.etag)
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
      const before = await purses.count()
      const { status, body } = await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query })
      assert.deepEqual([status, body.errors.length, body.errors[0].parameter, body.errors[0].code], [400, 1, parameter, code])
      assert.match(body.errors[0].detail, code === 'unknown_parameter' ? /Known: dry_run, format\./ : /true or false/)
      assert.equal(await purses.count(), before)
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
      const before = await purses.count()
      assert.equal((await olga.post('/api/purses/', { amount: 5 }, { ...unchecked, query })).status, writes ? 201 : 200)
      assert.equal(await purses.count(), before + writes)
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
        const { address, id, etag } = await purses.add(7)
        const { status, body, headers } = await caller.patch(address, { amount: 8 }, etag, unchecked)
        assert.deepEqual([status, body], [200, { id, version: headers.etag }])
        assert.equal((await olga.patch(address, { amount: 9 }, body.version, unchecked)).status, 200)
      })
      test(`${what}: a dry run tells no version, which guesses could be compared by`, async () => {
        const { address, id } = await purses.add(7)
        const { status, body, headers } = await caller.patch(address, {}, '*', tryOut)
        assert.deepEqual([status, body, headers.etag], [200, { id }, undefined])
      })
    }

    test('what the write made is in the answer beside both', async () => {
      const shown = await olga.post('/api/purses/', { amount: 5 }, unchecked)
      assert.deepEqual(shown.body, { id: shown.body.id, amount: 5, pin: 'secret' })
      const { body, headers } = await writer.post('/api/purses/', { amount: 5 }, unchecked)
      assert.deepEqual(body, { id: body.id, version: headers.etag, pin: 'secret' })
      assert.equal(headers.location, `https://a.example/api/purses/${body.id}/`)
    })
    test('a session reads as far as the person may', async () => {
      const { address, id } = await purses.add(7)
      const send = (who: typeof OLGA) => world.withScript(who).patch(address, { amount: 8 }, '*', unchecked)
      assert.deepEqual((await send(OLGA)).body, { id, amount: 8 })
      assert.deepEqual(Object.keys((await send(ANN)).body), ['id', 'version'])
    })
    test('the version of an answer does not depend on what it shows', async () => {
      const { address } = await purses.add(7)
      const readable = await olga.patch(address, { amount: 8 }, '*', unchecked)
      assert.equal((await writer.patch(address, { amount: 8 }, '*', unchecked)).body.version, readable.headers.etag)
    })
  })

  for (const [what, status] of [
    ['of a status that the endpoint does not declare', 202],
    ['of a status that is declared without one', 204],
  ] as const)
    test(`a record ${what} is a mistake in the endpoint`, async () => {
      const endpoint = { ...PURSE_ENDPOINT, perform: async () => ({ status, body: { id: 1, amount: 2 } }) }
      const operation = { endpoint: endpoint as unknown as AnyWrite, path: {}, body: {}, ifMatch: undefined }
      const context = { site: world.app.site, actor: ANONYMOUS } as WriteContext
      await assert.rejects(performOperation(context, operation), /is not declared with one/)
    })

  describe('with a session', () => {
    const bySession = world.withSession(OLGA)
    test('a write needs the CSRF token', async () => {
      const { status, body } = await bySession.post('/api/purses/', { amount: 1 }, unchecked)
      assert.deepEqual([status, body.code], [403, 'csrf_failed'])
    })
  })
})
