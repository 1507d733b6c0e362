import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { type Columns, type JsonRows, jsonRows, readJsonRows } from './json-rows.ts'

type Row = { id: number; text: string | null; deep: unknown; at: string }

describe('rows as JSON', async () => {
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
  })
  const columns: Columns<Row> = { id: sql`n.id`, text: sql`n.text`, deep: sql`n.deep`, at: sql`n.at::text` }
  const notes = sql`(values
    (1::bigint, E'a "b" \\\\ \\n ü 😀', '{"z": [1, 2.5, null], "a": {}}'::jsonb, '2031-05-04 08:00:00.5+02'::timestamptz),
    (2::bigint, null, '"x"'::jsonb, '2031-12-04 08:00:00+01'::timestamptz)) as n (id, text, deep, at)`
  const find = async (limit: number): Promise<Row[]> => {
    const { rows } = await sql<{ all: JsonRows }>`
      select ${jsonRows(columns, sql`n.id desc`)} as all from ${notes} where n.id <= ${limit}`.execute(db.read)
    return readJsonRows(columns, rows[0]!.all)
  }
  test('contain the values of the columns under the names of the fields, in the given order', async () => {
    assert.deepEqual(await find(2), [
      { id: 2, text: null, deep: 'x', at: '2031-12-04 07:00:00+00' },
      { id: 1, text: 'a "b" \\ \n ü 😀', deep: { a: {}, z: [1, 2.5, null] }, at: '2031-05-04 06:00:00.5+00' },
    ])
  })
  test('are an empty list when no row matches', async () => assert.deepEqual(await find(0), []))
})
