import { sql } from 'kysely'

/**
 * Bodies of records, kept by a key that holds their version: the key comes from the database with every request,
 * so what is found under it is exact. Bounded by their size; the oldest goes first, and comes back when it is used.
 */
export class Fragments {
  readonly #most: number
  #size = 0
  #bodies = new Map<string, Buffer>()
  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get(key: string): Buffer | undefined {
    return this.#bodies.get(key)
  }

  set(key: string, body: Buffer): void {
    this.#size += body.length - (this.#bodies.get(key)?.length ?? 0)
    this.#bodies.delete(key)
    this.#bodies.set(key, body)
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#size <= this.#most) break
      this.#bodies.delete(oldest)
      this.#size -= length
    }
  }

  clear(): void {
    this.#bodies.clear()
    this.#size = 0
  }
}

/** One of something for each database: tests and several instances in one process share nothing. */
export function perDatabase<T>(make: () => T): (db: object) => T {
  const made = new WeakMap<object, T>()
  return (db) => {
    let one = made.get(db)
    if (one === undefined) {
      one = make()
      made.set(db, one)
    }
    return one
  }
}

/**
 * Which transactions a query saw. Two queries with the same text saw the same rows, whatever lies between them; the
 * start of the server is part of it, since a restored database counts its transactions anew.
 */
export const databaseState = sql<string>`pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`

/** Results that stay true until anybody writes anything; the newest of each key is kept. */
export class Remembered<T> {
  readonly #most: number
  #entries = new Map<string, { state: string; value: T }>()
  constructor(mostEntries: number) {
    this.#most = mostEntries
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
