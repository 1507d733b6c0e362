/**
 * Caches bodies by a key that contains what they depend on, such as their version. Each request reads the keys from the database, so a
 * cached body is always current. Bounded by size; the oldest entry is dropped first.
 */
export class BodyCache<T extends { bytes: { length: number } } = { bytes: Buffer }> {
  readonly #maxBytes: number
  #size = 0
  #entries = new Map<string, T>()
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  set(key: string, entry: T): void {
    this.#size += entry.bytes.length - (this.#entries.get(key)?.bytes.length ?? 0)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#size <= this.#maxBytes) break
      this.#entries.delete(oldest)
      this.#size -= bytes.length
    }
  }

  clear(): void {
    this.#entries.clear()
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
