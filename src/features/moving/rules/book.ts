/** A value of a row that goes into our tables; `json` is text that is JSON already and stays as it is. */
export type Value = string | number | boolean | null | readonly (string | number)[] | { json: string }
export type Target = { table: string; values: Record<string, Value> }
export type SourceRow = Record<string, string | number | boolean | null>

/** What is not as it should be, by table and row, with what was done about it. */
export type Note = { table: string; id: string; what: 'repaired' | 'left out'; why: string }

/** How secrets are kept here: found by a hash, or read again with the key of the instance. */
export type Secrets = {
  hash: (secret: string) => string
  hashClientSecret: (secret: string) => string
  seal: (secret: string) => string
}

/** What is known so far while one row after the other is taken over. */
export class Book {
  readonly notes: Note[] = []
  readonly secrets: Secrets
  readonly now: string
  readonly language: string
  readonly #ids = new Map<string, Set<number>>()
  readonly #seen = new Set<string>()
  readonly #numbers = new Map<string, number>()
  /** Start and end of shifts, in milliseconds. */
  readonly spans = new Map<number, readonly [start: number, end: number]>()

  constructor({ secrets, now, language }: { secrets: Secrets; now: string; language: string }) {
    this.secrets = secrets
    this.now = now
    this.language = language
  }

  add(table: string, id: number): void {
    const ids = this.#ids.get(table) ?? new Set()
    this.#ids.set(table, ids.add(id))
  }

  has(table: string, id: unknown): id is number {
    return typeof id === 'number' && (this.#ids.get(table)?.has(id) ?? false)
  }

  all(table: string): ReadonlySet<number> {
    return this.#ids.get(table) ?? new Set()
  }

  /** False the second time. */
  isFirst(...key: (string | number)[]): boolean {
    const text = key.join('\n')
    if (this.#seen.has(text)) return false
    this.#seen.add(text)
    return true
  }

  /** The same number for the same key, counted from one. */
  numberOf(...key: (string | number)[]): { number: number; isNew: boolean } {
    const name = key.join('\n')
    const known = this.#numbers.get(name)
    if (known !== undefined) return { number: known, isNew: false }
    this.#numbers.set(name, this.#numbers.size + 1)
    return { number: this.#numbers.size, isNew: true }
  }

  /** Like `isFirst`, and says so. */
  isNew(table: string, row: SourceRow, ...key: (string | number)[]): boolean {
    const isNew = this.isFirst(table, ...key)
    if (!isNew) this.leftOut(table, row.id, 'comes twice')
    return isNew
  }

  repaired(table: string, id: unknown, why: string): void {
    this.notes.push({ table, id: String(id), what: 'repaired', why })
  }

  leftOut(table: string, id: unknown, why: string): void {
    this.notes.push({ table, id: String(id), what: 'left out', why })
  }
}

/** How the rows of one table come over. */
export type Step = {
  source: string
  /** Empty: the row is left out, and a note says why. */
  take: (row: SourceRow, book: Book) => Target[]
}

export const text = (value: SourceRow[string] | undefined): string => (value === null || value === undefined ? '' : String(value))

/** In code points, as the database counts. */
export function cut(value: string, most: number): string {
  return value.length <= most ? value : [...value].slice(0, most).join('')
}

/** Null bytes cannot be kept; everything else can. */
export const clean = (value: SourceRow[string] | undefined): string => text(value).replaceAll('\0', '')

const ESCAPE = /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|.)/gi

/** JSON as the database takes it: without null bytes, and without halves of characters; numbers keep all their digits. */
export function storable(json: string): string {
  return json.replace(ESCAPE, (written: string, _first?: string, _second?: string, alone?: string) => {
    if (alone === '0000') return ''
    return alone && /^d[89a-f]/i.test(alone) ? '\\ufffd' : written
  })
}

/** Text that is a JSON object, as it is; undefined: it is none. */
export function objectText(value: SourceRow[string] | undefined): { json: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(text(value))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? { json: storable(text(value)) } : undefined
  } catch {
    return undefined
  }
}

export const instant = (value: SourceRow[string] | undefined): number | undefined => {
  const at = Date.parse(
    text(value)
      .replace(' ', 'T')
      .replace(/([+-]\d\d)$/, '$1:00'),
  )
  return Number.isNaN(at) ? undefined : at
}

/** As it stands, if it is a time that can be kept. */
export function timeOr<T>(value: SourceRow[string] | undefined, otherwise: T): string | T {
  return instant(value) === undefined ? otherwise : text(value)
}

/** A day of the calendar; undefined: it is none. */
export function dayIn(value: SourceRow[string] | undefined): string | undefined {
  const day = text(value)
  const at = Date.parse(`${day}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The number under which others know it; one that is missing or taken becomes another, the same each time. */
export function uuidOf(book: Book, table: string, row: SourceRow): string {
  const uuid = text(row.uuid).toLowerCase()
  if (UUID.test(uuid) && book.isFirst('uuid', table, uuid)) return uuid
  const digits = book.secrets.hash(`${table} ${row.id}`).replace(/^\W*x/, '')
  const made = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  book.repaired(table, row.id, `had no uuid of its own; it became ${made}`)
  return made
}

export const numbersIn = (value: SourceRow[string] | undefined): number[] => [
  ...new Set((text(value).match(/\d+/g) ?? []).map(Number)),
]
