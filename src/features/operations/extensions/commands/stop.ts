import type { Kysely } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { readModuleNames } from '#platform/features/modules.ts'
import { record } from '#platform/journal/journal.ts'
import { moduleOf } from '../rules/names.ts'

type Stop = { name: string; reason: string; now: Date; allModules: readonly string[] }

/**
 * Switches the module off, on all nodes with their next request, until an administrator switches it on again. The reason stands above every page
 * of administrators.
 */
export const stopExtension = (db: Kysely<DB>, { name, reason, now, allModules }: Stop): Promise<void> =>
  transact(db, async (tx) => {
    const stored = await tx.selectFrom('setting').select('value').where('name', '=', 'modules').forUpdate().executeTakeFirst()
    const before = readModuleNames(stored?.value) ?? allModules
    const module = moduleOf(name)
    if (!before.includes(module)) return
    const row = { value: JSON.stringify(before.filter((each) => each !== module)), changed_at: now }
    await tx
      .insertInto('setting')
      .values({ name: 'modules', ...row })
      .onConflict((same) => same.column('name').doUpdateSet(row))
      .execute()
    await tx
      .updateTable('extension')
      .set({ stopped_at: now, stopped_because: reason.slice(0, 500) })
      .where('name', '=', name)
      .execute()
    const changes = { [`module.${module}`]: [true, false] as const }
    await record(
      tx,
      { actor: ANONYMOUS, now, requestId: null },
      {
        kind: 'instance.modules_changed',
        subject: { kind: 'instance', id: null },
        changes,
      },
    )
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
