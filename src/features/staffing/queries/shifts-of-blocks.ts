import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** A condition on `shift` as `s`: not over yet, and made of one of these blocks. */
export function madeOf(blockIds: readonly number[], now: Date): RawBuilder<unknown> {
  const starts = blockIds.map((id) => JSON.stringify({ starting_blocks: [{ building_block: id }] }))
  return sql`s.structure_slug = 'complex' and s.end_time > ${now} and s.structure_configuration @> any (${starts}::jsonb[])`
}

export async function findShiftIdsOfBlocks(db: Kysely<DB>, blockIds: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select s.id from shift s where ${madeOf(blockIds, now)} order by s.id`.execute(db)
  return rows.map(({ id }) => id)
}
