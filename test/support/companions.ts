import type { Database } from '#platform/db/pool.ts'

/** People without an account who take part in a shift, in any state, in the order in which they came. */
export const findPlaceholders = (db: Database, shiftId: number) =>
  db.read
    .selectFrom('participation')
    .select(['id', 'placeholder_name as name', 'state'])
    .where('shift_id', '=', shiftId)
    .where('kind', '=', 'placeholder')
    .orderBy('id')
    .execute()
