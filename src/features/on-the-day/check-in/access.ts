import { sql } from 'kysely'
import type { Condition } from '#platform/db/conditions.ts'

/** A condition on `participation` as `p`: marked as a no-show on the list. */
export const isMarkedNoShow: Condition = sql`exists (select from attendance a where a.participation_id = p.id and a.no_show)`

/** A condition on `participation` as `p`: a planner confirmed after the event that the person was not there. */
export const isConfirmedNoShow: Condition = sql`exists (select from attendance a where a.participation_id = p.id and a.is_absent)`
