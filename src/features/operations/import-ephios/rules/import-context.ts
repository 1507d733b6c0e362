import type { ModuleName } from '#platform/features/modules.ts'
import { type SourceRow, text } from './values.ts'

/** A value for a column of ours; `json` is JSON text, which is inserted without parsing it. */
export type Value = string | number | boolean | null | readonly (string | number)[] | { json: string }
export type Target = { table: string; values: Record<string, Value> }

/** A row of the source that could not be imported as it is. */
export type Note = { table: string; id: string; outcome: 'repaired' | 'skipped'; reason: string }

type Holder = { id: number; name: string }
/** Two users with one email address: the first signs in with it, the second by a user name; mails for both go there. */
type SharedAddress = { email: string; first: Holder; second: Holder & { username: string } }

/** What the report says about people and links that need attention. */
export type ImportFacts = {
  sharedAddresses: SharedAddress[]
  activeUsers: number
  /** Active users who cannot sign in with a password. */
  usersWithoutPassword: number
  /** Names of OAuth applications that are disabled. */
  disabledApplications: string[]
  /** The form for signing in with a password is hidden, because people use an identity provider. */
  hidesLocalSignIn: boolean
}

/** How the instance stores secrets: as a hash, or sealed with its key. */
export type Secrets = {
  hash: (secret: string) => string
  hashClientSecret: (secret: string) => string
  seal: (secret: string) => string
  /** Whether people can sign in with a password that is stored like this. */
  isKnownHash: (hash: string) => boolean
}

/**
 * Rows or values that are not needed here, and why. The report says it once for all with the same reason, with the details, and for
 * each detail the groups and people who lose it.
 */
export type Omission = { what: string; why: string; detail?: string; holder?: string }

/** Maps the rows of one source table to rows of ours. */
export type TableMapper = {
  source: string
  /** Undefined: the row is needed, so it is mapped. */
  omit?: (row: SourceRow, context: ImportContext) => Omission | undefined
  /** Empty if the row is skipped (with a note) or has no table of its own. */
  map: (row: SourceRow, context: ImportContext) => Target[]
}

/** What mappers need to know about the rows before. */
export class ImportContext {
  readonly notes: Note[] = []
  readonly facts: ImportFacts = {
    sharedAddresses: [],
    activeUsers: 0,
    usersWithoutPassword: 0,
    disabledApplications: [],
    hidesLocalSignIn: false,
  }
  /** Modules that were switched on. */
  readonly enabledModules: ModuleName[] = []
  /** Users by email address in lower case. */
  readonly holders = new Map<string, Holder>()
  readonly secrets: Secrets
  readonly now: string
  readonly language: string
  /** Start and end of imported shifts, in milliseconds. */
  readonly shiftTimes = new Map<number, readonly [start: number, end: number]>()
  /** Users by the id of their participation. */
  readonly userOfParticipation = new Map<number, number>()
  /** Values of imported rows that are not needed. */
  readonly omittedValues: Omission[] = []
  readonly #names = new Map<string, string>()
  readonly #imported = new Map<string, Set<number>>()
  readonly #seen = new Set<string>()
  readonly #generatedIds = new Map<string, number>()

  constructor({ secrets, now, language }: { secrets: Secrets; now: string; language: string }) {
    this.secrets = secrets
    this.now = now
    this.language = language
  }

  /** Marks a row as imported, so that later rows may refer to it. */
  add(table: string, id: number): void {
    const ids = this.#imported.get(table) ?? new Set()
    this.#imported.set(table, ids.add(id))
  }

  /** For the report. */
  setName(table: string, id: number, name: string): void {
    this.#names.set(`${table} ${id}`, name)
  }

  nameOf(table: string, id: unknown): string {
    const name = this.#names.get(`${table} ${id}`)
    return name === undefined ? `No. ${text(id as SourceRow[string])}` : `“${name}”`
  }

  omitValue(omission: Omission): void {
    this.omittedValues.push(omission)
  }

  has(table: string, id: unknown): id is number {
    return typeof id === 'number' && (this.#imported.get(table)?.has(id) ?? false)
  }

  /** True if everything that a row refers to was imported; otherwise notes that the row is skipped. */
  hasReferences(table: string, row: SourceRow, references: [table: string, id: SourceRow[string] | undefined][]): boolean {
    const missing = references.find(([other, id]) => !this.has(other, id))
    if (missing) this.noteSkipped(table, row.id, `refers to ${missing[0]} ${text(missing[1]) || '(empty)'}, which does not exist`)
    return !missing
  }

  /** True for the first use of a key. */
  isFirst(...key: (string | number)[]): boolean {
    const joined = key.join('\n')
    if (this.#seen.has(joined)) return false
    this.#seen.add(joined)
    return true
  }

  /** Like `isFirst`, and notes that a duplicate is skipped. */
  isUnique(table: string, row: SourceRow, ...key: (string | number)[]): boolean {
    const isUnique = this.isFirst(table, ...key)
    if (!isUnique) this.noteSkipped(table, row.id, 'is a duplicate')
    return isUnique
  }

  /** Generates ids from 1; the same key has the same id. */
  generateId(...key: (string | number)[]): { id: number; isNew: boolean } {
    const joined = key.join('\n')
    const known = this.#generatedIds.get(joined)
    if (known !== undefined) return { id: known, isNew: false }
    this.#generatedIds.set(joined, this.#generatedIds.size + 1)
    return { id: this.#generatedIds.size, isNew: true }
  }

  noteRepaired(table: string, id: unknown, reason: string): void {
    this.notes.push({ table, id: String(id), outcome: 'repaired', reason })
  }

  noteSkipped(table: string, id: unknown, reason: string): void {
    this.notes.push({ table, id: String(id), outcome: 'skipped', reason })
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The uuid of the row. A missing or duplicate one is replaced, by the same one in each import. */
export function makeUuid(context: ImportContext, table: string, row: SourceRow): string {
  const uuid = text(row.uuid).toLowerCase()
  if (UUID.test(uuid) && context.isFirst('uuid', table, uuid)) return uuid
  const digits = context.secrets.hash(`${table} ${row.id}`).replace(/^\W*x/, '')
  const replacement = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  context.noteRepaired(table, row.id, `missing or duplicate uuid replaced by ${replacement}`)
  return replacement
}
