import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/** For the erasure of a person: rows of the former database that could not be imported and contain what identifies them. */
export async function deleteMovedRowsAbout(tx: Tx, pattern: string): Promise<void> {
  await sql`delete from moved_in_row where row::text ~ ${pattern} or reason ~ ${pattern}`.execute(tx)
}
