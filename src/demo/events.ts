import { computeStatistics } from '#features/staffing/staffing/structures/registry.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { type Calendar, DAY, HOUR } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { Base } from './base.ts'
import { type Commented, loadComments } from './comments.ts'
import { requiredForType } from './event-types.ts'
import { loadGuests } from './guests.ts'
import type { Partner } from './partners.ts'
import { type CastName, castMember, skillsAt } from './people.ts'
import type { EventPlan, PlannedState, ShiftPlan } from './plan.ts'
import { flowConfiguration, type ShiftTimes, type StructureOf, structureOf, timesOf } from './shifts.ts'
import { type Candidate, makeSchedule, type Planned, type Schedule, staffShift } from './staffing.ts'

type Loading = {
  language: SourceLanguage
  tx: Tx
  now: Date
  random: Random
  calendar: Calendar
  keyring: Keyring
  base: Base
  partner: Partner
}
type EventCounts = { events: number; shifts: number; participations: number; comments: number }

export async function loadEvents(loading: Loading, plans: EventPlan[]): Promise<EventCounts> {
  const schedule = makeSchedule()
  const people = localCandidates(loading.base)
  const counts = { events: 0, shifts: 0, participations: 0, comments: 0 }
  for (const [index, plan] of plans.entries()) {
    const random = loading.random.fork(`event ${index}`)
    const added = await loadEvent({ ...loading, random }, { plan, people, schedule })
    counts.events++
    counts.shifts += added.shifts
    counts.participations += added.participations
    counts.comments += added.comments
  }
  return counts
}

function localCandidates({ people, qualifications }: Base): Map<number, Candidate> {
  return new Map(
    people.map((person) => [
      person.id,
      {
        kind: 'local',
        id: person.id,
        name: person.displayName,
        birthday: person.birthday,
        skillsAt: (at) => skillsAt(person, at, qualifications),
      } satisfies Candidate,
    ]),
  )
}

type Work = { plan: EventPlan; people: Map<number, Candidate>; schedule: Schedule }

async function loadEvent(loading: Loading, { plan, people, schedule }: Work): Promise<Omit<EventCounts, 'events'>> {
  const { language, tx, now, random, calendar, base } = loading
  const times = plan.shifts.map((shift) => timesOf(shift, plan, calendar))
  const createdAt = new Date(Math.min(now.getTime() - 4 * DAY, times[0]!.start.getTime() - random.between(25, 60) * DAY))
  const eventId = await insertEvent(loading, plan, createdAt)
  const guests = plan.guestLink ? await guestCandidates(loading, plan, eventId) : []
  const pool = poolFor(plan, base, people)
  const needs = new Set(requiredForType(plan.type).map((key) => base.qualifications.idOf[key]))

  const shiftIds: number[] = []
  const staffed: Planned[][] = []
  const commented: Commented[] = []
  for (const [index, shift] of plan.shifts.entries()) {
    const structure = structureOf(shift.structure, base, random)
    const { flow } = shift
    const fixed = listFixedCandidates(loading, shift, people, guests)
    const coupledSpans = plan.shifts.flatMap((other, at) =>
      other.flow.slug === 'coupled' && other.flow.leader === index ? [times[at]!] : [],
    )
    const planned =
      plan.status === 'draft'
        ? []
        : flow.slug === 'coupled'
          ? staffed[flow.leader]!.map(({ who, state }) => ({
              who,
              state,
              structureData: {},
              individualStart: null,
              individualEnd: null,
            }))
          : staffShift({
              plan: shift,
              times: times[index]!,
              spans: [times[index]!, ...coupledSpans],
              structure,
              needs,
              fixed,
              pool,
              schedule,
              now,
              random,
              calendar,
            })
    staffed.push(planned)
    const shiftId = await insertShift(loading, { eventId, shift, times: times[index]!, structure, planned, shiftIds })
    shiftIds.push(shiftId)
    const counts = !plan.cancelledBecause && plan.status === undefined
    commented.push(...(await insertParticipations(loading, { shiftId, times: times[index]!, planned, createdAt, counts })))
  }
  const comments = await loadComments(
    { tx, language, random: random.fork('comments') },
    commented,
    castMember(base.people, 'paul').id,
  )
  return { shifts: shiftIds.length, participations: commented.length, comments }
}

