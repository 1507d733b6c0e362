import { hash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './tables.ts'
import { WriteHealth } from './write-health.ts'

const names = new Map<string, string>()
const preparable = /^\s*(select|insert|update|delete|with|merge)\b/i

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = hash('sha1', text)
    if (names.size < 5000) names.set(text, name)
  }
  return name
}

/** Prepares statements with values once per connection under a name, which makes small lookups three times as fast. */
class NamedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query is overloaded
  override query(...args: any[]): any {
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values) || !preparable.test(text)) return super.query(...(args as [string]))
    const statement = { name: nameOf(text), text, values: [...values] }
    if (callback) return super.query(statement as never, callback)
    return (super.query(statement) as unknown as Promise<unknown>).catch((error: { code?: string }) => {
      // A migration changed the result of the statement; on this connection it would fail for ever.
      if (error.code === '0A000') void super.end().catch(() => {})
      throw error
    })
  }
}

const { builtins } = pg.types

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an 8-byte integer of the database is beyond the safe range')
  return value
}

const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: safeInteger,
  [builtins.DATE]: (text) => text,
  [builtins.NUMERIC]: (text) => text,
  // arrays of int8
  1016: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger)),
}
const types = {
  getTypeParser: (oid: number, format?: string) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid as never, format as never),
}

type PoolOptions = {
  url: string
  max: number
  statementTimeoutMs?: number
  /** How long a request waits for a free connection, in the order of arrival: about as long as a person waits for a page. */
  connectionTimeoutMs?: number
  settings?: Record<string, string>
  onError: (error: Error) => void
}

export function makePool({
  url,
  max,
  statementTimeoutMs = 5_000,
  connectionTimeoutMs = 10_000,
  settings = {},
  onError,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: NamedClient,
    types: types as never,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: 'turnout',
    // Local times are Node's business (`i18n/zone.ts`): the zone data of the database may be older.
    options: Object.entries({ timezone: 'UTC', ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  } as pg.PoolConfig)
  // Without listeners, an idle connection that the server closes would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Reads and writes have separate connections, so that many list requests cannot delay a sign-up. */
export type Database = {
  read: Kysely<DB>
  write: Kysely<DB>
  readPool: pg.Pool
  writePool: pg.Pool
  /** False while no write is possible, for example because the disk is full. */
  isWritable: () => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Planning a list query takes longer than executing it, and all statements are written so that a generic plan is good for all
 * values. None runs long enough for JIT compilation to pay off.
 */
const READ_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

export type DatabaseOptions = {
  url: string
  reads?: number
  writes?: number
  /** Instead of the usual limits of `makePool`. */
  timeouts?: Pick<PoolOptions, 'statementTimeoutMs' | 'connectionTimeoutMs'>
  onError?: (error: Error) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, reads = 4, writes = 4, timeouts = {}, onError = () => {} } = options
  const readPool = makePool({ url, max: reads, settings: READ_SETTINGS, ...timeouts, onError })
  const writePool = makePool({ url, max: writes, ...timeouts, onError })
  const health = new WriteHealth()
  return {
    read: new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool }) }),
    write: new Kysely<DB>({
      dialect: new PostgresDialect({ pool: writePool }),
      log: (event) => {
        if (event.level === 'error') health.note(event.error)
      },
    }),
    readPool,
    writePool,
    isWritable: () => health.isWritable(writePool),
    close: async () => {
      await Promise.all([readPool.end(), writePool.end()])
    },
  }
}
