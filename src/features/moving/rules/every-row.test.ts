import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { isKnownHash } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { COMPLETE_ROWS } from '#test/support/ephios/complete-rows.ts'
import { type EphiosRow, makeEphiosSqlite } from '#test/support/ephios/database.ts'
import { DESTINATIONS, type Destination, IMPORTED_AT } from '#test/support/ephios/destinations.ts'
import { readLookups, readRows } from '../queries/source.ts'
import { ImportContext, type Target, type Value } from './import-context.ts'
import { makeMappers } from './mappers.ts'

/** SQL fills these columns when all rows are there. */
const COMPLETED = new Set(['participation_comment.author_id', 'notification.event_id', 'notification.data'])

/** Times in one notation; JSON as a value. */
function toComparable(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'json' in value) return JSON.parse(String(value.json))
  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|\+00:00|\+00)?$/.exec(String(value))
  return typeof value === 'string' && time ? `${time[1]}T${time[2]}.${(time[3] ?? '').padEnd(6, '0')}Z` : value
}

const readAs = (value: Value | undefined, how: Destination['read']): unknown => {
  // A column without a value is empty.
  const comparable = toComparable(value ?? null)
  if (how === 'unsealed') return String(comparable).replace(/^sealed /, '')
  return how === 'scope in it' ? (comparable as { scope: string }).scope : comparable
}

/** Decimals are texts until PostgreSQL reads them. */
const isEqual = (actual: unknown, expected: unknown): boolean =>
  isDeepStrictEqual(typeof expected === 'number' && typeof actual === 'string' ? Number(actual) : actual, expected)

type Expected = {
  source: string
  row: EphiosRow
  table: string
  columns: Map<string, { value: unknown; read: Destination['read'] }>
}

function* expectedRows(): Generator<Expected> {
  for (const [source, destinations] of Object.entries(DESTINATIONS))
    for (const row of COMPLETE_ROWS[source]!) {
      const byTable = new Map<string, Expected['columns']>()
      for (const [name, column] of Object.entries(typeof destinations === 'function' ? destinations(row) : destinations))
        for (const { to, expected, read } of 'omitted' in column ? [] : [column].flat()) {
          if (COMPLETED.has(to)) continue
          const [table, target] = to.split('.') as [string, string]
          byTable.set(
            table,
            (byTable.get(table) ?? new Map()).set(target, { value: toComparable(expected(row[name], row)), read }),
          )
        }
      for (const [table, columns] of byTable) yield { source, row, table, columns }
    }
}

describe('every row of ephios', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'every-row-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'db.sqlite3')
  makeEphiosSqlite(path, COMPLETE_ROWS)
  const source = await openSourceDatabase(path)
  const secrets = {
    hash: (secret: string) => `\\x${hashSecret(secret).toString('hex')}`,
    seal: (secret: string) => `sealed ${secret}`,
    isKnownHash,
    hashClientSecret: (secret: string) => `hash of ${secret}`,
  }
  const context = new ImportContext({ secrets, now: IMPORTED_AT, language: 'de' })
  const targets: Target[] = []
  for (const mapper of makeMappers(await readLookups(source)))
    for await (const batch of readRows(source, mapper.source))
      for (const row of batch) if (!mapper.omit?.(row, context)) targets.push(...mapper.map(row, context))
  await source.close()

  test('is mapped without a note', () => {
    assert.deepEqual(
      context.notes.filter(({ table }) => table !== 'api_application'),
      [],
    )
  })

  test('has its values in the rows of ours', () => {
    const missing: string[] = []
    for (const { source: from, row, table, columns } of expectedRows()) {
      const candidates = targets.filter((target) => target.table === table)
      const isFound = candidates.some(({ values }) =>
        [...columns].every(([column, { value, read }]) => isEqual(readAs(values[column], read), value)),
      )
      if (isFound) continue
      const expected = Object.fromEntries([...columns].map(([column, { value }]) => [column, value]))
      missing.push(`${from} ${JSON.stringify(row)} is not in ${table}: ${JSON.stringify(expected)}`)
    }
    assert.deepEqual(missing, [])
  })
})
