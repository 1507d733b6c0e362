import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { NOT_PLANTED, PLANTED, PLANTED_JSON, PLANTED_LISTS, PLANTED_VALUES } from '#test/support/planted.ts'

/** Columns that can hold text, but for sealed secrets and for those whose values the database checks. */
const COLUMNS = sql<{ name: string }>`
  select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and format_type(a.atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'character varying') and a.attname !~ '_sealed$'
    and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
      and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY|<@ ARRAY|= ''[a-z_]+''::text')
  order by 1`

test('every column with text is filled in the test of planted markup, or has a reason why not', async () => {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  try {
    const columns = (await COLUMNS.execute(db.read)).rows.map(({ name }) => name)
    const planted = [
      ...Object.entries(PLANTED).flatMap(([table, all]) => all.map((column) => `${table}.${column}`)),
      ...[...PLANTED_LISTS, ...PLANTED_JSON, ...PLANTED_VALUES].map(([table, column]) => `${table}.${column}`),
    ]
    const reasons = Object.values(NOT_PLANTED).flat()
    assert.deepEqual(
      columns.filter((name) => !planted.includes(name) && !reasons.includes(name)),
      [],
      'columns that nobody has thought of',
    )
    assert.deepEqual(
      reasons.filter((name) => !columns.includes(name) || planted.includes(name)),
      [],
      'reasons that are not needed',
    )
  } finally {
    await db.close()
    await database.drop()
  }
})
