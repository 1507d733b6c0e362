import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import { isLow, takeOne } from './stock.ts'

describe('taking from a stock', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  await client.query('create table stock (id int, count int); insert into stock values (1, 2), (2, 5)')

  test('takes one', async () => assert.equal(await takeOne(client, 1), 1))
  test('takes the last one, after the test before', async () => assert.equal(await takeOne(client, 1), 0))
})

describe('what is low', () => {
  test('is less than few', () => assert.equal(isLow(1), true))
  test('is not many', () => assert.equal(isLow(9), false))
})
