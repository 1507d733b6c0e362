import { sql } from 'kysely'
import type { Condition } from '#platform/db/conditions.ts'

/** A condition on `participation` as `p`: a planner confirmed after the event that the person was not there. */
export const isConfirmedNoShow: Condition = sql`exists (select from attendance a where a.participation_id = p.id and a.is_absent)`
