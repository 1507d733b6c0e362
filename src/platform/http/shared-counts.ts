import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import { markUnseen } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'

type SharedKey = Buffer
/** What one node has counted since it last reported. */
export type Report = { key: SharedKey; count: number; windowMs: number }
/** What all nodes have counted in the window that runs. */
export type Total = { count: number; windowMs: number }
type Place = { kind: 'taken'; total: Total; window: string } | { kind: 'waits' | 'refused'; total: Total }

type SharedCountsOptions = {
  db: Kysely<DB>
  /** Default: the clock of the database, which is the same for all nodes. */
  now?: (() => Date) | undefined
  onError: (error: Error) => void
}

/** Hashed, so that the table contains neither addresses nor credentials. */
export const sharedKey = (limit: string, key: string): SharedKey => hash('sha256', `${limit}\n${key}`, 'buffer')

/** Counts of rate limits in the database, where all nodes find them. A window begins with the first count on any node. */
export class SharedCounts {
  readonly #db: Kysely<DB>
  readonly #now: (() => Date) | undefined
  readonly onError: (error: Error) => void
  constructor({ db, now, onError }: SharedCountsOptions) {
    this.#db = db
    this.#now = now
    this.onError = onError
  }

  /** Adds to the counts, in one statement, and tells the totals in the order of the reports. */
  async add(reports: readonly Report[]): Promise<Total[]> {
    const keys = reports.map(({ key }) => key)
    const { rows } = await sql<Total & { key: Buffer }>`
      with ${markUnseen}, clock as materialized (select ${this.#clock()} as now)
      insert into rate_count as r (key, count, ends_at)
      select t.key, t.count, c.now + t.window_ms * interval '1 millisecond'
      from unnest(${keys}::bytea[], ${reports.map(({ count }) => count)}::int[], ${reports.map(({ windowMs }) => windowMs)}::float8[])
        as t (key, count, window_ms), clock c
      -- In one order on all nodes, so that they do not lock each other out.
      order by t.key
      on conflict (key) do update set
        count = case when r.ends_at > (select now from clock) then r.count else 0 end + excluded.count,
        pending = case when r.ends_at > (select now from clock) then r.pending else 0 end,
        ends_at = case when r.ends_at > (select now from clock) then r.ends_at else excluded.ends_at end
      returning r.key, r.count, ${this.#msUntilEnd()} as "windowMs"`.execute(this.#db)
    const byKey = new Map(rows.map((row) => [row.key.toString('hex'), row]))
    return keys.map((key) => byKey.get(key.toString('hex'))!)
  }

  /** Takes a place for an attempt that may fail, unless failures and running attempts have reached the limit. */
  async reserve(key: SharedKey, limit: number, windowMs: number): Promise<Place> {
    const taken = await rowsOf(this.#db).first(sql<Total & { window: string }>`
      with clock as materialized (select ${this.#clock()} as now)
      insert into rate_count as r (key, count, pending, ends_at)
      select ${key}::bytea, 0, 1, c.now + ${windowMs}::float8 * interval '1 millisecond' from clock c
      on conflict (key) do update set
        count = case when r.ends_at > (select now from clock) then r.count else 0 end,
        pending = case when r.ends_at > (select now from clock) then r.pending else 0 end + 1,
        ends_at = case when r.ends_at > (select now from clock) then r.ends_at else excluded.ends_at end
      where r.ends_at <= (select now from clock) or r.count + r.pending < ${limit}::float8
      returning r.count, ${this.#msUntilEnd()} as "windowMs", r.ends_at::text as window`)
    if (taken) return { kind: 'taken', total: taken, window: taken.window }
    const total = await this.#read(key)
    return { kind: total.count >= limit ? 'refused' : 'waits', total }
  }

  /** `window`: as the reservation has told it. An attempt that ends in a later window changes nothing. */
  async settle(key: SharedKey, window: string, { failed }: { failed: boolean }): Promise<void> {
    await sql`
      update rate_count set pending = greatest(0, pending - 1), count = count + ${failed ? 1 : 0}
      where key = ${key} and ends_at = ${window}::timestamptz`.execute(this.#db)
  }

  async #read(key: SharedKey): Promise<Total> {
    const { rows } = await sql<Total>`
      select r.count, ${this.#msUntilEnd()} as "windowMs" from rate_count r
      where key = ${key} and ends_at > ${this.#clock()}`.execute(this.#db)
    return rows[0] ?? { count: 0, windowMs: 0 }
  }

  #clock() {
    return sql<Date>`coalesce(${this.#now?.() ?? null}::timestamptz, clock_timestamp())`
  }

  #msUntilEnd() {
    return sql<number>`greatest(0, extract(epoch from r.ends_at - ${this.#clock()}) * 1000)::float8`
  }
}

/** A job: deletes counts of windows that have ended. */
export async function deleteEndedCounts(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('rate_count')
    .where('ends_at', '<', new Date(now.getTime() - 60_000))
    .execute()
}
