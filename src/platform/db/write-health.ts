import type pg from 'pg'

/** The disk is full, memory is exhausted, the disk fails, or the database only allows reads. */
const CANNOT_WRITE = new Set(['53100', '53200', '58030', '25006'])
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * One message is one transaction. A temporary table needs new space on the disk and leaves nothing behind; a read-only database
 * allows it, too.
 */
const PROBE = `
  do $$ begin
    if current_setting('transaction_read_only')::boolean then raise exception using errcode = 'read_only_sql_transaction'; end if;
  end $$;
  create temporary table write_probe on commit drop as
    select string_agg(md5(random()::text), '') as content from generate_series(1, 2000)`

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/**
 * Whether the database accepts writes. Nothing is written while all is well: only after a write has failed for a reason that
 * concerns all writes, each question tries one, until it succeeds.
 */
export class WriteHealth {
  #hasFailed = false

  note(error: unknown): void {
    if (CANNOT_WRITE.has(codeOf(error))) this.#hasFailed = true
  }

  async isWritable(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
    if (!this.#hasFailed) return true
    try {
      await pool.query(PROBE)
    } catch (error) {
      if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return false
    }
    this.#hasFailed = false
    return true
  }
}
