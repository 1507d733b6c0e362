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
