import { sql } from 'kysely'
import { topQualificationsOf } from '#features/accounts/qualifications/queries.ts'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import { namedAnswersOf, questionsOfShift } from '#features/events/questionnaires/queries.ts'
import type { Question } from '#features/events/questionnaires/rules.ts'
import type { BoardAnswer } from '#features/staffing/disposition/rules/board.ts'
import { identityShownTo, profileViewableBy } from '#features/staffing/participations/access.ts'
import { loadStaffing, type StaffedShift } from '#features/staffing/staffing/queries/staffing.ts'
import { holdsPlace } from '#features/staffing/staffing/rules/lapses.ts'
import { type PlaceLabel, STATE } from '#features/staffing/staffing/rules/model.ts'
import { assignRosterPlaces } from '#features/staffing/staffing/rules/placement.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { mapInTurns } from '#platform/thread.ts'

type RosterOptions = { shiftId: number | undefined; requests: boolean; privateComments: boolean }

/** `isPrivate`: not for other participants. */
type RosterComment = { text: string; isPrivate: boolean }

/** Emergency contacts are for planners from this long before a shift until this long after it. */
const NEAR = '24 hours'

/** Comments of this level are visible to all participants. */
const PUBLIC = 2

type PersonRow = {
  id: number
  shift_id: number
  state: 0 | 1
  /** Null if the caller may not see the name. */
  name: string | null
  guest_id: number | null
  /** Who brings this person. Null unless the caller is responsible. */
  brought_by: string | null
  /** Null unless the caller is responsible or may open the profile. */
  phone: string | null
  /** Null unless the caller is responsible and the shift is near, or may open the profile. */
  emergency: { name: string | null; phone: string | null } | null
  start_time: Date
  end_time: Date
  qualifications: string[]
  comments: RosterComment[]
  answers: BoardAnswer[]
}

export type RosterLine = {
  /** `taken`: a person whose name the reader may not see. */
  kind: 'confirmed' | 'requested' | 'taken' | 'taken-requested' | 'open'
  place: PlaceLabel | undefined
  name: string | undefined
  isGuest: boolean
  broughtBy: string | undefined
  phone: string | undefined
  emergency: { name: string | null; phone: string | null } | undefined
  times: { start: Date; end: Date } | undefined
  qualifications: readonly string[]
  comments: readonly RosterComment[]
  answers: readonly BoardAnswer[]
}
type ShiftRow = Shift & { questions: Question[] }
type RosterShift = ShiftRow & { lines: RosterLine[] }

/**
 * Shifts in order with their participants, for people who see the event. Hidden names do not leave the database, and comments
 * that are not for all participants only for responsible people who ask for them. Answers are for responsible people only.
 */
