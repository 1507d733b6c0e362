import type { Note } from './book.ts'
import { NOT_CARRIED } from './source-columns.ts'

/** What became of the rows of one table: `found` is the sum of the others. */
export type TableReport = { table: string; found: number; taken: number; left: number; kept: number; dropped: number }
export type MovingReport = {
  tables: TableReport[]
  notes: Note[]
  /** Columns that are not known here; rows that have them are also kept whole. */
  strange: string[]
}

type Counted = { tables: ReadonlyMap<string, unknown>; count: (table: string) => Promise<number> }

/** Counts rows against what was there at the beginning. */
export class Tally {
  readonly #rows = new Map<string, TableReport>()
  readonly #progress: (rows: number, of: number) => void
  #done = 0
  #total = 0

  private constructor(progress: (rows: number, of: number) => void) {
    this.#progress = progress
  }

  static async of(source: Counted, progress: (rows: number, of: number) => void = () => {}): Promise<Tally> {
    const tally = new Tally(progress)
    for (const table of [...source.tables.keys()].sort()) {
      const found = await source.count(table)
      const dropped = table in NOT_CARRIED ? found : 0
      tally.#rows.set(table, { table, found, taken: 0, left: 0, kept: 0, dropped })
      tally.#total += found
    }
    return tally
  }

  count(table: string, what: 'taken' | 'left' | 'kept'): void {
    const row = this.#rows.get(table)
    if (row) row[what]++
    if (++this.#done % 1_000 === 0) this.#progress(Math.min(this.#done, this.#total), this.#total)
  }

  report(notes: Note[], strange: string[]): MovingReport {
    const tables = [...this.#rows.values()].filter(({ found }) => found > 0)
    return { tables, notes, strange }
  }
}

/** Tables whose rows came in and did not all come out; there must be none. */
export const disagreements = ({ tables }: MovingReport): TableReport[] =>
  tables.filter(({ found, taken, left, kept, dropped }) => found !== taken + left + kept + dropped)
