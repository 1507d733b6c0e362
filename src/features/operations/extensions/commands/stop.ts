import type { Kysely } from 'kysely'
import { stopModule } from '#features/operations/settings/commands.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { moduleOf } from '../rules/names.ts'

type Stop = { name: string; reason: string; now: Date; allModules: readonly string[] }

/** The reason stands above every page of administrators, until one of them switches the module on again. */
export const stopExtension = (db: Kysely<DB>, { name, reason, now, allModules }: Stop): Promise<void> =>
  transact(db, async (tx) => {
    if (!(await stopModule(tx, { name: moduleOf(name), all: allModules, now }))) return
    await tx
      .updateTable('extension')
      .set({ stopped_at: now, stopped_because: reason.slice(0, 500) })
      .where('name', '=', name)
      .execute()
  })

type Stuck = { source: string; name: string; version: string; problem: string }

/** The next start leaves this version out. */
export async function markStuck(db: Kysely<DB>, { source, name, version, problem }: Stuck): Promise<void> {
  const values = { source, stuck_version: version, problem, is_loaded: false }
  await db
    .insertInto('extension')
    .values({ name, ...values })
    .onConflict((same) => same.column('name').doUpdateSet(values))
    .execute()
}
