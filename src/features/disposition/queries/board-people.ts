import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchIn } from '#platform/db/conditions.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'
import { type PersonShown, shownOn } from './board-cards.ts'
import type { BoardShift } from './board-shift.ts'
import { loadFactsOfMany } from './facts-of-many.ts'

export type PeopleSearch = {
  terms: readonly string[]
  /** Only people who could take part; only those who are free at that time. */
  fits: boolean
  free: boolean
  /** This qualification, or one that includes it, until the end of the shift. */
  skillId: number | undefined
  page: number
}
export type FoundPerson = PersonShown & { key: string; who: CardPerson; name: string; email: string | null }

const A_PAGE = 12
/** What fits is not told by the database; whoever searches that widely should say more. */
const MOST_JUDGED = 600

/** People who are not on the shift yet: those of the lists, and guests and visitors of the event. `taken`: keys of new cards. */
export async function findPeopleToAdd(
  context: RequestContext,
  shift: BoardShift,
  { terms, fits, free, skillId, page }: PeopleSearch,
  taken: ReadonlySet<string>,
): Promise<{ people: FoundPerson[]; hasMore: boolean }> {
  const conditions: Condition[] = searchIn([...terms], [sql`one.name`, sql`one.email`])
  if (skillId !== undefined)
    conditions.push(sql`exists (
      select from (
        select g.qualification_id as id from qualification_grant g
          where g.user_id = one.user_id and (g.expires_at is null or g.expires_at >= ${shift.end_time})
        union all select v.qualification_id from visitor_qualification v where v.visitor_id = one.visitor_id
        union all select q.qualification_id from guest_qualification q where q.guest_id = one.guest_id and q.verified_at is not null
      ) held where held.id = ${skillId}
        or exists (select from qualification_closure c where c.qualification_id = held.id and c.included_id = ${skillId})
    )`)
  if (free)
    conditions.push(sql`not exists (
      select from participation o join event e on e.id = o.event_id
      where (o.user_id = one.user_id or o.visitor_id = one.visitor_id or o.guest_id = one.guest_id)
        and o.state = 1 and e.listed and o.start_time < ${shift.end_time} and o.end_time > ${shift.start_time}
    )`)
  const from = page * A_PAGE
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number; name: string; email: string | null }>`
    select one.kind, coalesce(one.user_id, one.visitor_id, one.guest_id) as id, one.name, one.email from (
      select 'local' as kind, u.id as user_id, null::bigint as visitor_id, null::bigint as guest_id, u.display_name as name, u.email
        from user_profile u where u.is_visible and u.is_active
      union all select 'guest', null, null, g.id, g.display_name, g.email from guest g where g.event_id = ${shift.event_id}
      union all select 'visitor', null, v.id, null, v.display_name, v.email from visitor v
        where v.id in (select p.visitor_id from participation p where p.event_id = ${shift.event_id})
    ) one
    where not exists (
      select from participation p where p.shift_id = ${shift.id}
        and (p.user_id = one.user_id or p.visitor_id = one.visitor_id or p.guest_id = one.guest_id)
    )${andAll(conditions)}
    order by lower(one.name), one.kind, id
    limit ${fits ? MOST_JUDGED : from + A_PAGE + 1 + taken.size}`.execute(context.db)
  const found = rows
    .map(({ kind, id, name, email }) => ({ who: { kind, id }, key: cardKey({ kind, id }), name, email }))
    .filter(({ key }) => !taken.has(key))
  const judged = fits ? found : found.slice(from, from + A_PAGE)
  const facts = await loadFactsOfMany(
    context.db,
    judged.map(({ who }) => who),
    [shift.id],
    context.now,
  )
  const span = { start: shift.start_time, end: shift.end_time }
  const people = judged.map((one) => ({ ...one, ...shownOn(context, one.who, { shiftId: shift.id, facts, span }) }))
  if (!fits) return { people, hasMore: found.length > from + A_PAGE }
  const fitting = people.filter(({ hints }) => hints.every(({ code }) => code === 'conflict'))
  return { people: fitting.slice(from, from + A_PAGE), hasMore: fitting.length > from + A_PAGE }
}
