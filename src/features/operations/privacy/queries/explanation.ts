import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { groupsOf, seesAllEvents, waysToSee } from '#features/events/events/access.ts'
import { hasPermission, isStaff, type UserActor } from '#platform/auth/actor.ts'
import { contains } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type AccessFacts, type Explanation, explainAccess } from '../rules/explanation.ts'

type Candidate = { id: number; name: string; email: string; actor: UserActor; isActive: boolean }

const SESSION = { kind: 'session', sessionHash: Buffer.alloc(0) } as const
const MAX_FOUND = 20

/** People with all these words in their name or address; the first ones by name. */
export async function findCandidates(db: Kysely<DB>, text: string): Promise<Candidate[]> {
  const terms = text.split(/\s+/).filter(Boolean).slice(0, 5)
  if (!terms.length) return []
  const matches = terms.map((term) => sql`(${contains(sql`u.display_name`, term)} or ${contains(sql`u.email`, term)})`)
  const { rows } = await sql<ActorRow & { is_active: boolean }>`
    select ${actorColumns}, u.is_active from user_profile u
    where u.deleted_at is null and not u.is_service_account and ${sql.join(matches, sql` and `)}
    order by lower(u.display_name), u.id limit ${MAX_FOUND}`.execute(db)
  return rows.map((row) => ({
    id: row.user_id,
    name: row.display_name,
    email: row.email,
    actor: actorFrom(row, SESSION),
    isActive: row.is_active,
  }))
}

type EventFacts = Pick<
  AccessFacts,
  'isDraft' | 'isDeleted' | 'isCancelled' | 'isInAudience' | 'isGranted' | 'isResponsible' | 'takesPart' | 'groups'
>

/** Undefined: no such event. The conditions are those of events/access.ts. */
export async function explainEvent(
  db: Kysely<DB>,
  eventId: number,
  { actor, isActive }: Pick<Candidate, 'actor' | 'isActive'>,
): Promise<Explanation | undefined> {
  const { group, grant, participation } = waysToSee(actor)
  // never null: groups (coalesced), the conditions (columns that are not null)
  const facts = await rowsOf(db).first(sql<EventFacts>`
    select not e.active as "isDraft", e.deleted_at is not null as "isDeleted", e.cancelled_at is not null as "isCancelled",
      ${group} as "isInAudience", e.id in (${grant}) as "isGranted", e.id in (${participation}) as "takesPart",
      exists (select from event_user_grant r where r.event_id = e.id and r.user_id = ${actor.userId} and r.permission = 'change')
        as "isResponsible",
      coalesce((
        select jsonb_agg(jsonb_build_object('name', s.name, 'isResponsible', s.change) order by s.name)
        from (
          select n.name, bool_or(g.permission = 'change') as change from event_group_grant g join user_group n on n.id = g.group_id
          where g.event_id = e.id and g.group_id = any (${groupsOf(actor)}::bigint[]) group by n.id, n.name
        ) s), '[]') as groups
    from event e where e.id = ${eventId}`)
  return (
    facts &&
    explainAccess({
      ...facts,
      isAccountActive: isActive,
      mayAddEvents: hasPermission(actor, 'add_event'),
      seesAll: seesAllEvents(actor),
      isAdministrator: isStaff(actor),
    })
  )
}

export type EventAudience = {
  id: number
  title: string
  isDraft: boolean
  groups: { name: string; members: number; isResponsible: boolean }[]
  partners: string[]
  people: number
  participants: number
  hasGuestLink: boolean
}

/** Who sees the event, in numbers. */
export async function getEventAudience(db: Kysely<DB>, eventId: number): Promise<EventAudience | undefined> {
  // never null: all columns (counts, coalesced lists)
  return rowsOf(db).first(sql<EventAudience>`
    select e.id, e.title, not e.active as "isDraft",
      coalesce((
        select jsonb_agg(jsonb_build_object('name', s.name, 'members', s.members, 'isResponsible', s.change) order by s.name)
        from (
          select n.name, bool_or(g.permission = 'change') as change,
            (select count(*) from user_group_member m join user_profile u on u.id = m.user_id where m.group_id = n.id and u.is_active) as members
          from event_group_grant g join user_group n on n.id = g.group_id where g.event_id = e.id group by n.id, n.name
        ) s), '[]') as groups,
      array(select p.name from event_share s join federated_guest p on p.id = s.federated_guest_id where s.event_id = e.id order by 1) as partners,
      (select count(distinct g.user_id)::int from event_user_grant g where g.event_id = e.id) as people,
      (select count(distinct p.user_id)::int from participation p where p.event_id = e.id and p.state <> 4 and p.user_id is not null)
        as participants,
      exists (select from guest_share s where s.event_id = e.id and s.active) as "hasGuestLink"
    from event e where e.id = ${eventId} and e.deleted_at is null`)
}
