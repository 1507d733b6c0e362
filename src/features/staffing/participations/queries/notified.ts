import { sql } from 'kysely'
import { responsibleIds } from '#features/events/events/queries/notified.ts'
import type { RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

export const participant: RecipientQuery = ({ subjectId }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
  where p.id = ${subjectId} and p.kind <> 'placeholder'`

export const responsibles: RecipientQuery = ({ eventId, subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, p.id as participation_id
  from participation p, user_profile u
  where p.id = ${subjectId} and u.id is distinct from p.user_id and u.id in (${responsibleIds(eventId)})`

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
