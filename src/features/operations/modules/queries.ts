import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Module, ModuleName } from '#platform/features/modules.ts'

/** How much exists of each module, in one statement. */
export async function countUses(db: Kysely<DB>, modules: readonly Module[]): Promise<Map<ModuleName, number>> {
  const { rows } = await sql<{ counts: number[] }>`
    select json_build_array(${sql.join(modules.map(({ countUses: count }) => sql`(${count()})`))}) as counts`.execute(db)
  return new Map(modules.map(({ name }, index) => [name, rows[0]!.counts[index]!]))
}
