import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { perDatabase } from './body-cache.ts'
import type { Database } from './pool.ts'
import { prepare, readPrepared } from './prepared.ts'
import type { DB } from './tables.ts'
import { type Tx, transact } from './transaction.ts'

/** What caches depend on: who a caller is and may do; which events and shifts a caller sees, and their versions. */
type Kind = 'access' | 'events'
const KINDS: readonly Kind[] = ['access', 'events']

/**
 * A label for each kind. Two states with the same label saw the same rows of the tables of that kind; with the same label `anything`, the
 * same rows of all tables, apart from what transactions wrote that are marked as unseen.
 */
export type DatabaseState = Readonly<Record<Kind | 'anything', string>>

export type Snapshot = { snapshot: string; started: string }
type Known = Snapshot & { state: DatabaseState }

/** The start time of the server is read, because a restored database counts its transactions from the beginning. */
export const currentSnapshot = sql`pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started`
const readSnapshot = prepare(() => sql<Snapshot>`select ${currentSnapshot}`)

type Changes = Snapshot & { kinds: (Kind | 'unseen')[]; unseen: number }

/** Kinds with a mark (table `cache_mark`) that is visible now and was not in the given snapshot, and how many are `unseen`. */
const readChanges = prepare(
  (value) => sql<Changes>`select ${currentSnapshot}, new.kinds, new.unseen from (
    select coalesce(array_agg(distinct m.kind), '{}') as kinds, count(*) filter (where m.kind = 'unseen')::int as unseen from cache_mark m
    where m.xid >= pg_snapshot_xmin(${value(1)}::text::pg_snapshot) and not pg_visible_in_snapshot(m.xid, ${value(1)}::text::pg_snapshot)
  ) as new`,
)

/**
 * For the beginning (`with`) of a statement that is a transaction of its own and writes nothing that a kept page shows, such as counts of
 * requests. Without the mark, each of these writes would end all kept pages.
 */
export const markUnseen = sql`unseen as (insert into cache_mark (kind) values ('unseen') on conflict do nothing)`

/** How many transactions a snapshot sees, of all there have been. `xmin:xmax:those that were running, separated by commas`. */
function countVisible(snapshot: string): bigint {
  const [, end, running] = snapshot.split(':')
  return BigInt(end!) - BigInt(running ? running.split(',').length : 0)
}

/**
 * `read` reads the current state; `at` is the state of a statement that has returned its snapshot, if it is known. `isQuiet`: it is worth
 * reading the state before what depends on it; while others write, that is tried once a second.
 */
type StateReader = {
  read: () => Promise<DatabaseState>
  at: (snapshot: Snapshot) => DatabaseState | undefined
  isQuiet: () => boolean
}

const TRIED_EVERY_MS = 1000

/** One reader for all caches of a database, so that they have the same labels. */
export const stateReader = perDatabase<StateReader, Database>(makeStateReader)

/**
 * Returns a reader of the state. Calls of `read` within one iteration of the event loop share a query, which starts after
 * the last of them, so that the result is never older than a call.
 */
export function makeStateReader(db: Database): StateReader {
  let next: Promise<DatabaseState> | undefined
  let known: Known | undefined
  let labels = 0
  const makeLabels = (): DatabaseState => ({ access: `${++labels}`, events: `${++labels}`, anything: `${++labels}` })

  /** The last look found another snapshot. While others write, the next one does so as well, mostly. */
  let isChanging = false
  let readAt = 0

  const readState = async (): Promise<DatabaseState> => {
    // Another read may replace it meanwhile.
    const before = known
    readAt = performance.now()
    if (!before || !isChanging) {
      const [current] = await readPrepared(db, readSnapshot, [])
      if (before && isSame(before, current!)) return before.state
      if (!before) return remember(current!, makeLabels())
    }
    const [after] = await readPrepared(db, readChanges, [before.snapshot])
    isChanging = !isSame(before, after!)
    if (!isChanging) return before.state
    return remember(after!, after!.started === before.started ? changed(before, after!) : makeLabels())
  }
  const changed = ({ snapshot, state: before }: Known, after: Changes): DatabaseState => {
    const state = { ...before }
    for (const kind of KINDS) if (after.kinds.includes(kind)) state[kind] = `${++labels}`
    // A transaction that was rolled back or that another database committed counts as well: nothing tells them apart.
    const isUnseen = !KINDS.some((kind) => after.kinds.includes(kind)) && hasOnlyUnseen(snapshot, after)
    return isUnseen ? state : { ...state, anything: `${++labels}` }
  }
  const remember = ({ snapshot, started }: Snapshot, state: DatabaseState): DatabaseState => {
    known = { snapshot, started, state }
    return state
  }
  const begin = async (): Promise<DatabaseState> => {
    await setImmediate()
    next = undefined
    return readState()
  }
  return {
    read: () => {
      next ??= begin()
      return next
    },
    at: ({ snapshot, started }) => {
      known ??= { snapshot, started, state: makeLabels() }
      return isSame(known, { snapshot, started }) ? known.state : undefined
    },
    isQuiet: () => !isChanging || performance.now() - readAt >= TRIED_EVERY_MS,
  }
}

/** The label for caches that depend on all kinds. */
export const labelOfAll = (state: DatabaseState | undefined): string | undefined => state && `${state.access} ${state.events}`

/** Whether each transaction that is visible now and was not in the snapshot before is marked as unseen. */
const hasOnlyUnseen = (before: string, { snapshot, unseen }: Changes): boolean =>
  countVisible(snapshot) - countVisible(before) === BigInt(unseen)

const isSame = (a: Snapshot, b: Snapshot): boolean => a.snapshot === b.snapshot && a.started === b.started

/** After a load with triggers disabled. */
export async function markAll(tx: Tx): Promise<void> {
  await sql`insert into cache_mark (kind) select unnest(${KINDS}::text[]) on conflict do nothing`.execute(tx)
}

const MOST_MARKS = 1_000

/**
 * Deletes marks. The new marks stand for the deleted ones: who sees this transaction sees all transactions that were visible to it, so a
 * state that does not know a deleted mark does not know the new one either.
 */
export async function deleteOldMarks(db: Kysely<DB>): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from cache_mark`.execute(tx)
    if (rows[0]!.count < MOST_MARKS) return
    await markAll(tx)
    await sql`delete from cache_mark where xid <> pg_current_xact_id()`.execute(tx)
  })
}

/** Caches values that are valid for one state of the database. Keeps the newest value of each key. */
export class StateCache<T> {
  readonly #maxEntries: number
  #entries = new Map<string, { label: string; value: Promise<T> }>()
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** The value of the label, or else of `load`. Requests at the same time share one load. */
  get(key: string, label: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key)
    if (entry?.label === label) return entry.value
    const made = { label, value: load() }
    made.value.catch(() => {
      if (this.#entries.get(key) === made) this.#entries.delete(key)
    })
    this.#entries.delete(key)
    this.#entries.set(key, made)
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
    return made.value
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
