import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from './database.ts'

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
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
