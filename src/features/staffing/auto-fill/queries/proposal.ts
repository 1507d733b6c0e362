import { sql } from 'kysely'
import { dayOf, isMinorOn } from '#features/accounts/users/rules.ts'
import { isPlaceOptional } from '#features/staffing/disposition/queries/card-drafts.ts'
import { loadPeopleFacts, type PeopleFacts } from '#features/staffing/disposition/queries/people.ts'
import { type CardPerson, cardKey } from '#features/staffing/disposition/rules/cards.ts'
import { judgeCandidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { loadStaffing, type StaffedShift } from '#features/staffing/staffing/queries/staffing.ts'
import { holdsPlace } from '#features/staffing/staffing/rules/lapses.ts'
import { type Seat, STATE } from '#features/staffing/staffing/rules/model.ts'
import { covers } from '#features/staffing/staffing/rules/skills.ts'
import { suggest } from '#features/staffing/staffing/rules/suggestion.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import { describeWork, limitsOf } from '#features/staffing/working-time-limits/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { readLong } from '#platform/db/long-read.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { WorkControl } from '#platform/page-work.ts'
import { mapInTurns } from '#platform/thread.ts'
import type { FixedPerson } from '../rules/chosen.ts'
import { loadCosts, pointsOf } from '../rules/ledger.ts'
import type { Pool } from '../rules/pool.ts'
import {
  type Candidate,
  type Chance,
  type LoadedProposal,
  type OpenPlace,
  obstacleOf,
  type ProposalInput,
  type ScopedShift,
} from '../rules/proposal.ts'
import type { FillOptions } from '../schema.ts'
import { getWeights, loadLedgers } from './ledger.ts'
import { findScopedShifts, MAX_SHIFTS } from './scope.ts'
import { type SearchOutcome, searchProposal } from './searching.ts'

/** More people are not considered: those who took part longest ago come first. */
const MAX_PEOPLE = 400
/** For one statement. */
const READ_LIMIT_MS = 30_000

type Loading = {
  /** In the thread, unless a test measures it. */
  search?: (input: ProposalInput, options: { signal?: AbortSignal | undefined }) => Promise<SearchOutcome>
} & Partial<WorkControl>

/** One search reads at a time, so that pages keep their connections. */
let reading: Promise<unknown> = Promise.resolve()

/** With a limit of time for the search, not the one of a page: thousands of people may see the events. */
function readForSearch(context: RequestContext, options: FillOptions, signal: AbortSignal | undefined) {
  const read = reading.then(() => {
    signal?.throwIfAborted()
    return readLong(context.db, READ_LIMIT_MS, (db) => readInput({ ...context, db }, options))
  })
  reading = read.catch(() => {})
  return read
}

async function readInput(context: RequestContext, options: FillOptions) {
  const found = await findScopedShifts(context, options.scope)
  const scoped = found.slice(0, MAX_SHIFTS)
  const ids = scoped.map(({ id }) => id)
  const staffed = new Map((await loadStaffing(context.db, ids)).map((shift) => [shift.id, shift]))
  const planned = scoped.map((shift) => ({ shift, open: openPlacesOf(shift, staffed.get(shift.id), options) }))
  const shifts = planned.filter(({ open }) => open !== undefined && open.places.length > 0).map(({ shift }) => shift)
  const asked = [...options.fixed, ...(options.taken ?? [])]
  const pool = options.pool ?? ((await haveRequests(context, shifts)) ? 'requested' : 'everyone')
  const considered = await findPeople(context, shifts, { pool, fixed: asked })
  const people = considered.slice(0, MAX_PEOPLE)
  const persons = people.map(({ who }) => who)
  const shiftIds = shifts.map(({ id }) => id)
  return {
    planned,
    shifts,
    asked,
    pool,
    people,
    facts: await loadPeopleFacts(context, persons, shiftIds),
    ledgers: await loadLedgers(context, persons),
    weights: await getWeights(context.db),
    hasMoreShifts: found.length > MAX_SHIFTS,
    hasMorePeople: considered.length > MAX_PEOPLE,
  }
}

/** Reports how many people were judged; how far the search after that is cannot be said. */
export async function loadProposal(
  context: RequestContext,
  options: FillOptions,
  { search = searchProposal, signal, report }: Loading = {},
): Promise<LoadedProposal> {
  const { site } = context
  const input = await readForSearch(context, options, signal)
  const { planned, shifts, asked, pool, people, facts, ledgers, weights, hasMoreShifts, hasMorePeople } = input
  const openOf = new Map(planned.map(({ shift, open }) => [shift.id, open]))
  const costs = loadCosts(people.map(({ who }) => pointsOf(ledgers(who), weights)))
  const timeZone = site.timeZone
  const days = shifts.map(({ id, start }) => ({ id, day: dayOf(start, timeZone) }))
  // Judging one person for 100 shifts takes some milliseconds.
  const candidates = await mapInTurns(people, (person, index): Candidate => {
    signal?.throwIfAborted()
    report?.({ done: index, total: people.length })
    const own = facts.of(person.who)
    const chances = shifts.map(
      (shift) => [shift.id, chanceOf(context, { person, shift, facts, own, open: openOf.get(shift.id)! })] as const,
    )
    const minorShifts = days.filter(({ day }) => isMinorOn(own.person.dateOfBirth, day))
    return {
      id: index,
      loadCost: costs[index]!,
      limits: limitsOf(own.settings.limits, own.person.groupIds),
      minorOn: new Set(minorShifts.map(({ id }) => id)),
      engagements: own.engagements.map((engagement) => describeWork(engagement, timeZone)),
      chances: new Map(chances.flatMap(([id, chance]) => (chance ? [[id, chance]] : []))),
    }
  })
  const places = shifts.flatMap(({ id }) => openOf.get(id)!.places)
  const hours = people.map(({ who }) => ledgers(who).doneHours)
  const numbers = new Map(people.map(({ who }, index) => [cardKey(who), index]))
  const numbered = (all: readonly FixedPerson[]) =>
    all.flatMap(({ placeId, who }) => {
      const id = numbers.get(cardKey(who))
      return id === undefined ? [] : [{ placeId, id }]
    })
  const fixed = numbered(options.fixed)
  const isFixed = (placeId: string, id: number) => fixed.some((one) => one.id === id && one.placeId === placeId)
  const spans = shifts.map(({ id, start, end }) => ({ id, start, end }))
  report?.({ done: people.length, total: people.length })
  const proposal = await search({ shifts: spans, places, candidates, timeZone, fixed: numbered(asked) }, { signal })
  const kept = proposal.places.flatMap(({ place, choices }) => choices.filter(({ candidate }) => isFixed(place.id, candidate.id)))
  return {
    ...proposal,
    isFixed,
    lost: options.fixed.length - kept.length,
    shifts,
    pool,
    people: new Map(
      people.map(({ who }, index) => [
        index,
        {
          who,
          name: facts.person(who)?.name ?? '',
          ledger: ledgers(who),
          versions: new Map([...facts.recordsOf(who)].map(([id, { version }]) => [id, version])),
        },
      ]),
    ),
    weights,
    averageHours: hours.length ? hours.reduce((sum, one) => sum + one, 0) / hours.length : 0,
    filled: planned.filter(({ open }) => open?.places.length === 0).length,
    hasMoreShifts,
    hasMorePeople,
    skipped: planned.filter(({ open }) => open === undefined).map(({ shift }) => shift),
    isPlaceOptional: (shiftId) => isPlaceOptional(facts.shared.shifts.get(shiftId)!),
  }
}

type Open = { places: OpenPlace[]; seats: readonly Seat[] }

/** Places that confirmed people leave open. Undefined: the plan cannot be read, or the shift follows another one. */
function openPlacesOf(
  { id, flowSlug }: ScopedShift,
  staffed: StaffedShift | undefined,
  { isOptionalFilled }: FillOptions,
): Open | undefined {
  if (!staffed || flowSlug === 'coupled') return undefined
  const seats = getStructure(staffed.structureSlug)?.seats(staffed.structureConfiguration, staffed)
  if (!seats) return undefined
  const people = staffed.people
    .filter((person) => person.state === STATE.confirmed && holdsPlace(person))
    .map(({ participationId, skills }) => ({ id: participationId, skills, state: 'confirmed' as const }))
  const { open } = suggest({ people, seats, inclusions: staffed.qualifications })
  const places = open
    .filter(({ required, count }) => required || (isOptionalFilled && count !== null))
    .map(({ positionId, place, placeLabel, required, count, needs }): OpenPlace => {
      return {
        id: `${id}-${positionId}`,
        shiftId: id,
        count: count ?? 1,
        isRequired: required,
        label: placeLabel,
        place,
        needs,
      }
    })
  return { places, seats }
}

type Found = { who: CardPerson; eventIds: ReadonlySet<number> }

const haveRequests = ({ db }: RequestContext, shifts: readonly ScopedShift[]): Promise<boolean> =>
  rowsOf(db).exists(sql`
    select from participation p
    where p.shift_id = any (${shifts.map(({ id }) => id)}::bigint[]) and p.state = 0 and p.kind <> 'placeholder'`)

/** Requesters of the shifts; for `everyone` also active people who see the events. Which events is looked up for those who are chosen only. */
export async function findPeople(
  { db }: RequestContext,
  shifts: readonly ScopedShift[],
  { pool, fixed }: { pool: Pool; fixed: readonly FixedPerson[] },
): Promise<Found[]> {
  const fixedIds = fixed.flatMap(({ who }) => ('kind' in who && who.kind === 'local' ? [who.id] : []))
  const shiftIds = shifts.map(({ id }) => id)
  const eventIds = [...new Set(shifts.map(({ eventId }) => eventId))]
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number; eventIds: number[] }>`
    with requested as (
      select p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id, array_agg(distinct p.event_id) as event_ids
      from participation p where p.shift_id = any (${shiftIds}::bigint[]) and p.state = 0 and p.kind <> 'placeholder'
      group by 1, 2
    ), seeing as (
      select m.user_id as id from user_group_member m
      where m.group_id in (select g.group_id from event_group_grant g where g.event_id = any (${eventIds}::bigint[]))
        and (${pool === 'everyone'} or m.user_id = any (${fixedIds}::bigint[]))
      union select g.user_id from event_user_grant g
      where g.event_id = any (${eventIds}::bigint[]) and (${pool === 'everyone'} or g.user_id = any (${fixedIds}::bigint[]))
    ), others as (
      select u.id, (select max(p.end_time) from participation p where p.user_id = u.id and p.state = 1) as last_end
      from seeing s join user_profile u on u.id = s.id
      where u.is_active and u.is_visible
        and not exists (select from requested r where r.kind = 'local' and r.id = u.id)
      order by u.id = any (${fixedIds}::bigint[]) desc, last_end nulls first, u.id limit ${MAX_PEOPLE + 1}
    )
    select kind, id, event_ids as "eventIds" from requested
    union all select 'local', o.id, array(
      select g.event_id from event_group_grant g join user_group_member m on m.group_id = g.group_id and m.user_id = o.id
        where g.event_id = any (${eventIds}::bigint[])
      union select g.event_id from event_user_grant g where g.event_id = any (${eventIds}::bigint[]) and g.user_id = o.id)
    from others o
    limit ${MAX_PEOPLE + 1}`.execute(db)
  return rows.map(({ kind, id, eventIds: seen }) => ({ who: { kind, id }, eventIds: new Set(seen) }))
}

