import { type Kysely, sql } from 'kysely'
import { moduleIsOn } from '#features/operations/settings/queries.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { StoredLimit } from './rules.ts'

/** A JSON value for queries of other features: all limits; none while the module is off. */
export const storedLimits = sql<StoredLimit[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'value', l.value, 'blocks', l.blocks, 'groupId', l.group_id) order by l.id), '[]')
  from work_limit l where ${moduleIsOn('working_time_limits')})`

/** A condition: there is a limit of this kind. */
export const hasLimit = (kind: StoredLimit['kind']) =>
  sql<boolean>`exists (select from work_limit l where l.kind = ${kind} and ${moduleIsOn('working_time_limits')})`

/** All limits, of the instance and of groups. */
export async function findStoredLimits(db: Kysely<DB>): Promise<StoredLimit[]> {
  return rowsOf(db).all(sql<StoredLimit>`
    select l.kind, l.value, l.blocks, l.group_id as "groupId" from work_limit l order by l.group_id nulls first, l.id`)
}
