import type { ImportFacts, Note, Omission } from './import-context.ts'
import { IGNORED_TABLES } from './source-columns.ts'

/** What happened to the rows of one source table. `found` is the sum of the other counts. */
type TableReport = {
  table: string
  found: number
  imported: number
  /** Stored in `moved_in_row` because they cannot be imported; a note says why. */
  skipped: number
  /** Stored in `moved_in_row` because there is no table for them yet. */
  kept: number
  /** Not needed here. */
  ignored: number
}
/** The rows that are not needed for one reason. */
type OmittedRows = { what: string; why: string; rows: number; details: string[] }
export type ImportReport = {
  tables: TableReport[]
  notes: Note[]
  omissions: OmittedRows[]
  /** As `table.column`. Rows of these tables are also stored in `moved_in_row`. */
  unknownColumns: string[]
  facts: ImportFacts
  /** Names of the identity providers by which people signed in. */
  identityProviders: string[]
}

type Source = { tables: ReadonlyMap<string, unknown>; count: (table: string) => Promise<number> }
type Progress = (rows: number, of: number) => void

const PROGRESS_EVERY_ROWS = 1_000

/** Counts what happens to the rows of each source table, and reports progress. */
export class RowCounter {
  readonly #tables = new Map<string, TableReport>()
  readonly #omissions = new Map<string, { what: string; why: string; rows: number; details: Set<string> }>()
  readonly #progress: Progress
  #done = 0
  #total = 0

  private constructor(progress: Progress) {
    this.#progress = progress
  }

  static async create(source: Source, progress: Progress = () => {}): Promise<RowCounter> {
    const counter = new RowCounter(progress)
    for (const table of [...source.tables.keys()].sort()) {
      const found = await source.count(table)
      counter.#tables.set(table, { table, found, imported: 0, skipped: 0, kept: 0, ignored: 0 })
      counter.#total += found
      const omission = IGNORED_TABLES[table]
      if (omission) counter.omit(table, omission, found)
    }
    return counter
  }

  count(table: string, outcome: 'imported' | 'skipped' | 'kept' | 'ignored', rows = 1): void {
    const report = this.#tables.get(table)
    if (report) report[outcome] += rows
    const before = this.#done
    this.#done += rows
    if (Math.floor(this.#done / PROGRESS_EVERY_ROWS) > Math.floor(before / PROGRESS_EVERY_ROWS))
      this.#progress(Math.min(this.#done, this.#total), this.#total)
  }

  omit(table: string, { what, why, detail }: Omission, rows = 1): void {
    if (!rows) return
    this.count(table, 'ignored', rows)
    const key = `${what}\n${why}`
    const known = this.#omissions.get(key) ?? { what, why, rows: 0, details: new Set<string>() }
    known.rows += rows
    if (detail) known.details.add(detail)
    this.#omissions.set(key, known)
  }

  makeReport(rest: Omit<ImportReport, 'tables' | 'omissions'>): ImportReport {
    return {
      tables: [...this.#tables.values()].filter(({ found }) => found > 0),
      omissions: [...this.#omissions.values()].map((each) => ({ ...each, details: [...each.details].sort() })),
      ...rest,
    }
  }
}

/** Tables whose counts do not add up. Must be empty. */
export const findUnbalancedTables = ({ tables }: ImportReport): TableReport[] =>
  tables.filter(({ found, imported, skipped, kept, ignored }) => found !== imported + skipped + kept + ignored)
