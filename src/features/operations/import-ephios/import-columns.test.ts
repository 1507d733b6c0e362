import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { findStoredTables } from '#features/operations/backup/queries/tables.ts'
import { openSourceDatabase, type SourceDatabase } from '#platform/db/source-database.ts'
import { freshDatabase } from '#test/support/database.ts'
import { COMPLETE_ROWS } from '#test/support/ephios/complete-rows.ts'
import { columnsOf, type EphiosRow, makeEphiosPostgres, makeEphiosSqlite } from '#test/support/ephios/database.ts'
import { DESTINATIONS, type Destination, OUR_OWN_COLUMNS } from '#test/support/ephios/destinations.ts'
import { EPHIOS_TABLES } from '#test/support/ephios/tables.ts'
import { openWorld } from '#test/support/world.ts'
import { importEphios, makeImportSecrets } from './commands/import.ts'
import { IGNORED_TABLES } from './rules/source-columns.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-columns-'))
after(() => rmSync(folder, { recursive: true }))

const columnsFor = (table: string, row: EphiosRow) => {
  const columns = DESTINATIONS[table]!
  return typeof columns === 'function' ? columns(row) : columns
}
const destinationsIn = (column: ReturnType<typeof columnsFor>[string]): Destination[] =>
  'omitted' in column ? [] : [column].flat()

/** What is expected of one row of ephios in one table of ours. */
type Expected = {
  source: string
  row: EphiosRow
  table: string
  columns: Map<string, { value: unknown; read: Destination['read'] }>
}

function* expectedRows(): Generator<Expected> {
  for (const source of Object.keys(DESTINATIONS))
    for (const row of COMPLETE_ROWS[source]!) {
      const byTable = new Map<string, Expected['columns']>()
      for (const [name, column] of Object.entries(columnsFor(source, row)))
        for (const { to, expected, read } of destinationsIn(column)) {
          const [table, target] = to.split('.') as [string, string]
          const columns = byTable.get(table) ?? new Map()
          byTable.set(table, columns.set(target, { value: toComparable(expected(row[name], row)), read }))
        }
      for (const [table, columns] of byTable) yield { source, row, table, columns }
    }
}

/** Times in one notation, with all digits. */
function toComparable(value: unknown): unknown {
  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|\+00:00|\+00)?$/.exec(String(value))
  if (typeof value !== 'string' || !time) return value
  return `${time[1]}T${time[2]}.${(time[3] ?? '').padEnd(6, '0')}Z`
}

