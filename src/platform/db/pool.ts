import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { readHostList } from '../host-list.ts'
import { type ClientOptions, DatabaseClient } from './client.ts'
import { chooserFor, type HostChooser } from './host-chooser.ts'
import type { Pooling } from './pooler.ts'
import { Replicas } from './replicas.ts'
import type { DB } from './tables.ts'
import { ConnectionWatch } from './watch.ts'
import { WriteHealth } from './write-health.ts'

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
  /** Shared by the pools of one process, with several servers. */
  hosts?: HostChooser | undefined
  pooling?: Pooling
  max: number
  statementTimeoutMs?: number
  /** How long a request waits for a free connection, in the order of arrival: about as long as a person waits for a page. */
  connectionTimeoutMs?: number
  settings?: Record<string, string>
  onError: (error: Error) => void
}

/** Part of the time limit of a statement after which it is checked whether its server still answers. */
const PATIENCE = 0.6

export function makePool({
  url,
  hosts,
  pooling = 'direct',
  max,
  statementTimeoutMs = 5_000,
  connectionTimeoutMs = 10_000,
  settings = {},
  onError,
}: PoolOptions): pg.Pool {
  const list = readHostList(url)
  const own = hosts ? undefined : chooserFor(list)
  const pool = new pg.Pool({
    connectionString: list.url,
    list,
    hosts: hosts ?? own,
    watch: new ConnectionWatch(statementTimeoutMs * PATIENCE),
    pooling,
    max,
    Client: DatabaseClient,
    types: types as never,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: 'turnout',
    // Local times are Node's business (`i18n/zone.ts`): the zone data of the database may be older.
    ...(pooling === 'direct'
      ? { statement_timeout: statementTimeoutMs, options: optionsOf({ timezone: 'UTC', ...settings }) }
      : {}),
  } satisfies Omit<ClientOptions, 'options'> & Record<string, unknown> as object as pg.PoolConfig)
  // Without listeners, an idle connection that the server closes would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const end = pool.end.bind(pool)
  return Object.assign(pool, {
    end: async () => {
      own?.close()
      await end()
    },
  })
}

const optionsOf = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** Reads and writes have separate connections, so that many list requests cannot delay a sign-up. */
export type Database = {
  read: Kysely<DB>
  write: Kysely<DB>
  readPool: pg.Pool
  writePool: pg.Pool
  /** False while no write is possible, for example because the disk is full. */
  isWritable: () => Promise<boolean>
  replicas: Replicas | undefined
  /** For a request that only reads: connections to a server that has everything committed so far. */
  chooseReader: () => Promise<Kysely<DB>>
  close: () => Promise<void>
}

/**
 * Planning a list query takes longer than executing it, and all statements are written so that a generic plan is good for all
 * values. None runs long enough for JIT compilation to pay off.
 */
const READ_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

export type DatabaseOptions = {
  url: string
  /** Replicas that answer reads. */
  readUrl?: string | undefined
  reads?: number
  writes?: number
  /** What `url` leads to. Settings of connections reach PostgreSQL only directly. */
  pooling?: Pooling
  /** How long a commit waits; absent: as the server is configured. */
  synchronousCommit?: string | undefined
  /** Instead of the usual limits of `makePool`. */
  timeouts?: Pick<PoolOptions, 'statementTimeoutMs' | 'connectionTimeoutMs'>
  onError?: (error: Error) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const {
    url,
    readUrl,
    reads = 4,
    writes = 4,
    pooling = 'direct',
    synchronousCommit,
    timeouts = {},
    onError = () => {},
  } = options
  const hosts = chooserFor(readHostList(url))
  const readPool = makePool({ url, hosts, pooling, max: reads, settings: READ_SETTINGS, ...timeouts, onError })
  const settings = synchronousCommit ? { synchronous_commit: synchronousCommit } : {}
  const writePool = makePool({ url, hosts, pooling, max: writes, settings, ...timeouts, onError })
  const health = new WriteHealth()
  const read = new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool }) })
  const replicas = readUrl
    ? new Replicas({
        url: readUrl,
        primary: { pool: readPool, db: read },
        openPool: (each) => makePool({ url: each, max: reads, settings: READ_SETTINGS, ...timeouts, onError }),
      })
    : undefined
  return {
    read,
    write: new Kysely<DB>({
      dialect: new PostgresDialect({ pool: writePool }),
      log: (event) => {
        if (event.level === 'error') health.note(event.error)
      },
    }),
    readPool,
    writePool,
    isWritable: () => health.isWritable(writePool),
    replicas,
    chooseReader: async () => (replicas ? replicas.choose() : read),
    close: async () => {
      hosts?.close()
      await replicas?.close()
      await Promise.all([readPool.end(), writePool.end()])
    },
  }
}
