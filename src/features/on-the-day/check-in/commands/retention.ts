import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

const BATCH_SIZE = 10_000

/** In steps, so that no lock is held for long. Undecided conflicts stay. What was marked last stays with the participation. */
export async function deleteOldMarks(db: Kysely<DB>, before: Date): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from attendance_mark where id in (
        select id from attendance_mark where received_at < ${before} and outcome <> 'conflict' limit ${BATCH_SIZE})`.execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < BATCH_SIZE) return deleted
  }
}
