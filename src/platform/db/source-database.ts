import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'

/** The type of a column in the source database. Times, dates, decimals, JSON and UUIDs are read as text. */
type ColumnKind = 'integer' | 'text' | 'boolean' | 'time' | 'date' | 'json' | 'uuid' | 'decimal'
export type Columns = Record<string, ColumnKind>
export type SourceRow = Record<string, string | number | boolean | null>

/** The database of another program, opened read-only. All reads use one snapshot. */
export type SourceDatabase = {
  kind: 'PostgreSQL' | 'SQLite'
  /** Column names by table name. */
  tables: Map<string, Set<string>>
  count: (table: string) => Promise<number>
  /** `from` may contain joins; columns may be qualified, as in `person.name`. */
  read: (from: string, columns: Columns, order?: string) => AsyncGenerator<SourceRow[]>
  /** Each row as JSON with all its columns. */
  readWhole: (table: string) => AsyncGenerator<string[]>
  close: () => Promise<void>
}

class SourceDatabaseUnreadable extends OperatorError {}

const BATCH_ROWS = 5_000
/** `name` of `person.name`. */
const unqualified = (column: string): string => column.slice(column.lastIndexOf('.') + 1)
const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

export async function openSourceDatabase(address: string): Promise<SourceDatabase> {
  if (/^(mysql|mariadb):/i.test(address))
    throw new SourceDatabaseUnreadable(
      'MySQL and MariaDB cannot be read. Move the data to PostgreSQL or SQLite first; docs/moving-in.md explains how.',
    )
  return /^postgres(ql)?:\/\//.test(address) ? openPostgres(address) : openSqlite(address)
}

async function openPostgres(url: string): Promise<SourceDatabase> {
  const client = new pg.Client({ connectionString: url, application_name: 'turnout-import', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    throw new SourceDatabaseUnreadable(`The database to import cannot be reached: ${(cause as Error).message}`, { cause })
  }
  await client.query(
    `begin isolation level repeatable read read only; set local timezone = 'UTC'; set local statement_timeout = 0`,
  )
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'`,
  )
  const tables = new Map<string, Set<string>>()
  for (const { table_name, column_name } of rows) tables.set(table_name, (tables.get(table_name) ?? new Set()).add(column_name))
  async function* fetchAll<T extends pg.QueryResultRow>(statement: string): AsyncGenerator<T[]> {
    await client.query(`declare moving no scroll cursor for ${statement}`)
    for (;;) {
      const batch = await client.query<T>(`fetch ${BATCH_ROWS} from moving`)
      if (!batch.rows.length) break
      yield batch.rows
    }
    await client.query('close moving')
  }
  return {
    kind: 'PostgreSQL',
    tables,
    count: async (table) => Number((await client.query(`select count(*) as count from ${quoted(table)}`)).rows[0].count),
    read: async function* (from, columns, order) {
      const wanted = Object.entries(columns).map(([column, kind]) => {
        const cast = kind === 'integer' || kind === 'text' || kind === 'boolean' ? '' : '::text'
        return `${quoted(column)}${cast} as ${quoted(unqualified(column))}`
      })
      const batches = fetchAll<SourceRow>(`select ${wanted.join(', ')} from ${from}${order ? ` order by ${order}` : ''}`)
      for await (const batch of batches) yield batch.map((row) => normalise(row, columns))
    },
    readWhole: async function* (table) {
      for await (const batch of fetchAll<{ json: string }>(`select row_to_json(whole)::text as json from ${quoted(table)} whole`))
        yield batch.map(({ json }) => json)
    },
    close: () => client.end(),
  }
}

async function openSqlite(path: string): Promise<SourceDatabase> {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { readOnly: true })
    database.exec('begin')
    database.prepare('select count(*) from sqlite_master').get()
  } catch (cause) {
    throw new SourceDatabaseUnreadable(`${path} cannot be read as a SQLite database: ${(cause as Error).message}`, { cause })
  }
  const names = database.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`).all()
  const tables = new Map(
    names.map(({ name }) => {
      const columns = database.prepare('select name from pragma_table_info(?)').all(name as string)
      return [name as string, new Set(columns.map((column) => column.name as string))]
    }),
  )
  function* inBatches<T>(rows: Iterable<T>): Generator<T[]> {
    let batch: T[] = []
    for (const row of rows) {
      batch.push(row)
      if (batch.length === BATCH_ROWS) {
        yield batch
        batch = []
      }
    }
    if (batch.length) yield batch
  }
  return {
    kind: 'SQLite',
    tables,
    count: async (table) => Number(database.prepare(`select count(*) as count from ${quoted(table)}`).get()!.count),
    read: async function* (from, columns, order) {
      const wanted = Object.keys(columns).map((column) => `${quoted(column)} as ${quoted(unqualified(column))}`)
      const statement = database.prepare(`select ${wanted.join(', ')} from ${from}${order ? ` order by ${order}` : ''}`)
      for (const batch of inBatches(statement.iterate())) yield batch.map((row) => normalise(row as SourceRow, columns))
    },
    readWhole: async function* (table) {
      const readable = (_key: string, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
      for (const batch of inBatches(database.prepare(`select * from ${quoted(table)}`).iterate()))
        yield batch.map((row) => JSON.stringify(row, readable))
    },
    close: async () => database.close(),
  }
}

/** Makes rows of both databases equal: numbers, booleans, times with a zone, UUIDs with dashes. */
function normalise(row: SourceRow, columns: Columns): SourceRow {
  const normalised: SourceRow = {}
  for (const [column, kind] of Object.entries(columns)) {
    const name = unqualified(column)
    const value = row[name] ?? null
    normalised[name] = value === null ? null : normaliseValue(value, kind)
  }
  return normalised
}

function normaliseValue(value: string | number | boolean, kind: ColumnKind): string | number | boolean {
  if (kind === 'integer') {
    const number = Number(value)
    if (!Number.isSafeInteger(number))
      throw new SourceDatabaseUnreadable(`The database to import has the number ${value}, which is too large.`)
    return number
  }
  if (kind === 'boolean') return typeof value === 'boolean' ? value : Number(value) !== 0
  const text = String(value)
  if (kind === 'time') return /[+-]\d\d(:?\d\d)?$|Z$/.test(text) ? text : `${text}+00`
  if (kind === 'uuid' && /^[0-9a-f]{32}$/i.test(text))
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
  return text
}
