import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { retryConnections } from './retrying-pool.ts'

const LOST = Object.assign(new Error('Connection terminated unexpectedly'), {})
const WRONG = Object.assign(new Error('a value is there already'), { code: '23505' })

describe('a pool whose connections fail', () => {
  function open({ connecting, querying }: { connecting?: Error; querying?: Error } = {}) {
    const calls: unknown[][] = []
    const client = {
      processID: 7,
      query(...args: unknown[]) {
        calls.push(['query', this === client, ...args])
        return querying ? Promise.reject(querying) : Promise.resolve({ rows: [1] })
      },
      release(...args: unknown[]) {
        calls.push(['release', this === client, ...args])
      },
    }
    const pool = {
      connect: (callback?: unknown) => {
        calls.push(['connect', callback])
        return connecting ? Promise.reject(connecting) : Promise.resolve(client)
      },
    }
    const stopped = new AbortController()
    return { calls, stopped, pool: retryConnections(pool as unknown as pg.Pool, stopped.signal) }
  }
  const isRetried = (error: unknown) => (error as { code?: string }).code === '57P03'

  test('says that they can be tried again, with the reason', async () => {
    const retried = (error: unknown) => {
      const { message, cause } = error as Error
      return isRetried(error) && message === LOST.message && cause === LOST
    }
    await assert.rejects(open({ connecting: LOST }).pool.connect(), retried)
    const client = await open({ querying: LOST }).pool.connect()
    await assert.rejects(client.query('select 1'), retried)
  })

  test('leaves other errors as they are', async () => {
    const same = (error: unknown) => error === WRONG
    await assert.rejects(open({ connecting: WRONG }).pool.connect(), same)
    const client = await open({ querying: WRONG }).pool.connect()
    await assert.rejects(client.query('select 1'), same)
  })

  test('passes on what works', async () => {
    const { pool, calls } = open()
    const client = await pool.connect()
    assert.deepEqual((await client.query('select $1', [2])).rows, [1])
    client.release(true)
    assert.equal((client as pg.PoolClient & { processID: number }).processID, 7)
    assert.deepEqual(calls, [
      ['connect', undefined],
      ['query', true, 'select $1', [2]],
      ['release', true, true],
    ])
  })

  test('gives callers with a callback the connection itself', () => {
    const { pool, calls } = open()
    const callback = () => {}
    pool.connect(callback)
    assert.deepEqual(calls, [['connect', callback]])
  })

  test('gives none once the worker has stopped', async () => {
    const { pool, calls, stopped } = open({ connecting: LOST })
    stopped.abort()
    const pending = Symbol('pending')
    const outcome = await Promise.race([pool.connect(), new Promise((done) => setImmediate(done, pending))])
    assert.deepEqual([outcome, calls], [pending, []])
  })
})