type ChanceInput = {
  person: Found
  shift: ScopedShift
  facts: PeopleFacts
  own: ReturnType<PeopleFacts['of']>
  open: Open
}

/** Undefined: the person is confirmed already. */
function chanceOf({ now, site }: RequestContext, { person, shift, facts, own, open }: ChanceInput): Chance | undefined {
  const record = facts.own(person.who, shift.id)
  if (record?.state === STATE.confirmed) return undefined
  const none = { qualifiedFor: [], isRequested: false, wished: undefined, hasOtherWish: false, isAvailable: false, warnings: [] }
  if (record?.state === STATE.declinedByUser) return { ...none, obstacle: 'declined' }
  if (record?.state === STATE.rejectedByResponsible) return { ...none, obstacle: 'rejected' }
  const isRequested = record?.state === STATE.requested
  if (!isRequested && !person.eventIds.has(shift.eventId)) return { ...none, obstacle: 'not_visible' }
  const span = record ?? shift
  const judged = judgeCandidacy(own, shift.id, { now, timeZone: site.timeZone }, { start: span.start, end: span.end })!
  const skills = judged.applicant.skills
  const qualifiedFor = open.places
    .filter(({ needs }) => needs.some((needed) => covers(skills, new Set(needed))))
    .map(({ id }) => id)
  // Who requested a shift wants it, whatever they said before.
  const isUnavailable = judged.availability === 'cannot' && !isRequested
  const obstacle =
    obstacleOf(judged.reasons['sign-up']) ??
    (qualifiedFor.length === 0 ? 'not_qualified' : isUnavailable ? 'unavailable' : undefined)
  const wishedSeats = record ? open.seats.filter(({ position }) => position.preferredBy?.has(record.id)) : []
  const wished = open.places.find(({ place, id }) =>
    wishedSeats.some((seat) => (seat.place !== null && seat.place === place) || id === `${shift.id}-${seat.position.id}`),
  )
  return {
    obstacle,
    qualifiedFor,
    isRequested,
    wished: wished?.id,
    hasOtherWish: wishedSeats.length > 0 && !wished,
    isAvailable: judged.availability === 'can',
    warnings: judged.warnings,
  }
}