export async function findRoster(
  { db, actor, now }: RequestContext,
  eventId: number,
  options: RosterOptions,
): Promise<RosterShift[]> {
  const { rows: shifts } = await sql<ShiftRow>`
    select ${shiftColumns()}, case when ${changeableBy(actor)} then ${questionsOfShift(sql`s.id`)} else '[]' end as questions
    from shift s join event e on e.id = s.event_id
    where e.id = ${eventId} and ${shownTo(actor)} and (${options.shiftId ?? null}::bigint is null or s.id = ${options.shiftId ?? null})
    order by s.meeting_time, s.start_time, s.id`.execute(db)
  if (!shifts.length) return []
  const states = options.requests ? [STATE.requested, STATE.confirmed] : [STATE.confirmed]
  const { rows } = await sql<PersonRow>`
    select shown.id, shown.shift_id, shown.state, shown.name, shown.guest_id, shown.brought_by, shown.phone, shown.emergency, shown.start_time, shown.end_time,
      case when shown.name is null then '{}' else array(
        select q.title from (${topQualificationsOf(sql`
          select g.qualification_id from qualification_grant g
            where g.user_id = shown.user_id and (g.expires_at is null or g.expires_at >= shown.end_time)
          union select v.qualification_id from visitor_qualification v where v.visitor_id = shown.visitor_id
          union select o.qualification_id from guest_qualification o where o.guest_id = shown.guest_id and o.verified_at is not null`)}) q
        order by q.title) end as qualifications,
      coalesce((
        select json_agg(json_build_object('text', c.text, 'isPrivate', c.visible_for < ${PUBLIC}) order by c.created_at, c.id)
        from participation_comment c where c.participation_id = shown.id and shown.name is not null
          and (c.visible_for >= ${PUBLIC} or shown.is_responsible and ${options.privateComments})), '[]') as comments,
      case when shown.is_responsible then ${namedAnswersOf(sql`shown.id`)} else '[]' end as answers
    from (
      select p.id, p.shift_id, p.state, p.start_time, p.end_time, p.user_id, p.visitor_id, p.guest_id, ${changeableBy(actor)} as is_responsible,
        case when ${identityShownTo(actor)}
          then coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) end as name,
        case when ${changeableBy(actor)} then (
          select b.display_name from participation own join user_profile b on b.id = own.user_id where own.id = p.brought_by_id) end as brought_by,
        case when ${changeableBy(actor)} or ${profileViewableBy(actor)} then nullif(coalesce(u.phone, v.phone, g.phone), '') end as phone,
        case when coalesce(u.emergency_name, u.emergency_phone) is not null and (${profileViewableBy(actor)}
            or p.state = 1 and ${changeableBy(actor)} and ${now} between p.start_time - ${NEAR}::interval and p.end_time + ${NEAR}::interval)
          then json_build_object('name', u.emergency_name, 'phone', u.emergency_phone) end as emergency
      from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
      left join user_profile u on u.id = p.user_id left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
      where e.id = ${eventId} and ${shownTo(actor)} and p.state = any (${states}::int[])
    ) shown order by shown.state desc, lower(shown.name), shown.id`.execute(db)
  const people = Map.groupBy(rows, ({ shift_id }) => shift_id)
  const staffing = new Map(
    (
      await loadStaffing(
        db,
        shifts.map(({ id }) => id),
      )
    ).map((shift) => [shift.id, shift]),
  )
  return mapInTurns(shifts, (shift) => ({ ...shift, lines: linesOf(shift, people.get(shift.id) ?? [], staffing.get(shift.id)) }))
}

/** People in places first, in the order of the structure, then people without a place, open places, and requests. */
function linesOf(shift: Shift, people: readonly PersonRow[], staffed: StaffedShift | undefined): RosterLine[] {
  const confirmed = staffed?.people.filter(holdsPlace) ?? []
  const seats =
    staffed && getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, { ...staffed, people: confirmed })
  const places = seats && assignRosterPlaces(seats, staffed.people)
  const order = new Map((seats ?? []).map(({ label }, at) => [keyOf(label), at]))
  const lines = people.map((person): RosterLine => {
    const isRequested = person.state === STATE.requested
    const isHidden = person.name === null
    return {
      kind: isHidden ? (isRequested ? 'taken-requested' : 'taken') : isRequested ? 'requested' : 'confirmed',
      place: places?.placeOf.get(person.id),
      name: person.name ?? undefined,
      isGuest: !isHidden && person.guest_id !== null,
      broughtBy: person.brought_by ?? undefined,
      phone: isHidden ? undefined : (person.phone ?? undefined),
      emergency: isHidden ? undefined : (person.emergency ?? undefined),
      // Individual times could reveal the person.
      times: isHidden ? undefined : { start: person.start_time, end: person.end_time },
      qualifications: person.qualifications,
      comments: person.comments,
      answers: person.answers,
    }
  })
  const open = places?.open ?? Array.from({ length: shift.missing }, () => undefined)
  const missing = open.map(
    (place): RosterLine => ({
      kind: 'open',
      place,
      name: undefined,
      isGuest: false,
      broughtBy: undefined,
      phone: undefined,
      emergency: undefined,
      times: undefined,
      qualifications: [],
      comments: [],
      answers: [],
    }),
  )
  const rank = ({ kind, place }: RosterLine): number =>
    (kind === 'requested' || kind === 'taken-requested' ? 2e6 : 0) + (place ? (order.get(keyOf(place)) ?? 5e5) : 1e6)
  return [...lines, ...missing].sort((a, b) => rank(a) - rank(b))
}

const keyOf = (label: PlaceLabel): string => JSON.stringify(label)
