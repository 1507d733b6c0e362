import { sql } from 'kysely'
import { groupsOf, plannedBy, publishableBy } from '#features/events/events/access.ts'
import { plansEvents } from '#features/events/events/queries/planned-events.ts'
import { availabilityOf } from '#features/staffing/availability/queries/availability.ts'
import { storedLimits } from '#features/staffing/working-time-limits/queries.ts'
import type { StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchNames } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Span } from '#platform/time-span.ts'
import type { ListedPerson } from '../rules/table.ts'

/** People who plan, and those who may begin to: boards offer the same people to them. */
export const mayPlan = async (context: RequestContext): Promise<boolean> =>
  hasPermission(context.actor, 'add_event') || hasPermission(context.actor, 'change_event') || plansEvents(context)

/** As boards offer them. */
const isListed = sql`u.deleted_at is null and u.is_visible and u.is_active`

type PeopleFilter = { groupId: number | undefined; skillId: number | undefined; search: string }

/** Holds the qualification, or one that includes it, during some of the period. */
const holds = (skillId: number, { start }: Span): Condition => sql`exists (
  select from qualification_grant g where g.user_id = u.id and (g.expires_at is null or g.expires_at >= ${start})
    and (g.qualification_id = ${skillId} or exists (
      select from qualification_closure c where c.qualification_id = g.qualification_id and c.included_id = ${skillId})))`

function conditionsOf({ groupId, skillId, search }: PeopleFilter, period: Span): Condition[] {
  const terms = search.split(/\s+/).filter(Boolean).slice(0, 8)
  return [
    isListed,
    ...searchNames(terms, [sql`u.display_name`]),
    ...(groupId === undefined
      ? []
      : [sql`exists (select from user_group_member m where m.user_id = u.id and m.group_id = ${groupId})`]),
    ...(skillId === undefined ? [] : [holds(skillId, period)]),
  ]
}

const COLUMNS = (period: Span) => sql`u.id, u.display_name as name, u.date_of_birth as "dateOfBirth",
  array(select m.group_id from user_group_member m where m.user_id = u.id) as "groupIds",
  ${availabilityOf(sql`u.id`, { from: sql`${period.start}::timestamptz`, until: sql`${period.end}::timestamptz` })} as availability`

/** A page of the people who match, by name, and the number of all. `page`: from 1. */
export async function findPeople(
  { db }: RequestContext,
  filter: PeopleFilter,
  { period, page, pageSize }: { period: Span; page: number; pageSize: number },
): Promise<{ people: ListedPerson[]; count: number }> {
  const where = sql`true${andAll(conditionsOf(filter, period))}`
  const people = await rowsOf(db).all(sql<ListedPerson>`
    select ${COLUMNS(period)} from (
      select u.* from user_profile u where ${where} order by lower(u.display_name), u.id
      limit ${pageSize} offset ${(page - 1) * pageSize}) u
    order by lower(u.display_name), u.id`)
  if (page === 1 && people.length < pageSize) return { people, count: people.length }
  const { count } = await rowsOf(db).one(sql<{ count: number }>`select count(*)::int as count from user_profile u where ${where}`)
  return { people, count }
}

/** A listed person, with all working time limits. */
export async function getPerson(
  { db }: RequestContext,
  id: number,
  period: Span,
): Promise<{ person: ListedPerson; limits: StoredLimit[] } | undefined> {
  const row = await rowsOf(db).first(sql<ListedPerson & { limits: StoredLimit[] }>`
    select ${COLUMNS(period)}, ${storedLimits} as limits from user_profile u where u.id = ${id} and ${isListed}`)
  if (!row) return undefined
  const { limits, ...person } = row
  return { person, limits }
}

/**
 * Groups that the caller may know the members of: all with the permission; otherwise their own, those that they publish events for, and
 * those of events that they plan.
 */
export async function findGroups({ db, actor }: RequestContext): Promise<{ id: number; title: string }[]> {
  const isKnown = hasPermission(actor, 'view_group')
    ? sql`true`
    : sql`(g.id = any (${groupsOf(actor)}::bigint[]) or ${publishableBy(actor)}
        or g.id in (select o.group_id from event_group_grant o join event e on e.id = o.event_id where e.listed and ${plannedBy(actor)}))`
  return rowsOf(db).all(sql<{ id: number; title: string }>`
    select g.id, g.name as title from user_group g where ${isKnown} order by lower(g.name), g.id`)
}
