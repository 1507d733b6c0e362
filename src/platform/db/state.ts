import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './pool.ts'
import { prepare, readPrepared } from './prepared.ts'

/**
 * Identifies the snapshot of a query. Two queries with the same state saw the same rows. The start time of the server is part of
 * it, because a restored database counts its transactions from the beginning.
 */
export const databaseState = sql<string>`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`

const readStateStatement = prepare(() => sql<{ state: string }>`select ${databaseState} as state`)

/**
 * Returns a function that reads the current state. Calls within one iteration of the event loop share a query, which starts after
 * the last of them, so that the result is never older than a call.
 */
export function makeStateReader(db: Database): () => Promise<string> {
  let next: Promise<string> | undefined
  const begin = async (): Promise<string> => {
    await setImmediate()
    next = undefined
    return (await readPrepared(db, readStateStatement, []))[0]!.state
  }
  return () => {
    next ??= begin()
    return next
  }
}

/** Caches values that are valid for one state of the database. Keeps the newest value of each key. */
export class StateCache<T> {
  readonly #maxEntries: number
  #entries = new Map<string, { state: string; value: T }>()
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
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
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
  }

  clear(): void {
    this.#entries.clear()
  }
}
