import { type Kysely, sql } from 'kysely'
import type { Engagement } from '#features/staffing/rules/model.ts'
import type { DB } from '#platform/db/tables.ts'

type Row = { userId: number; eventTitle: string; start: Date; end: Date; host: string; href: string }

/** No shift of ours has this number, so nobody mistakes it for the one that they sign up for. */
const NONE = 0

/** Where our people are confirmed at partner instances, as those told last; it keeps them from being in two places at once. */
export async function findEngagementsAbroad(
  db: Kysely<DB>,
  userIds: readonly number[],
  { from, until }: { from: Date; until: Date },
): Promise<(Engagement & { userId: number; leaderShiftId: null })[]> {
  if (!userIds.length) return []
  const { rows } = await sql<Row>`
    select a.user_id as "userId", x.title as "eventTitle", a.start_time as start, a.end_time as end, h.name as host, x.signup_url as href
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = any (${userIds}::bigint[]) and a.state = 1 and a.end_time > ${from} and a.start_time < ${until}
    order by a.start_time, a.id`.execute(db)
  return rows.map(({ host, href, ...row }) => ({
    ...row,
    shiftId: NONE,
    eventId: NONE,
    leaderShiftId: null,
    abroad: { host, href },
  }))
}
