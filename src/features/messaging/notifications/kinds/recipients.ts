import { type RawBuilder, sql } from 'kysely'
import type { Permission } from '#platform/auth/permissions.ts'

/** A recipient, by one of the first three columns, and their participation if the notification is about one. */
export type RecipientRow = {
  user_id: number | null
  guest_id: number | null
  visitor_id: number | null
  participation_id: number | null
}
export type RecipientContext = {
  eventId: number | null
  subjectId: number | null
  /** Former participants that the journal entry lists, because their participations are deleted. */
  listed: { users: readonly number[]; guests: readonly number[]; visitors: readonly number[] }
}
/**
 * Finds recipients for a journal entry; the caller leaves out the actor and inactive users. Guests and visitors are notified by
 * mail alone, placeholders cannot be reached.
 */
export type RecipientQuery = (context: RecipientContext) => RawBuilder<RecipientRow>

export const participant: RecipientQuery = ({ subjectId }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
  where p.id = ${subjectId} and p.kind <> 'placeholder'`

/** Users whom the entry names. */
export const listedUsers =
  (ids: readonly number[]): RecipientQuery =>
  () =>
    sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id = any (${Array.isArray(ids) ? ids : []}::bigint[])`

/** Ids of the people responsible for an event. */
export const responsibleIds = (eventId: RawBuilder<unknown> | number | null): RawBuilder<{ user_id: number }> => sql`
  select g.user_id from event_user_grant g where g.event_id = ${eventId} and g.permission = 'change'
  union select m.user_id from event_group_grant g join user_group_member m on m.group_id = g.group_id
    where g.event_id = ${eventId} and g.permission = 'change'`

export const responsibles: RecipientQuery = ({ eventId, subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, p.id as participation_id
  from participation p, user_profile u
  where p.id = ${subjectId} and u.id is distinct from p.user_id and u.id in (${responsibleIds(eventId)})`

/** Everybody responsible for the event. */
export const eventResponsibles: RecipientQuery = ({ eventId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id in (${responsibleIds(eventId)})`

/** Ids of people with a global permission. */
export const holdersOf = (permission: Permission): RawBuilder<{ user_id: number }> => sql`
  select a.id as user_id from user_profile a where a.is_visible and a.is_active and (a.is_staff or a.is_superuser
    or exists (select from user_permission p where p.user_id = a.id and p.permission = ${permission})
    or exists (select from user_group_member m join group_permission p on p.group_id = m.group_id
      where m.user_id = a.id and p.permission = ${permission}))`

/** Ids of people who may edit all others. */
export const editorsOfPeople = holdersOf('change_user')

/** The user whom the entry is about. */
export const subjectUser: RecipientQuery = ({ subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id = ${subjectId}`

/** The owner of the webhook that the entry is about; service accounts read no notifications. */
export const webhookOwner: RecipientQuery = ({ subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from webhook w join user_profile u on u.id = w.owner_id where w.id = ${subjectId} and not u.is_service_account`

/** Requested or confirmed in the shift. */
export const shiftParticipants: RecipientQuery = ({ subjectId }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
  where p.shift_id = ${subjectId} and p.state in (0, 1) and p.kind <> 'placeholder'`

/** Requested or confirmed in any shift of the event. */
export const eventParticipants: RecipientQuery = ({ eventId }) => sql`
  select distinct p.user_id, p.guest_id, p.visitor_id, null::bigint as participation_id from participation p
  where p.event_id = ${eventId} and p.state in (0, 1) and p.kind <> 'placeholder'`

export const confirmedParticipants: RecipientQuery = ({ eventId }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
  where p.event_id = ${eventId} and p.state = 1 and p.kind <> 'placeholder'`

export const listedParticipants: RecipientQuery = ({ listed }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from user_profile u where u.id = any (${listed.users}::bigint[])
  union all select null, g.id, null, null from guest g where g.id = any (${listed.guests}::bigint[])
  union all select null, null, v.id, null from visitor v where v.id = any (${listed.visitors}::bigint[])`
