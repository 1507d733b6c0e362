import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { impersonalTablesOf, personalDataOf } from '#platform/features/personal-data.ts'
import { addCanary } from '#test/support/canary.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { rowsOf } from './queries/export.ts'

const PERSONAL_DATA = personalDataOf(FEATURES)

const IMPERSONAL = Object.keys(impersonalTablesOf(FEATURES))

describe('the list of personal data', async () => {
  const world = await openWorld()
  const { person } = await addCanary(world)
  const { rows: columns } = await sql<{ table: string; column: string; type: string; references_user: boolean }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey)
        and k.confrelid = 'user_profile'::regclass) as references_user
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`.execute(
    world.db.write,
  )
  const listed = (table: string, column: string) =>
    PERSONAL_DATA.some((entry) => entry.table === table && entry.column === column && !entry.via)

  test('has every foreign key to a person', () => {
    const missing = columns.filter(({ table, column, references_user }) => references_user && !listed(table, column))
    assert.deepEqual(
      missing.map(({ table, column }) => `${table}.${column}`),
      [],
    )
  })

  test('has every table, or the reason why it holds no data of a person', () => {
    const tables = [...new Set(columns.map(({ table }) => table))]
    const known = new Set([...PERSONAL_DATA.map(({ table }) => table as string), ...IMPERSONAL])
    assert.deepEqual(
      tables.filter((table) => !known.has(table)),
      [],
    )
    assert.deepEqual(
      IMPERSONAL.filter((table) => !tables.includes(table)),
      [],
      'tables that do not exist',
    )
  })

  test('names only columns that exist, and sections once', () => {
    const has = (table: string, column: string) => columns.some((each) => each.table === table && each.column === column)
    const wrong = PERSONAL_DATA.flatMap(({ table, column, via, merge, export: given }) => [
      ...(has(via?.table ?? table, column) ? [] : [`${table}.${column}`]),
      ...(via && !has(table, via.key) ? [`${table}.${via.key}`] : []),
      ...(merge.do === 'move_missing' ? merge.key.filter((name) => !has(table, name)).map((name) => `${table}.${name}`) : []),
      ...(given.section === undefined
        ? []
        : [...(given.only ?? []), ...Object.keys(given.without ?? {})]
            .filter((name) => !has(table, name))
            .map((name) => `${table}.${name}`)),
    ])
    assert.deepEqual(wrong, [])
    const sections = PERSONAL_DATA.flatMap(({ export: { section } }) => (section === undefined ? [] : [section]))
    assert.equal(new Set(sections).size, sections.length)
  })

  test('gives no secrets and no numbers of other people', () => {
    const SECRET = /(_hash|_sealed|password|secret|^auth|^p256dh|^endpoint)$/
    const given = PERSONAL_DATA.flatMap(({ table, column, via, export: out }) => {
      if (out.section === undefined) return []
      return columns
        .filter(
          (each) =>
            each.table === table && !(out.without && each.column in out.without) && (!out.only || out.only.includes(each.column)),
        )
        .filter(
          (each) =>
            SECRET.test(each.column) ||
            each.type === 'bytea' ||
            (each.references_user && (via !== undefined || each.column !== column)),
        )
        .map((each) => `${out.section}: ${table}.${each.column}`)
    })
    assert.deepEqual(given, [])
  })

  test('is covered by the canary of the other tests', async () => {
    const empty: string[] = []
    for (const entry of PERSONAL_DATA) {
      const { rows } = await sql`select from ${sql.table(entry.table)} t where ${rowsOf(entry, person.id)}`.execute(
        world.db.write,
      )
      if (!rows.length && entry.merge.do !== 'stay') empty.push(`${entry.table}.${entry.column}`)
    }
    assert.deepEqual(empty, [])
  })
})
