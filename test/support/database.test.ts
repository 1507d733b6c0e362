import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { findServer, freshDatabase } from './database.ts'
import { connect } from './postgres-server.ts'

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('databases created at the same time are migrated and independent', async () => {
  const databases = await Promise.all(Array.from({ length: 8 }, freshDatabase))
  for (const [n, { url }] of databases.entries()) await query(url, `create table mine as select ${n} as n`)
  for (const [n, { url }] of databases.entries()) {
    assert.deepEqual(await query(url, 'select n from mine'), [{ n }])
    const [migrations] = await query(url, 'select count(*)::int > 0 as some from migration')
    assert.deepEqual(migrations, { some: true })
  }
  await Promise.all(databases.map((database) => database.drop()))
})

test('a database can be dropped while a client is connected', async () => {
  const { url, drop } = await freshDatabase()
  const client = new pg.Client({ connectionString: url })
  const lost = new Promise<Error>((resolve) => client.once('error', resolve))
  client.on('error', () => {})
  await client.connect()
  await drop()
  await lost
  const errorOf = () =>
    query(url, 'select 1').then(
      () => undefined,
      (error: { code?: string }) => error,
    )
  let error = await errorOf()
  // The database stays while autovacuum runs in it.
  for (; !error; error = await errorOf()) await drop()
  assert.equal(error.code, '3D000')
})

describe('a connection for the set-up of tests', () => {
  /** Fails with these codes, one per attempt, and succeeds then. */
  async function connectAfter(codes: string[]) {
    const url = await findServer()
    const pauses: number[] = []
    let attempts = 0
    const makeClient = () => {
      const client = new pg.Client({ connectionString: url })
      const code = codes[attempts++]
      if (code) client.connect = () => Promise.reject(Object.assign(new Error(code), { code }))
      return client
    }
    const outcome = await connect(url, { makeClient, pause: async (ms) => void pauses.push(ms) }).then(
      async (client) => {
        const { rows } = await client.query('select 1 as n')
        await client.end()
        return rows[0]
      },
      ({ code }) => code,
    )
    return { outcome, attempts, pauses }
  }

  test('is tried again when the server ends it before it is established', async () =>
    assert.deepEqual(await connectAfter(['EPIPE', 'ECONNRESET']), { outcome: { n: 1 }, attempts: 3, pauses: [200, 400] }))

  test('is tried five times', async () => {
    const { outcome, attempts } = await connectAfter(Array.from({ length: 5 }, () => 'EPIPE'))
    assert.deepEqual({ outcome, attempts }, { outcome: 'EPIPE', attempts: 5 })
    assert.deepEqual((await connectAfter(Array.from({ length: 4 }, () => 'EPIPE'))).outcome, { n: 1 })
  })

  test('is not tried again after another refusal', async () =>
    assert.deepEqual(await connectAfter(['28P01']), { outcome: '28P01', attempts: 1, pauses: [] }))
})
