import type { ImportFacts, Note, Omission } from './import-context.ts'
import { findIgnored } from './source-columns.ts'

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
/** The rows or values that are not needed for one reason. */
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
  readonly #omissions = new Map<string, { what: string; why: string; rows: number; details: Map<string, Set<string>> }>()
  readonly #progress: Progress
  #done = 0
  #total = 0
  #reported = 0

  private constructor(progress: Progress) {
    this.#progress = progress
  }

  static async create(source: Source, progress: Progress = () => {}): Promise<RowCounter> {
    const counter = new RowCounter(progress)
    for (const table of [...source.tables.keys()].sort()) {
      const found = await source.count(table)
      counter.#tables.set(table, { table, found, imported: 0, skipped: 0, kept: 0, ignored: 0 })
      counter.#total += found
      // Shifts count twice: as rows, and when their statistics are computed at the end.
      if (table === 'shift') counter.#total += found
      const omission = findIgnored(table)
      if (omission) counter.omit(table, omission, found)
    }
    return counter
  }

  count(table: string, outcome: 'imported' | 'skipped' | 'kept' | 'ignored', rows = 1): void {
    const report = this.#tables.get(table)
    if (report) report[outcome] += rows
    this.advance(rows)
  }

  /** Work that is done besides counting rows. */
  advance(rows: number): void {
    const before = this.#done
    this.#done += rows
    if (Math.floor(this.#done / PROGRESS_EVERY_ROWS) > Math.floor(before / PROGRESS_EVERY_ROWS))
      this.#report(Math.min(this.#done, this.#total))
  }

  /** Rows that were left out need no more work. */
  finish(): void {
    if (this.#reported < this.#total) this.#report(this.#total)
  }

  #report(done: number): void {
    this.#reported = done
    this.#progress(done, this.#total)
  }

  omit(table: string, omission: Omission, rows = 1): void {
    if (!rows) return
    this.count(table, 'ignored', rows)
    this.#add(omission, rows)
  }

  #add({ what, why, detail, holder }: Omission, rows: number): void {
    const key = `${what}\n${why}`
    const known = this.#omissions.get(key) ?? { what, why, rows: 0, details: new Map<string, Set<string>>() }
    known.rows += rows
    if (detail) {
      const holders = known.details.get(detail) ?? new Set()
      known.details.set(detail, holder ? holders.add(holder) : holders)
    }
    this.#omissions.set(key, known)
  }

  /** `omittedValues`: of rows that are imported. */
  makeReport(rest: Omit<ImportReport, 'tables' | 'omissions'>, omittedValues: readonly Omission[] = []): ImportReport {
    for (const omission of omittedValues) this.#add(omission, 1)
    return {
      tables: [...this.#tables.values()].filter(({ found }) => found > 0),
      omissions: [...this.#omissions.values()].map((each) => ({ ...each, details: describeDetails(each.details) })),
      ...rest,
    }
  }
}

/** `core.add_shift (group “Planning”, user “Maria”)` */
function describeDetails(details: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...details]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([detail, holders]) => (holders.size ? `${detail} (${[...holders].sort().join(', ')})` : detail))
}

/** Tables whose counts do not add up. Must be empty. */
export const findUnbalancedTables = ({ tables }: ImportReport): TableReport[] =>
  tables.filter(({ found, imported, skipped, kept, ignored }) => found !== imported + skipped + kept + ignored)