describe('the list of imported columns', () => {
  test('names every column of every table of ephios', () => {
    for (const table of Object.keys(EPHIOS_TABLES)) {
      assert.notEqual(table in DESTINATIONS, table in IGNORED_TABLES, `${table} must be in DESTINATIONS or IGNORED_TABLES`)
      if (!(table in DESTINATIONS)) continue
      const names = columnsOf(table).map(({ name }) => name)
      for (const row of COMPLETE_ROWS[table]!)
        assert.deepEqual(Object.keys(columnsFor(table, row)).sort(), names.toSorted(), table)
    }
  })

  test('is tested with rows that give every column, and with different values', () => {
    const values = new Map<string, Set<string>>()
    for (const [table, rows] of Object.entries(COMPLETE_ROWS))
      for (const row of rows) {
        assert.deepEqual(
          Object.keys(row).sort(),
          columnsOf(table)
            .map(({ name }) => name)
            .toSorted(),
          table,
        )
        if (!(table in DESTINATIONS)) continue
        for (const [name, column] of Object.entries(columnsFor(table, row)))
          for (const { to, expected, isConstant } of destinationsIn(column)) {
            if (isConstant) continue
            const key = `${table}.${name} → ${to}`
            values.set(key, (values.get(key) ?? new Set()).add(JSON.stringify(expected(row[name], row))))
          }
      }
    assert.deepEqual(
      [...values].filter(([, set]) => set.size < 2).map(([key]) => key),
      [],
    )
  })

  test('names every column of every table of ours', async () => {
    const world = await openWorld({ empty: true })
    const stored = (await findStoredTables(world.db.read)).flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column}`),
    )
    const filled = new Set(
      [...expectedRows()].flatMap(({ table, columns }) => [...columns.keys()].map((name) => `${table}.${name}`)),
    )
    const isOwn = (column: string) => column in OUR_OWN_COLUMNS || column.replace(/\..*/, '.*') in OUR_OWN_COLUMNS
    assert.deepEqual(
      stored.filter((column) => !filled.has(column) && !isOwn(column)),
      [],
      'columns without a counterpart in ephios belong in OUR_OWN_COLUMNS, others in DESTINATIONS',
    )
    assert.deepEqual(
      [...filled].filter((column) => !stored.includes(column) || isOwn(column)),
      [],
    )
    const tables = new Set(stored.map((column) => column.replace(/\..*/, '.*')))
    assert.deepEqual(
      Object.keys(OUR_OWN_COLUMNS).filter((column) => !stored.includes(column) && !tables.has(column)),
      [],
    )
  })
})

const SOURCES: Record<string, () => Promise<SourceDatabase>> = {
  PostgreSQL: async () => {
    const { url, drop } = await freshDatabase()
    after(drop)
    await makeEphiosPostgres(url, COMPLETE_ROWS)
    return openSourceDatabase(url)
  },
  SQLite: async () => {
    const path = join(folder, 'db.sqlite3')
    makeEphiosSqlite(path, COMPLETE_ROWS)
    return openSourceDatabase(path)
  },
}

for (const [name, open] of Object.entries(SOURCES)) {
  describe(`every column of every row of ephios on ${name}`, async () => {
    const world = await openWorld({ empty: true })
    const { unseal, seal } = world.app.site.keyring
    const source = await open()
    after(() => source.close())
    const stored = new Map<string, Record<string, unknown>[]>()

    before(async () => {
      const secrets = { ...makeImportSecrets({ seal }), hashClientSecret: (secret: string) => `hash of ${secret}` }
      const options = { source, secrets, now: world.now, language: 'de', isDryRun: false } as const
      const report = await importEphios(world.db.write, options)
      assert.deepEqual(
        report.notes.filter(({ table }) => table !== 'api_application'),
        [],
        'the rows are valid',
      )
      await world.db.read.connection().execute(async (db) => {
        await sql`set time zone 'UTC'`.execute(db)
        for (const { name: table } of await findStoredTables(db)) {
          const { rows } = await sql<{
            row: Record<string, unknown>
          }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
          stored.set(
            table,
            rows.map(({ row }) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toComparable(value)]))),
          )
        }
        await sql`reset time zone`.execute(db)
      })
    })

    const read = (value: unknown, how: Destination['read']): unknown => {
      if (how === 'unsealed') return unseal(String(value))
      return how === 'scope in it' ? (value as { scope: string }).scope : value
    }

    test('is found where the list says', () => {
      for (const { source: from, row, table, columns } of expectedRows()) {
        const expected = Object.fromEntries([...columns].map(([column, { value }]) => [column, value]))
        const project = (actual: Record<string, unknown>) =>
          Object.fromEntries([...columns].map(([column, how]) => [column, read(actual[column], how.read)]))
        const candidates = stored.get(table)!
        const [found, ...others] = candidates.filter((actual) => isDeepStrictEqual(project(actual), expected))
        const similar = candidates.find(({ id }) => 'id' in expected && id === expected.id)
        if (!found) assert.deepEqual(similar && project(similar), expected, `${from} ${JSON.stringify(row)} in ${table}`)
        assert.deepEqual(others, [], `${from} ${JSON.stringify(row)} is in ${table} several times`)
      }
    })

    test('is in no other row', () => {
      const expected = [...expectedRows()]
      for (const table of new Set(expected.map((one) => one.table))) {
        const rows = stored.get(table)!
        const extra = rows.filter(
          (actual) =>
            !expected.some(
              (one) =>
                one.table === table &&
                [...one.columns].every(([column, { value, read: how }]) => isDeepStrictEqual(read(actual[column], how), value)),
            ),
        )
        assert.deepEqual(
          extra.filter((row) => row.name !== 'default_language'),
          [],
          table,
        )
      }
    })

    test('has a counterpart: a database without extensions leaves no row in moved_in_row', () => {
      assert.deepEqual(stored.get('moved_in_row'), [])
    })
  })
}
