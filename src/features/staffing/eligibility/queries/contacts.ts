import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Contact } from '#platform/ui/contact.ts'

const MAX_CONTACTS = 4

/**
 * People who plan an event that the caller sees, as one value: those who are responsible themselves before members of responsible
 * groups. With the phone number of those who allow it. Anybody can become a guest, so guests do not learn who plans. `offset 0`: the
 * database expects groups of average size and would read all people otherwise.
 */
export function contactsOf(actor: Actor, eventId: RawBuilder<unknown>): RawBuilder<unknown> {
  if (actor.kind !== 'user' && actor.kind !== 'visitor') return sql`'[]'::json`
  return sql`(select coalesce(json_agg(json_build_object('name', name, 'email', email, 'phone', phone) order by place), '[]') from (
    select u.display_name as name, case when not u.email_invalid then u.email end as email,
      case when u.shows_phone then nullif(u.phone, '') end as phone, row_number() over (order by min(planner.rank), lower(u.display_name), u.id) as place
    from (
      select g.user_id, 1 as rank from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
      union all select m.user_id, 2 from event_group_grant g join user_group_member m on m.group_id = g.group_id
        where g.event_id = ${eventId} and g.permission = 'change'
    ) planner cross join lateral (select * from user_profile p where p.id = planner.user_id offset 0) u
    where u.is_active and u.is_visible
    group by u.id, u.display_name, u.email_invalid, u.email, u.shows_phone, u.phone order by place limit ${MAX_CONTACTS}) contact)`
}

export async function findContacts({ db, actor }: RequestContext, eventId: number): Promise<Contact[]> {
  const { contacts } = await rowsOf(db).one(
    sql<{ contacts: Contact[] }>`select ${contactsOf(actor, sql`${eventId}::bigint`)} as contacts`,
  )
  return contacts
}
