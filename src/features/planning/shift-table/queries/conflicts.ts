import { type Kysely, sql } from 'kysely'
import { visibleTo } from '#features/events/events/access.ts'
import { isCoupled } from '#features/planning/planning/queries/shifts.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { TablePlan } from '../rules/plan.ts'

/** Two shifts of one confirmed person at the same time. `title` is null if the caller may not see the other event. */
export type Conflict = {
  pair: string
  name: string
  shiftId: number
  title: string | null
  label: string
  start: Date
  end: Date
}

/** Conflicts of the people who are confirmed for these shifts. The caller may change their event, so they see who is confirmed. */
export async function findConflicts(db: Kysely<DB>, actor: Actor, shiftIds: readonly number[]): Promise<Conflict[]> {
  if (!shiftIds.length) return []
  return rowsOf(db).all(sql<Conflict>`
    select own.id || ' ' || p.id as pair, u.display_name as name, own.shift_id as "shiftId",
      case when ${visibleTo(actor)} then e.title end as title, case when ${visibleTo(actor)} then s.label else '' end as label,
      p.start_time as start, p.end_time as end
    from participation own
      join shift here on here.id = own.shift_id
      join user_profile u on u.id = own.user_id
      join participation p on p.user_id = own.user_id and p.state = 1
        and (p.shift_id <> all (${shiftIds}::bigint[]) or p.shift_id > own.shift_id)
      join event e on e.id = p.event_id
      join shift s on s.id = p.shift_id
    where own.shift_id = any (${shiftIds}::bigint[]) and p.shift_id <> own.shift_id and own.state = 1 and e.listed
      and p.start_time < own.end_time and p.end_time > own.start_time
      and not ${isCoupled('s', 'here')} and not ${isCoupled('here', 's')}
    order by u.display_name, p.start_time, p.id`)
}

type PersonOnShift = { shiftId: number; name: string; isConfirmed: boolean }

/** Confirmed and requested people of shifts whose event the caller may change. */
export async function findPeopleOn(db: Kysely<DB>, shiftIds: readonly number[]): Promise<PersonOnShift[]> {
  if (!shiftIds.length) return []
  return rowsOf(db).all(sql<PersonOnShift>`
    select p.shift_id as "shiftId", coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name,
      p.state = 1 as "isConfirmed"
    from participation p left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id
      left join guest g on g.id = p.guest_id
    where p.shift_id = any (${shiftIds}::bigint[]) and p.state in (0, 1) order by p.state desc, lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`)
}

/** What saving the table does to people. */
export type Effects = {
  plan: TablePlan
  /** People on the shifts that change or are deleted. */
  people: PersonOnShift[]
  /** Those that the changes create. */
  conflicts: Conflict[]
  /** Number of people who are notified, and of those whose individual times are now outside their shift. */
  notified: number
  outside: number
}
