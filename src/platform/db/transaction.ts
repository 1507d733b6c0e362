import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const TRIES = 3

/** One transaction, tried again when the database asks for it. `work` must have no effect outside of it. */
export async function transact<T>(db: Kysely<DB>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || tries === TRIES) throw error
      await sleep(5 * 4 ** tries * (0.5 + Math.random()))
    }
  }
}
