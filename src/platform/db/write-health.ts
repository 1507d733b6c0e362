import type pg from 'pg'

/** The disk is full, memory is exhausted, the disk fails, or the database only allows reads. */
const CANNOT_WRITE = new Set(['53100', '53200', '58030', '25006'])

/**
 * Writes a temporary file of some blocks, because the rows do not fit into the memory that they may use. It needs new space on the disk
 * like every write, and leaves nothing behind: no rows of the catalogue, no WAL. A read-only database allows it, too.
 */
const PROBE = `
  do $$ begin
    if current_setting('transaction_read_only')::boolean then raise exception using errcode = 'read_only_sql_transaction'; end if;
    perform set_config('work_mem', '64kB', true);
    perform count(*) from generate_series(1, 10000);
  end $$`
/** How long the answer holds while all is well. */
const CHECK_EVERY_MS = 2_000

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

type WritePool = Pick<pg.Pool, 'query' | 'waitingCount'>

/**
 * Whether the database accepts writes. A question tries it if the last one that did is two seconds old; after a write has failed for a
 * reason that concerns all writes, every question tries it, until it succeeds.
 */
export class WriteHealth {
  readonly #now: () => number
  #hasFailed = false
  #triedAt = Number.NEGATIVE_INFINITY
  #trying: Promise<boolean> | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  note(error: unknown): void {
    if (CANNOT_WRITE.has(codeOf(error))) this.#hasFailed = true
  }

  async isWritable(pool: WritePool): Promise<boolean> {
    if (this.#trying) return this.#trying
    // While requests wait for connections, their writes show it, and the question must not wait behind them.
    const isRecent = this.#now() - this.#triedAt < CHECK_EVERY_MS || pool.waitingCount > 0
    if (!this.#hasFailed && isRecent) return true
    this.#trying = this.#try(pool).finally(() => {
      this.#trying = undefined
    })
    return this.#trying
  }

  async #try(pool: WritePool): Promise<boolean> {
    this.#triedAt = this.#now()
    try {
      await pool.query(PROBE)
      this.#hasFailed = false
    } catch (error) {
      this.note(error)
    }
    return !this.#hasFailed
  }
}
