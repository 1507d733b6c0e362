import { hash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './tables.ts'

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

/** Statements with values are prepared once per connection under a name: three times as fast on small look-ups. */
class NamedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query is overloaded
  override query(...args: any[]): any {
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values) || !preparable.test(text)) return super.query(...(args as [string]))
    const statement = { name: nameOf(text), text, values: [...values] }
    if (callback) return super.query(statement as never, callback)
    return (super.query(statement) as unknown as Promise<unknown>).catch((error: { code?: string }) => {
      // A migration changed what the statement returns: its plan on this connection is dead for good.
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

export type PoolOptions = {
  url: string
  max: number
  statementTimeoutMs?: number
  connectionTimeoutMs?: number
  timeZone?: string
  settings?: Record<string, string>
  onError: (error: Error) => void
}

export function makePool({
  url,
  max,
  statementTimeoutMs = 5_000,
  connectionTimeoutMs = 3_000,
  timeZone = 'UTC',
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
    // Times as text come with the offset of the instance's zone, ready for the wire.
    options: Object.entries({ timezone: timeZone, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  } as pg.PoolConfig)
  // An idle connection that the server closes would end the process without these.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Reads and writes have connections of their own, so that a burst of lists never starves a sign-up. */
export type Database = {
  read: Kysely<DB>
  write: Kysely<DB>
  readPool: pg.Pool
  writePool: pg.Pool
  close: () => Promise<void>
}

/**
 * Planning a list takes longer than reading it; statements are written so that one plan serves all callers. None runs so long
 * that compiling it first would pay, whatever the planner believes it costs.
 */
const READ_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

export type DatabaseOptions = {
  url: string
  timeZone?: string
  reads?: number
  writes?: number
  /** Instead of the usual limits of `makePool`. */
  timeouts?: Pick<PoolOptions, 'statementTimeoutMs' | 'connectionTimeoutMs'>
  onError?: (error: Error) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, timeZone = 'UTC', reads = 4, writes = 2, timeouts = {}, onError = () => {} } = options
  const readPool = makePool({ url, max: reads, timeZone, settings: READ_SETTINGS, ...timeouts, onError })
  const writePool = makePool({ url, max: writes, timeZone, ...timeouts, onError })
  return {
    read: new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool }) }),
    write: new Kysely<DB>({ dialect: new PostgresDialect({ pool: writePool }) }),
    readPool,
    writePool,
    close: async () => {
      await Promise.all([readPool.end(), writePool.end()])
    },
  }
}
