import { type Kysely, sql } from 'kysely'
import { isNotOfAge, type Reading } from '#features/accounts/users/queries/guardians.ts'
import { changeableBy } from '#features/events/events/access.ts'
import { type Actor, userIdOf } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Candidate, SentMessage } from './rules.ts'

export type MessageEvent = {
  id: number
  title: string
  location: string
  start_time: Date | null
  end_time: Date | null
  isCancelled: boolean
  shifts: { id: number; label: string; start: Date; end: Date }[]
}

/** For responsibles, if the event is published and not deleted: otherwise the recipients could not open the link. */
export async function getMessageEvent(db: Kysely<DB>, actor: Actor, id: number): Promise<MessageEvent | undefined> {
  const { rows } = await sql<Omit<MessageEvent, 'shifts'>>`
    select e.id, e.title, e.location, e.start_time, e.end_time, e.cancelled_at is not null as "isCancelled"
    from event e where e.id = ${id} and e.active and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  if (!rows[0]) return undefined
  const shifts = await sql<MessageEvent['shifts'][number]>`
    select s.id, s.label, s.start_time as start, s.end_time as "end" from shift s
    where s.event_id = ${id} order by s.meeting_time, s.start_time, s.id`.execute(db)
  return { ...rows[0], shifts: shifts.rows }
}

/** People who may sign up and have not: as many as an organisation has, so the form only counts them. */
export async function countUnanswered(db: Kysely<DB>, eventId: number): Promise<number> {
  const { count } = await rowsOf(db).one(sql<{ count: number }>`
    select count(*)::int as count from (
      select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id where g.event_id = ${eventId}
      union select g.user_id from event_user_grant g where g.event_id = ${eventId}
    ) i join user_profile u on u.id = i.user_id
    where u.is_visible and u.is_active
      and not exists (select from participation p where p.event_id = ${eventId} and p.user_id = u.id)`)
  return count
}

/** `everybody`: also those whom the event was made visible to, and not only those with a participation. */
type CandidateScope = { everybody: boolean }

/** Everybody with a participation in the event, and everybody whom it was made visible to; by name. */
export async function findCandidates(
  { db, actor, now, site }: Reading & { actor: Actor },
  eventId: number,
  { everybody }: CandidateScope = { everybody: true },
): Promise<Candidate[]> {
  const scope = everybody ? sql`true` : sql`m.user_id in (select p.user_id from participation p where p.event_id = ${eventId})`
  const self = userIdOf(actor)
  const participations = sql`jsonb_agg(jsonb_build_object('shiftId', p.shift_id, 'state', p.state) order by p.shift_id)`
  const { rows } = await sql<Candidate>`
    with invited as (
      select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id where g.event_id = ${eventId} and ${scope}
      union select m.user_id from event_user_grant m where m.event_id = ${eventId} and ${scope}
    ), participant as (
      select p.user_id, p.guest_id, p.visitor_id, case when p.kind = 'placeholder' then p.id end as placeholder_id,
        min(p.placeholder_name) as placeholder_name, ${participations} as participations
      from participation p where p.event_id = ${eventId} group by 1, 2, 3, 4
    )
    select 'u' || u.id as key, u.display_name as name, i.user_id is not null as "isInvited",
      coalesce(t.participations, '[]') as participations,
      case when u.id = ${self} then 'self' when not u.is_active then 'inactive' when u.email_invalid and u.contact_email is null
        and not exists (select from guardianship g join user_profile c on c.id = g.child_id
          where g.child_id = u.id and ${isNotOfAge({ now, site })}) then 'address' end as "noMail"
    from (select user_id from invited union select user_id from participant where user_id is not null) chosen
      join user_profile u on u.id = chosen.user_id left join invited i on i.user_id = u.id left join participant t on t.user_id = u.id
    where t.user_id is not null or i.user_id is not null and u.is_visible and u.is_active
    union all
    select coalesce('g' || t.guest_id, 'v' || t.visitor_id, 'p' || t.placeholder_id),
      coalesce(g.display_name, v.display_name, t.placeholder_name), false, t.participations,
      case when t.placeholder_id is not null then 'placeholder' when coalesce(g.email, v.email, '') = '' then 'address' end
    from participant t left join guest g on g.id = t.guest_id left join visitor v on v.id = t.visitor_id
    where t.user_id is null
    order by name, key`.execute(db)
  return rows
}

export async function findSentMessages(db: Kysely<DB>, eventId: number): Promise<SentMessage[]> {
  const count = (state: string) => sql`(count(*) filter (where n.mail = ${state}))::int`
  return rowsOf(db).all(sql<SentMessage>`
    select m.id, m.subject, a.display_name as author, m.created_at, count(n.id)::int + cardinality(m.waiting_user_ids) as total,
      ${count('sent')} as sent, ${count('waiting')} + cardinality(m.waiting_user_ids) as waiting, ${count('failed')} as failed, ${count('skipped')} as skipped
    from event_message m left join user_profile a on a.id = m.author_id left join notification n on n.message_id = m.id
    where m.event_id = ${eventId} group by m.id, a.display_name order by m.id desc limit 20`)
}

type Old = { count: number; oldest: Date | null }

export async function findOldMessages(db: Kysely<DB>, before: Date): Promise<Old> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<Old>`
    select count(*)::int as count, min(created_at) as oldest from event_message where created_at < ${before}`)
}
