/**
 * Bodies of records, kept by a key that holds their version: the key comes from the database with every request,
 * so what is found under it is exact. Bounded by the size of the text; the longest unused goes first.
 */
export class Fragments {
  readonly #most: number
  #size = 0
  #texts = new Map<string, string>()
  constructor(mostCharacters: number) {
    this.#most = mostCharacters
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key)
    if (text !== undefined) {
      this.#texts.delete(key)
      this.#texts.set(key, text)
    }
    return text
  }

  set(key: string, text: string): void {
    this.#size += text.length - (this.#texts.get(key)?.length ?? 0)
    this.#texts.delete(key)
    this.#texts.set(key, text)
    for (const [oldest, { length }] of this.#texts) {
      if (this.#size <= this.#most) break
      this.#texts.delete(oldest)
      this.#size -= length
    }
  }

  clear(): void {
    this.#texts.clear()
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
