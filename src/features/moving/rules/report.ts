import type { ImportFacts, Note } from './import-context.ts'
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
export type ImportReport = {
  tables: TableReport[]
  notes: Note[]
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
      const ignored = table in IGNORED_TABLES ? found : 0
      counter.#tables.set(table, { table, found, imported: 0, skipped: 0, kept: 0, ignored })
      counter.#total += found
    }
    return counter
  }

  count(table: string, outcome: 'imported' | 'skipped' | 'kept'): void {
    const report = this.#tables.get(table)
    if (report) report[outcome]++
    if (++this.#done % PROGRESS_EVERY_ROWS === 0) this.#progress(Math.min(this.#done, this.#total), this.#total)
  }

  makeReport(rest: Omit<ImportReport, 'tables'>): ImportReport {
    return { tables: [...this.#tables.values()].filter(({ found }) => found > 0), ...rest }
  }
}

/** Tables whose counts do not add up. Must be empty. */
export const findUnbalancedTables = ({ tables }: ImportReport): TableReport[] =>
  tables.filter(({ found, imported, skipped, kept, ignored }) => found !== imported + skipped + kept + ignored)
