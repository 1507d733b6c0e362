/**
 * Caches bodies of records by a key that contains their version. Each request reads the keys from the database, so a cached body
 * is always current. Bounded by size; the oldest entry is dropped first.
 */
export class BodyCache {
  readonly #maxBytes: number
  #size = 0
  #bodies = new Map<string, Buffer>()
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Buffer | undefined {
    return this.#bodies.get(key)
  }

  set(key: string, body: Buffer): void {
    this.#size += body.length - (this.#bodies.get(key)?.length ?? 0)
    this.#bodies.delete(key)
    this.#bodies.set(key, body)
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#size <= this.#maxBytes) break
      this.#bodies.delete(oldest)
      this.#size -= length
    }
  }

  clear(): void {
    this.#bodies.clear()
    this.#size = 0
  }
}

const owners = new WeakMap<object, object>()

/** Connections to a replica use what is cached for the primary: all that is cached is found by a version that the database gave. */
export function shareCaches(replica: object, primary: object): void {
  owners.set(replica, primary)
}

/** The connections to the primary, for those to a replica. */
export const ownerOf = (db: object): object => owners.get(db) ?? db

/** One value per database, so that several instances in one process, as in tests, share nothing. */
export function perDatabase<T, Db extends object = object>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<object, T>()
  return (db) => {
    const owner = ownerOf(db)
    let one = made.get(owner)
    if (one === undefined) {
      one = make(db)
      made.set(owner, one)
    }
    return one
  }
}