async function insertEvent({ tx, now, base, partner }: Loading, plan: EventPlan, createdAt: Date): Promise<number> {
  const { groups, people } = base
  const [paul, olga] = [castMember(people, 'paul'), castMember(people, 'olga')]
  const responsible = plan.trainersPlan ? groups.trainers : groups.planning
  const { id } = await tx
    .insertInto('event')
    .values({
      title: plan.title,
      description: plan.text,
      location: plan.place,
      type_id: base.eventTypes[plan.type],
      active: plan.status !== 'draft',
      cancelled_at: plan.cancelledBecause ? new Date(now.getTime() - DAY) : null,
      cancellation_reason: plan.cancelledBecause ?? null,
      deleted_at: plan.status === 'binned' ? new Date(now.getTime() - 2 * DAY) : null,
      created_at: createdAt,
      created_by_id: plan.responsible?.includes('paul') ? paul.id : olga.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const viewers = new Set([...plan.audience.map((group) => groups[group]), responsible])
  await tx
    .insertInto('event_group_grant')
    .values([
      ...[...viewers].map((group_id) => ({ event_id: id, group_id, permission: 'view' })),
      { event_id: id, group_id: responsible, permission: 'change' },
    ])
    .execute()
  const users = (plan.responsible ?? []).map((name) => castMember(people, name).id)
  if (users.length) {
    await tx
      .insertInto('event_user_grant')
      .values(users.flatMap((user_id) => ['view', 'change'].map((permission) => ({ event_id: id, user_id, permission }))))
      .execute()
  }
  if (plan.shared)
    await tx
      .insertInto('event_share')
      .values({ event_id: id, federated_guest_id: partner.guestId, shared_at: createdAt })
      .execute()
  return id
}

async function guestCandidates(loading: Loading, plan: EventPlan, eventId: number): Promise<Candidate[]> {
  const { qualifications, people } = loading.base
  const count = plan.shifts.reduce((sum, { guests = [] }) => sum + guests.length, 0)
  const guests = await loadGuests(loading, { eventId, count, verifierId: castMember(people, 'paul').id, qualifications })
  return guests.map(({ id, name, birthday, isVerified }) => ({
    kind: 'guest',
    id,
    name,
    birthday,
    skillsAt: () => new Set(isVerified ? [qualifications.idOf.EH] : []),
  }))
}

/** People who see the event and can sign in, without the cast, whose states are in the plan. */
function poolFor(plan: EventPlan, { people }: Base, candidates: Map<number, Candidate>): Candidate[] {
  const audience = new Set(plan.audience)
  return people
    .filter(
      ({ castName, isActive, isVisible, groups }) =>
        !castName && isActive && isVisible && groups.some((group) => audience.has(group)),
    )
    .map(({ id }) => candidates.get(id)!)
}

function listFixedCandidates({ base, partner }: Loading, shift: ShiftPlan, people: Map<number, Candidate>, guests: Candidate[]) {
  const fixed: [Candidate, PlannedState][] = []
  for (const [name, state] of Object.entries(shift.cast ?? {}))
    fixed.push([people.get(castMember(base.people, name as CastName).id)!, state])
  for (const [index, state] of (shift.visitors ?? []).entries()) {
    const { id, name, birthday, holds } = partner.visitors[index]!
    const grants = holds.map((key) => ({ key, expiresAt: null }))
    fixed.push([{ kind: 'visitor', id, name, birthday, skillsAt: (at) => skillsAt({ grants }, at, base.qualifications) }, state])
  }
  for (const state of shift.guests ?? []) fixed.push([guests.shift()!, state])
  for (const name of shift.placeholders ?? [])
    fixed.push([{ kind: 'placeholder', id: null, name, birthday: null, skillsAt: () => new Set() }, 1])
  return fixed
}

type ShiftRow = {
  eventId: number
  shift: ShiftPlan
  times: ShiftTimes
  structure: StructureOf
  planned: Planned[]
  shiftIds: number[]
}

async function insertShift(
  { tx, base, calendar }: Loading,
  { eventId, shift, times, structure, planned, shiftIds }: ShiftRow,
): Promise<number> {
  const statistics = computeStatistics({
    structureSlug: shift.structure.slug,
    structureConfiguration: structure.configuration,
    people: planned.map(({ who, state, structureData, individualEnd }, index) => {
      return { participationId: index + 1, state, skills: who.skillsAt(individualEnd ?? times.end), structureData }
    }),
    blocks: base.blocks.byId,
    qualifications: base.qualifications.inclusions,
    span: times,
    presence: new Map(
      planned.map(({ individualStart, individualEnd }, index) => [
        index + 1,
        { start: individualStart ?? times.start, end: individualEnd ?? times.end },
      ]),
    ),
  })
  const { id } = await tx
    .insertInto('shift')
    .values({
      event_id: eventId,
      label: shift.label,
      meeting_time: times.meeting,
      start_time: times.start,
      end_time: times.end,
      signup_flow_slug: shift.flow.slug,
      signup_flow_configuration: JSON.stringify(flowConfiguration(shift.flow, times.start, shiftIds, calendar)),
      structure_slug: shift.structure.slug,
      structure_configuration: JSON.stringify(structure.configuration),
      missing: statistics.missing,
      free: statistics.free,
      min_count: statistics.minCount,
      max_count: statistics.maxCount,
      shortfall: statistics.shortfall ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type ParticipationRows = {
  shiftId: number
  times: ShiftTimes
  planned: Planned[]
  createdAt: Date
  /** The event is neither cancelled nor deleted. */
  counts: boolean
}

async function insertParticipations(
  { tx, now, random }: Loading,
  { shiftId, times, planned, createdAt, counts }: ParticipationRows,
) {
  if (!planned.length) return []
  const latest = Math.min(now.getTime(), times.start.getTime()) - HOUR
  const rows = planned.map(({ who, state, structureData, individualStart, individualEnd }) => ({
    shift_id: shiftId,
    kind: who.kind,
    state,
    individual_start_time: individualStart,
    individual_end_time: individualEnd,
    user_id: who.kind === 'local' ? who.id : null,
    guest_id: who.kind === 'guest' ? who.id : null,
    visitor_id: who.kind === 'visitor' ? who.id : null,
    placeholder_name: who.kind === 'placeholder' ? who.name : null,
    structure_data: JSON.stringify(structureData),
    finished: counts && state === 1 && (individualEnd ?? times.end) <= now,
    created_at: new Date(createdAt.getTime() + Math.floor(random.next() * (latest - createdAt.getTime()))),
  }))
  // A trigger overwrites these three columns; they are not null.
  const values = rows.map((row) => ({ ...row, event_id: 0, start_time: times.start, end_time: times.end }))
  const ids = await tx.insertInto('participation').values(values).returning('id').execute()
  return ids.map(({ id }, index) => ({ participationId: id, userId: rows[index]!.user_id, createdAt: rows[index]!.created_at }))
}
