import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { Target, Value } from '../rules/import-context.ts'

const BATCH_ROWS = 5_000

/** Inserts rows in batches. `order`: tables before those that refer to them. */
export class RowLoader {
  readonly counts = new Map<string, number>()
  readonly #tx: Tx
  readonly #order: readonly string[]
  #pending = new Map<string, Target['values'][]>()
  /** One batch is inserted while the next is read. */
  #writing: Promise<void> = Promise.resolve()

  constructor(tx: Tx, order: readonly string[]) {
    this.#tx = tx
    this.#order = order
  }

  async add(targets: readonly Target[]): Promise<void> {
    let isFull = false
    for (const { table, values } of targets) {
      const rows = this.#pending.get(table) ?? []
      rows.push(values)
      this.#pending.set(table, rows)
      isFull ||= rows.length >= BATCH_ROWS
    }
    if (isFull) await this.#startBatch()
  }

  /** Resolves when all rows are inserted. */
  async flush(): Promise<void> {
    await this.#startBatch()
    await this.#writing
  }

  async #startBatch(): Promise<void> {
    await this.#writing
    const batch = this.#pending
    this.#pending = new Map()
    this.#writing = this.#write(batch)
    // The error is reported by the next `await this.#writing`.
    this.#writing.catch(() => {})
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
  const targetColumns = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(columns.map((column) => sql.ref(`new.${column}`)))
  const source = sql`json_populate_recordset(null::${sql.table(table)}, ${`[${rows.map(toJson).join(',')}]`}::json) new`
  if (table === 'participation') {
    // Triggers are disabled, so the columns that they copy from the shift are set here.
    await sql`insert into participation (${targetColumns}, event_id, start_time, end_time, listed_audience_id)
      select ${values}, shift.event_id, coalesce(new.individual_start_time, shift.start_time),
        coalesce(new.individual_end_time, shift.end_time), shift.listed_audience_id
      from ${source} join shift on shift.id = new.shift_id`.execute(tx)
  } else await sql`insert into ${sql.table(table)} (${targetColumns}) select ${values} from ${source}`.execute(tx)
}

function toJson(values: Target['values']): string {
  const parts: string[] = []
  for (const name in values) parts.push(`${JSON.stringify(name)}:${valueToJson(values[name]!)}`)
  return `{${parts.join(',')}}`
}

function valueToJson(value: Value): string {
  return typeof value === 'object' && value !== null && 'json' in value ? value.json : JSON.stringify(value)
}
