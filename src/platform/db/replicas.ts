import { setImmediate } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { readHostList, urlOfHost } from '../host-list.ts'
import { shareCaches } from './body-cache.ts'
import type { DB } from './tables.ts'

/** A position in the write-ahead log. */
type Position = bigint

/** `16/B374D848`: two halves of 64 bits. */
export function readPosition(text: string): Position {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** All that is committed when it is asked has an earlier position, whether or not it was written to disk. */
const POSITION = 'select pg_current_wal_insert_lsn()::text as position'
const REPLAYED = 'select pg_last_wal_replay_lsn()::text as position where pg_is_in_recovery()'

type Replica = { pool: pg.Pool; db: Kysely<DB>; replayed: Position; isUsable: boolean }

type ReplicaOptions = {
  /** One or several servers. */
  url: string
  primary: { pool: pg.Pool; db: Kysely<DB> }
  openPool: (url: string) => pg.Pool
  pollMs?: number
}

const POLL_MS = 250

/**
 * Servers that answer reads in place of the primary. A read goes to a replica only if it has replayed everything that was committed
 * on the primary when the read began, so nobody sees older data than on the primary, on whatever node they wrote before.
 */
export class Replicas {
  readonly #primary: ReplicaOptions['primary']
  readonly #replicas: Replica[]
  readonly #timer: NodeJS.Timeout
  #next = 0
  #position: Promise<Position> | undefined
  #lastPolled: Position | undefined
  #polling: Promise<void> | undefined

  constructor({ url, primary, openPool, pollMs = POLL_MS }: ReplicaOptions) {
    this.#primary = primary
    const list = readHostList(url)
    this.#replicas = list.hosts.map((host) => {
      const pool = openPool(urlOfHost(list, host))
      const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
      shareCaches(db, primary.db)
      return { pool, db, replayed: 0n, isUsable: false }
    })
    this.#timer = setInterval(() => void this.poll(), pollMs).unref()
  }

  /** A replica that has everything committed before the call, otherwise the primary. */
  async choose(): Promise<Kysely<DB>> {
    const usable = this.#replicas.filter(({ isUsable }) => isUsable)
    const replica = usable[this.#next++ % usable.length]
    if (!replica) return this.#primary.db
    const position = await this.#readPosition()
    return replica.replayed >= position || (await ask(replica)) >= position ? replica.db : this.#primary.db
  }

  /** Finds out which replicas are at most one poll behind; the others are not even asked. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  async #poll(): Promise<void> {
    const needed = this.#lastPolled
    this.#lastPolled = await this.#readPosition().catch(() => undefined)
    await Promise.all(
      this.#replicas.map(async (replica) => {
        const replayed = await ask(replica)
        replica.isUsable = needed !== undefined && replayed >= needed
      }),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#polling
    await Promise.all(this.#replicas.map(({ pool }) => pool.end()))
  }

  /** Calls within one iteration of the event loop share a query, which starts after the last of them. */
  #readPosition(): Promise<Position> {
    this.#position ??= this.#beginReading()
    return this.#position
  }

  async #beginReading(): Promise<Position> {
    await setImmediate()
    this.#position = undefined
    const { rows } = await this.#primary.pool.query<{ position: string }>(POSITION)
    return readPosition(rows[0]!.position)
  }
}

/** The position that a replica has replayed; 0 if it does not answer or has become a primary. */
async function ask(replica: Replica): Promise<Position> {
  try {
    const { rows } = await replica.pool.query<{ position: string | null }>(REPLAYED)
    replica.replayed = rows[0]?.position ? readPosition(rows[0].position) : 0n
  } catch {
    replica.replayed = 0n
  }
  if (replica.replayed === 0n) replica.isUsable = false
  return replica.replayed
}
