import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { UNDO_HOURS } from '../rules/undo.ts'

/** `name` is null for people without an account here. */
type FilledPerson = { name: string | null; eventTitle: string; label: string; start: Date; end: Date }
export type LastRun = { id: number; appliedAt: Date; people: readonly FilledPerson[] }

/** What the reader filled last, while it can be undone. */
export async function getLastRun({ db, actor, now }: RequestContext): Promise<LastRun | undefined> {
  if (actor.kind !== 'user') return undefined
  const since = new Date(now.getTime() - UNDO_HOURS * 3_600_000)
  const run = await db
    .selectFrom('fill_run')
    .select(['id', 'applied_at'])
    .where('user_id', '=', actor.userId)
    .where('applied_at', '>=', since)
    .where('undone_at', 'is', null)
    .orderBy('applied_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return undefined
  const people = await rowsOf(db).all(sql<FilledPerson>`
    select u.display_name as name, e.title as "eventTitle", s.label, s.start_time as start, s.end_time as end
    from fill_place f join participation p on p.id = f.participation_id join shift s on s.id = p.shift_id
      join event e on e.id = s.event_id left join user_profile u on u.id = p.user_id
    where f.run_id = ${run.id} order by s.start_time, s.id, u.display_name nulls last, p.id`)
  return { id: run.id, appliedAt: run.applied_at, people }
}
