import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { Target, Value } from '../rules/book.ts'

const ROWS_AT_ONCE = 5_000

/** Rows on their way into our tables; `order`: those that others refer to come first. */
export class Loading {
  readonly counts = new Map<string, number>()
  readonly #tx: Tx
  readonly #order: readonly string[]
  #waiting = new Map<string, Target['values'][]>()
  /** The database writes one batch while the next is read. */
  #writing: Promise<void> = Promise.resolve()

  constructor(tx: Tx, order: readonly string[]) {
    this.#tx = tx
    this.#order = order
  }

  async add(targets: readonly Target[]): Promise<void> {
    let isFull = false
    for (const { table, values } of targets) {
      const rows = this.#waiting.get(table) ?? []
      rows.push(values)
      this.#waiting.set(table, rows)
      isFull ||= rows.length >= ROWS_AT_ONCE
    }
    if (isFull) await this.#begin()
  }

  /** Until everything is in. */
  async flush(): Promise<void> {
    await this.#begin()
    await this.#writing
  }

  async #begin(): Promise<void> {
    await this.#writing
    const batch = this.#waiting
    this.#waiting = new Map()
    this.#writing = this.#write(batch)
    this.#writing.catch(() => {}) // whoever waits for it hears it
  }

  async #write(batch: ReadonlyMap<string, Target['values'][]>): Promise<void> {
    for (const table of this.#order) {
      const rows = batch.get(table)
      if (!rows) continue
      await insert(this.#tx, table, rows)
      this.counts.set(table, (this.counts.get(table) ?? 0) + rows.length)
    }
  }
}

async function insert(tx: Tx, table: string, rows: readonly Target['values'][]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const chosen = sql.join(columns.map((column) => sql.ref(column)))
  const taken = sql.join(columns.map((column) => sql.ref(`new.${column}`)))
  const source = sql`json_populate_recordset(null::${sql.table(table)}, ${`[${rows.map(jsonOf).join(',')}]`}::json) new`
  if (table === 'participation') {
    // What a trigger would look up for each row.
    await sql`insert into participation (${chosen}, event_id, start_time, end_time, listed_audience_id)
      select ${taken}, shift.event_id, coalesce(new.individual_start_time, shift.start_time),
        coalesce(new.individual_end_time, shift.end_time), shift.listed_audience_id
      from ${source} join shift on shift.id = new.shift_id`.execute(tx)
  } else await sql`insert into ${sql.table(table)} (${chosen}) select ${taken} from ${source}`.execute(tx)
}

function jsonOf(values: Target['values']): string {
  const parts: string[] = []
  for (const name in values) parts.push(`${JSON.stringify(name)}:${textOf(values[name]!)}`)
  return `{${parts.join(',')}}`
}

function textOf(value: Value): string {
  return typeof value === 'object' && value !== null && 'json' in value ? value.json : JSON.stringify(value)
}
