import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3
/** A row that the work had read was deleted meanwhile: it reads again and refuses with a reason. */
const FOREIGN_KEY = '23503'

/**
 * Runs a transaction and retries it after a deadlock, a serialization failure or, once, a violated foreign key. `work` must have no
 * effects outside of it. Within a transaction, as in writes of the API, the work becomes a part of it that can fail alone; only the
 * outermost call retries.
 */
export async function transact<T>(db: Kysely<DB>, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return nest(db as Tx, work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      const isRetried = code === SERIALIZATION_FAILURE || code === DEADLOCK || (code === FOREIGN_KEY && attempt === 1)
      if (!isRetried || attempt === MAX_ATTEMPTS) throw error
      await sleep(5 * 4 ** attempt * (0.5 + Math.random()))
    }
  }
}

/** Transactions without savepoints, and the first failure of a part. */
const indivisible = new WeakMap<object, { failure?: { error: unknown } }>()

/**
 * Runs the work of a transaction without savepoints: if one of its parts fails, the whole transaction does, even if the work caught the
 * error and went on.
 */
export async function withoutParts<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const state: { failure?: { error: unknown } } = {}
  indivisible.set(tx, state)
  try {
    const result = await work()
    if (state.failure) throw state.failure.error
    return result
  } finally {
    indivisible.delete(tx)
  }
}

async function noteFailure<T>(state: { failure?: { error: unknown } }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    state.failure ??= { error }
    throw error
  }
}

/** A savepoint of the same name hides the one around it until it is released, so nested parts need no names of their own. */
async function nest<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const state = indivisible.get(tx)
  if (state) return noteFailure(state, () => work(tx))
  await sql`savepoint part`.execute(tx)
  let result: T
  try {
    result = await work(tx)
  } catch (error) {
    // A lost connection cannot be rolled back and has ended the transaction anyway; the caller needs the first error.
    await sql`rollback to savepoint part; release savepoint part`.execute(tx).catch(() => {})
    throw error
  }
  await sql`release savepoint part`.execute(tx)
  return result
}
