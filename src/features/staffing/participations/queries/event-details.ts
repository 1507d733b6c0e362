import { type RawBuilder, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { SeriesPlace } from '#features/events/events/points.ts'
import { eventValueColumns, shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventValues } from '#features/events/events/rules/event-fields.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import { openFor } from '#features/staffing/eligibility/access.ts'
import { contactsOf } from '#features/staffing/eligibility/queries/contacts.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Contact } from '#platform/ui/contact.ts'
import { identityShownTo, ownedBy, presenceShownTo } from '../access.ts'

export type EventDetails = EventValues & {
  id: number
  type_title: string
  type_color: string
  /** Who sees participants: 0 people who see the event, 1 confirmed participants, 2 responsibles only, 3 also visitors */
  shows: 0 | 1 | 2 | 3
  start_time: Date | null
  end_time: Date | null
  cancelled_at: Date | null
  cancellation_reason: string | null
  is_responsible: boolean
  active: boolean
  contacts: Contact[]
  /** For those who may change the event: where it stands in its series, among the events that they may change. */
  series: SeriesPlace | null
  /** Some shifts were cancelled or deleted. */
  has_removed: boolean
}

export async function getEventDetails({ db, actor }: RequestContext, id: number): Promise<EventDetails | undefined> {
  return rowsOf(db).first(sql<EventDetails>`
    select e.id, ${sql.join(Object.values(eventValueColumns))}, t.title as type_title, t.color as type_color,
      t.show_participant_data as shows, e.start_time, e.end_time, e.cancelled_at, e.cancellation_reason,
      ${changeableBy(actor)} as is_responsible, e.active, ${contactsOf(actor, sql`e.id`)} as contacts,
      ${seriesPlace(actor, id)} as series, exists (select from removed_shift r where r.event_id = e.id) as has_removed
    from event e join event_type t on t.id = e.type_id
    where e.id = ${id} and ${openFor(actor)}`)
}

const seriesPlace = (actor: Actor, eventId: number) => sql`(
  select json_build_object('seriesId', place.series_id, 'position', place.position, 'count', place.count,
    'previous', place.previous, 'next', place.next)
  from (
    select e.id, m.series_id, row_number() over days as position, count(*) over () as count, lag(e.id) over days as previous,
      lead(e.id) over days as next
    from event_series_member m join event e on e.id = m.event_id
    where m.series_id = (select own.series_id from event_series_member own where own.event_id = ${eventId})
      and e.deleted_at is null and ${changeableBy(actor)}
    window days as (order by m.date)
  ) place where place.id = ${eventId})`

export type ShiftDetails = Shift & {
  structure_slug: string
  structure_configuration: unknown
}

export type ParticipantDetails = {
  id: number
  shift_id: number
  state: State
  /** Null if the caller may see that the place is taken, but not by whom. */
  name: string | null
  is_own: boolean
  start_time: Date
  end_time: Date
  has_own_times: boolean
  structure_data: unknown
}

/** Of “Ann Arbor”, and of “Arbor, Ann”. */
const firstName = (name: RawBuilder<unknown>) =>
  sql`split_part(btrim(case when strpos(${name}, ',') > 0 then split_part(${name}, ',', 2) else ${name} end), ' ', 1)`

/** Shifts in order with their requested and confirmed people; own participations in any state. */
export async function findShiftDetails(
  { db, actor }: RequestContext,
  eventId: number,
): Promise<{ shifts: ShiftDetails[]; people: ParticipantDetails[] }> {
  const [shifts, people] = await Promise.all([
    sql<ShiftDetails>`
      select ${shiftColumns()}, s.structure_slug, s.structure_configuration
      from shift s join event e on e.id = s.event_id
      where e.id = ${eventId} and ${openFor(actor)} order by s.meeting_time, s.start_time, s.id`.execute(db),
    // Hidden names are filtered here, so they never leave the database.
    sql<ParticipantDetails>`
      select p.id, p.shift_id, p.state, ${ownedBy(actor)} as is_own, p.start_time, p.end_time,
        num_nonnulls(p.individual_start_time, p.individual_end_time) > 0 as has_own_times, p.structure_data,
        case when ${identityShownTo(actor)} then coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)
          when ${actor.kind === 'guest'} and e.guests_see_names and p.state = 1
            then ${firstName(sql`coalesce(u.display_name, v.display_name, g.display_name)`)} end as name
      from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
      left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
      where e.id = ${eventId} and ${openFor(actor)} and ${presenceShownTo(actor)}
      order by p.id`.execute(db),
  ])
  return { shifts: shifts.rows, people: people.rows }
}
