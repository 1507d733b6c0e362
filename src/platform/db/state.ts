import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './pool.ts'
import { prepare, readPrepared } from './prepared.ts'

/**
 * Which transactions a query saw. Two queries with the same text saw the same rows, whatever lies between them; the
 * start of the server is part of it, since a restored database counts its transactions anew.
 */
export const databaseState = sql<string>`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`

const look = prepare(() => sql<{ state: string }>`select ${databaseState} as state`)

/**
 * Tells the state of now, never of before it was asked. Requests that arrive in one turn of the event loop share a look,
 * which begins when that turn ends: after all of them came.
 */
export function stateReader(db: Database): () => Promise<string> {
  let next: Promise<string> | undefined
  const begin = async (): Promise<string> => {
    await setImmediate()
    next = undefined
    return (await readPrepared(db, look, []))[0]!.state
  }
  return () => {
    next ??= begin()
    return next
  }
}

/** Results that stay true until anybody writes anything; the newest of each key is kept. */
export class Remembered<T> {
  readonly #most: number
  #entries = new Map<string, { state: string; value: T }>()
  constructor(mostEntries: number) {
    this.#most = mostEntries
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string, state: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry?.state === state ? entry.value : undefined
  }

  set(key: string, state: string, value: T): void {
    this.#entries.delete(key)
    this.#entries.set(key, { state, value })
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value!)
  }

  clear(): void {
    this.#entries.clear()
  }
}
