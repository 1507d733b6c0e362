import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { lockPurse, openPurses, purseOf, unchecked } from '#test/support/purses.ts'
import { withPrecondition } from './preconditions.ts'

describe('If-Match', async () => {
  const purses = await openPurses()
  const { world, olga } = purses
  const words = wordsFor('en', 'UTC')
  test('PATCH and DELETE without it are answered with 428', async () => {
    const { address } = await purses.add(1)
    assert.equal((await olga.send('PATCH', address, { amount: 2 }, unchecked)).status, 428)
    assert.equal((await olga.send('DELETE', address, undefined, unchecked)).status, 428)
  })

  test('the ETag of the answer to a write matches; an older one does not', async () => {
    const { address, etag, id } = await purses.add(1)
    const changed = await olga.patch(address, { amount: 2 }, etag, unchecked)
    assert.deepEqual([changed.status, changed.body.amount], [200, 2])
    assert.equal((await olga.patch(address, { amount: 3 }, etag, unchecked)).status, 412)
    assert.equal(await purses.amountOf(id), 2)
    assert.equal((await olga.delete(address, etag, unchecked)).status, 412)
    assert.equal((await olga.delete(address, changed.headers.etag!, unchecked)).status, 204)
    assert.equal(await purses.amountOf(id), undefined)
  })

  test('a star matches every version of a record that exists', async () => {
    const { address } = await purses.add(1)
    assert.equal((await olga.patch(address, { amount: 9 }, '*', unchecked)).status, 200)
    assert.equal((await olga.patch('/api/purses/99999/', { amount: 9 }, '*', unchecked)).status, 404)
  })

  /** Two writes based on the same version. Both compare before one of them writes. */
  const writeTwice = async (comparesAgain: boolean): Promise<{ done: number; amount: number | undefined }> => {
    const { id, etag } = await purses.add(0)
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
    return { done: results.filter(({ status }) => status === 'fulfilled').length, amount: await purses.amountOf(id) }
  }
  test('of two writes based on the same version one is carried out', async () => {
    assert.equal((await writeTwice(true)).done, 1)
  })
  test('twin: without the second comparison, one overwrites the other', async () => {
    assert.equal((await writeTwice(false)).done, 2)
  })
})
