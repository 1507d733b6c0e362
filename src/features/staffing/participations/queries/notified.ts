import { sql } from 'kysely'
import { responsibleIds } from '#features/events/events/queries/notified.ts'
import type { RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

export const participant: RecipientQuery = ({ subjectId }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p
  where p.id = ${subjectId} and p.kind <> 'placeholder'`

/** Unless the shift was over: what counts then is hours. */
export const comingParticipant: RecipientQuery = ({ subjectId, at }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p join shift s on s.id = p.shift_id
  where p.id = ${subjectId} and p.kind <> 'placeholder' and s.end_time > ${at}`

export const responsibles: RecipientQuery = ({ eventId, subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, p.id as participation_id
  from participation p, user_profile u
  where p.id = ${subjectId} and u.id is distinct from p.user_id and u.id in (${responsibleIds(eventId)})`

/** Requested or confirmed in the shift, unless it was over. */
export const comingParticipantsOfShift: RecipientQuery = ({ subjectId, at }) => sql`
  select p.user_id, p.guest_id, p.visitor_id, p.id as participation_id from participation p join shift s on s.id = p.shift_id
  where p.shift_id = ${subjectId} and p.state in (0, 1) and p.kind <> 'placeholder' and s.end_time > ${at}`

/** Requested or confirmed in a shift of the event that was not over. */
export const comingParticipants: RecipientQuery = ({ eventId, at }) => sql`
  select distinct p.user_id, p.guest_id, p.visitor_id, null::bigint as participation_id
  from participation p join shift s on s.id = p.shift_id
  where p.event_id = ${eventId} and p.state in (0, 1) and p.kind <> 'placeholder' and s.end_time > ${at}`

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
