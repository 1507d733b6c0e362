import type { Kysely } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Circle } from '../rules/news.ts'

/** Whom a piece of news goes to, one of the first three; and their participation, if it is about one. */
export type RecipientRow = {
  user_id: number | null
  guest_id: number | null
  visitor_id: number | null
  participation_id: number | null
}
/** People that an entry names because their participations are gone. */
export type Named = { users: readonly number[]; guests: readonly number[]; visitors: readonly number[] }
export type About = { eventId: number | null; subjectId: number | null; actorId: number | null; named: Named }

/** A query of `RecipientRow`s. Guests and visitors hear of what concerns them by mail alone; placeholders by nobody. */
const FIND: Record<Circle, (about: About) => RawBuilder<RecipientRow>> = {
  participant: ({ subjectId }) => sql`
    select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
    where p.id = ${subjectId} and p.kind <> 'placeholder'`,
  responsibles: ({ eventId, subjectId }) => sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, p.id as participation_id
    from participation p, user_profile u
    where p.id = ${subjectId} and u.id is distinct from p.user_id and u.id in (
      select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
      union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and g.permission = 'change')`,
  shift: ({ subjectId }) => sql`
    select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
    where p.shift_id = ${subjectId} and p.state in (0, 1) and p.kind <> 'placeholder'`,
  event: ({ eventId }) => sql`
    select distinct p.user_id, p.guest_id, p.visitor_id, null::bigint as participation_id from participation p
    where p.event_id = ${eventId} and p.state in (0, 1) and p.kind <> 'placeholder'`,
  confirmed: ({ eventId }) => sql`
    select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
    where p.event_id = ${eventId} and p.state = 1 and p.kind <> 'placeholder'`,
  // Only those who asked for it: hundreds who never look at what is new would only hide what is theirs.
  audience: ({ eventId }) => sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from user_profile u
    where u.enabled_notifications @> '[["mail", "event_published"]]' and (
      exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and m.user_id = u.id)
      or exists (select from event_user_grant g where g.event_id = ${eventId} and g.user_id = u.id))`,
  named: ({ named }) => sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
    from user_profile u where u.id = any (${named.users}::bigint[])
    union all select null, g.id, null, null from guest g where g.id = any (${named.guests}::bigint[])
    union all select null, null, v.id, null from visitor v where v.id = any (${named.visitors}::bigint[])`,
}

/** Never whoever did it, and nobody who is not active. */
export async function findRecipients(db: Kysely<DB>, circle: Circle, about: About): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select r.* from (${FIND[circle](about)}) r left join user_profile u on u.id = r.user_id
    where r.user_id is distinct from ${about.actorId} and (r.user_id is null or u.is_active)
    order by r.user_id, r.guest_id, r.visitor_id`.execute(db)
  return rows
}

export async function getParticipationState(db: Kysely<DB>, id: number): Promise<number | undefined> {
  return (await db.selectFrom('participation').select('state').where('id', '=', id).executeTakeFirst())?.state
}
