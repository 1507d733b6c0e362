import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3

/** Runs a transaction and retries it after a deadlock or serialization failure. `work` must have no effects outside of it. */
export async function transact<T>(db: Kysely<DB>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || attempt === MAX_ATTEMPTS) throw error
      await sleep(5 * 4 ** attempt * (0.5 + Math.random()))
    }
  }
}
