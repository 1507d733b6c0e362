import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Database } from '#platform/db/pool.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { lockPurse, openPurses, PURSE_ENDPOINT, type Purses, purseOf, setAmount } from '#test/support/purses.ts'
import { type Endpoint, writeEndpoint } from './endpoint.ts'
import type { HttpContext } from './http-context.ts'
import { Problem } from './problem.ts'
import { type AnyWrite, type Operation, runWrite, type WriteRequest } from './write.ts'

const BOTH = { isQueued: true, isLocked: true }
/** As many nodes with one request each: no process knows of the others. */
const ONLY_LOCKED = { isQueued: false, isLocked: true }
const NEITHER = { isQueued: false, isLocked: false }

/** Adds one to a purse, and refuses if somebody changed it between reading and locking it, as commands of pages do. */
const addingOne = (hasRead: () => unknown): AnyWrite =>
  writeEndpoint({
    ...PURSE_ENDPOINT,
    operationId: 'purses_add',
    perform: async (context, { id }) => {
      const before = await purseOf(context, id)
      await hasRead()
      await lockPurse(context.db, id)
      if ((await purseOf(context, id))?.amount !== before!.amount) throw new Problem('conflict')
      await setAmount(context.db, id, before!.amount + 1)
      return { status: 200, body: await purseOf(context, id) }
    },
  }) as Endpoint as AnyWrite

function requestFor(purses: Purses, operation: Pick<Operation, 'endpoint' | 'path'> & { ifMatch?: string }): WriteRequest {
  return {
    operation: { body: {}, ifMatch: '*', ...operation },
    actor: ANONYMOUS,
    now: purses.world.now,
    words: wordsFor('en', 'UTC'),
    requestId: 'a test',
    isDryRun: false,
    key: undefined,
  }
}

describe('writes with If-Match: * to one record', async () => {
  const purses = await openPurses()
  const { site } = purses.world.app
  const open = (writes: number): Database => {
    const db = openTestDatabase({ url: purses.world.databaseUrl, writes })
    purses.world.others.push({ stop: () => db.close() })
    return db
  }
  const [four, eight] = [open(4), open(8)]
  const httpOf = (db: Database) => ({ db, site }) as HttpContext

  const addAtOnce = async (count: number, guard: typeof BOTH, hasRead = () => {}) => {
    const { id } = await purses.add(0)
    const request = requestFor(purses, { endpoint: addingOne(hasRead), path: { id } })
    const results = await Promise.allSettled(Array.from({ length: count }, () => runWrite(httpOf(eight), request, guard)))
    const codes = results.map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason.code))
    return { codes, amount: await purses.amountOf(id) }
  }

  test('all succeed, one after another', async () => {
    const { codes, amount } = await addAtOnce(60, BOTH)
    assert.deepEqual([new Set(codes), amount], [new Set([200]), 60])
  })

  test('all succeed on different nodes', async () => {
    const { codes, amount } = await addAtOnce(60, ONLY_LOCKED)
    assert.deepEqual([new Set(codes), amount], [new Set([200]), 60])
  })

  test('twin: if none waits, one of those that read the same succeeds, and some give up', async () => {
    let left = 8
    let reading = 0
    let allRead = Promise.withResolvers<void>()
    const { codes, amount } = await addAtOnce(8, NEITHER, () => {
      const { promise } = allRead
      reading++
      if (reading === left) {
        allRead.resolve()
        allRead = Promise.withResolvers()
        reading = 0
        left--
      }
      return promise
    })
    assert.deepEqual(codes.toSorted(), [200, 200, 200, 200, 200, 'conflict', 'conflict', 'conflict'])
    assert.equal(amount, 5)
  })

  /** Four writes to a purse that somebody else holds, and one to another purse. Says whether that one had to wait for them. */
  const writeBesideBlocked = async (guard: typeof BOTH): Promise<boolean> => {
    const [held, free] = [await purses.add(0), await purses.add(0)]
    const http = httpOf(four)
    let blocked = 0
    const endpoint = addingOne(() => blocked++)
    const release = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holder = eight.write.transaction().execute(async (db) => {
      await lockPurse(db, held.id)
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const request = requestFor(purses, { endpoint, path: { id: held.id } })
    const waiting = Array.from({ length: 4 }, () => runWrite(http, request, guard))
    while (blocked < (guard.isQueued ? 1 : 4)) await nextTurn()
    let isDone = false
    const other = runWrite(http, requestFor(purses, { endpoint: addingOne(() => {}), path: { id: free.id } }), guard)
    const done = other.then(() => {
      isDone = true
    })
    while (!isDone && four.writePool.waitingCount === 0) await nextTurn()
    const hadToWait = !isDone
    release.resolve()
    await Promise.all([holder, done, ...waiting])
    return hadToWait
  }

  test('hold one connection while they wait, so other records can be written', async () => {
    assert.equal(await writeBesideBlocked(BOTH), false)
  })

  test('twin: if they wait in the database only, they hold every connection', async () => {
    assert.equal(await writeBesideBlocked({ isQueued: false, isLocked: false }), true)
  })

  describe('that are refused because somebody was faster', () => {
    const tryUntil = async (attempts: number, ifMatch: string, code: 'conflict' | 'refused' = 'conflict') => {
      const { id, etag } = await purses.add(7)
      let performed = 0
      const endpoint = writeEndpoint({
        ...PURSE_ENDPOINT,
        operationId: 'purses_try',
        perform: async (context) => {
          if (++performed < attempts) throw new Problem(code)
          return { status: 200, body: await purseOf(context, id) }
        },
      }) as Endpoint as AnyWrite
      const request = requestFor(purses, { endpoint, path: { id }, ifMatch: ifMatch === 'its version' ? etag : ifMatch })
      const result = await runWrite(httpOf(four), request).then(
        ({ status }) => status,
        (error) => error.code,
      )
      return [result, performed]
    }

    for (const [attempts, ifMatch, expected] of [
      [1, '*', [200, 1]],
      [5, '*', [200, 5]],
      [5, ' * ', [200, 5]],
      [6, '*', ['conflict', 5]],
      [2, 'its version', ['conflict', 1]],
    ] as const)
      test(`with If-Match: ${ifMatch} until attempt ${attempts}: ${expected.join(' after ')}`, async () => {
        assert.deepEqual(await tryUntil(attempts, ifMatch), expected)
      })
    test('are not repeated if they are refused for another reason', async () => {
      assert.deepEqual(await tryUntil(2, '*', 'refused'), ['refused', 1])
    })
  })
})
