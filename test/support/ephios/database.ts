import { DatabaseSync } from 'node:sqlite'
import { connect } from '../postgres-server.ts'
import { EPHIOS_TABLES } from './tables.ts'

export type EphiosRow = Record<string, unknown>
export type EphiosRows = Record<string, EphiosRow[]>

type Column = { name: string; type: string; isNullable: boolean }

export function columnsOf(table: string): Column[] {
  return EPHIOS_TABLES[table]!.split(', ').map((text) => {
    const [name, type] = text.split(' ') as [string, string]
    return { name, type: type.replace('?', ''), isNullable: type.endsWith('?') }
  })
}

/** The default value of a column. */
function usual({ type, isNullable }: Column, n: number): unknown {
  if (isNullable) return null
  if (type === 'boolean') return false
  if (type === 'jsonb') return {}
  if (type === 'uuid') return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  if (type === 'timestamptz') return '2026-01-02T03:04:05.678901Z'
  if (type === 'date') return '2026-01-02'
  return /int|numeric/.test(type) ? 0 : ''
}

const complete = (table: string, row: EphiosRow, n: number): unknown[] =>
  columnsOf(table).map((column) => (column.name in row ? row[column.name] : usual(column, n)))

/** A PostgreSQL database of ephios with these rows; without any constraint, as old databases sometimes are. */
export async function makeEphiosPostgres(url: string, rows: EphiosRows): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('drop schema public cascade; create schema public')
    for (const table of Object.keys(EPHIOS_TABLES)) {
      const columns = columnsOf(table).map(({ name, type }) => `"${name}" ${type}`)
      await client.query(`create table "${table}" (${columns.join(', ')})`)
      for (const [n, row] of (rows[table] ?? []).entries()) {
        const values = complete(table, row, n).map((value) => (isJson(value) ? JSON.stringify(value) : value))
        await client.query(`insert into "${table}" values (${values.map((_, at) => `$${at + 1}`).join(', ')})`, values)
      }
    }
  } finally {
    await client.end()
  }
}

/** The database as a SQLite file: booleans as numbers, times as text without a zone, uuids without dashes, JSON as text. */
export function makeEphiosSqlite(path: string, rows: EphiosRows): void {
  const database = new DatabaseSync(path)
  // One transaction: otherwise each row is written to the disk.
  database.exec('begin')
  for (const table of Object.keys(EPHIOS_TABLES)) {
    const columns = columnsOf(table)
    database.exec(`create table "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})`)
    const insert = database.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`)
    for (const [n, row] of (rows[table] ?? []).entries())
      insert.run(...complete(table, row, n).map((value, at) => inSqlite(value, columns[at]!)))
  }
  database.exec('commit')
  database.close()
}

const isJson = (value: unknown): boolean => typeof value === 'object' && value !== null

function inSqlite(value: unknown, { type }: Column): string | number | null {
  if (value === null) return null
  if (typeof value === 'boolean') return Number(value)
  if (isJson(value)) return JSON.stringify(value)
  if (type === 'timestamptz') return String(value).replace('T', ' ').replace('Z', '')
  if (type === 'uuid') return String(value).replaceAll('-', '')
  return typeof value === 'number' ? value : String(value)
}
