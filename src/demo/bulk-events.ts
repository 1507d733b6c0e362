import { covers } from '#features/staffing/staffing/rules/skills.ts'
import { computeStatistics } from '#features/staffing/staffing/structures/registry.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { type Calendar, DAY, HOUR } from '#platform/sample-data/calendar.ts'
import { inLanguage } from '#platform/sample-data/language.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { Base } from './base.ts'
import type { BulkAudience, BulkAudiences } from './bulk-audiences.ts'
import type { BulkPerson } from './bulk-people.ts'
import { BULK_PLAN } from './bulk-plan.ts'
import type { Batch, ParticipationRow, ShiftRow } from './bulk-write.ts'
import { type EventTypeKey, requiredForType } from './event-types.ts'
import { castMember } from './people.ts'
import { type Place, structureOf } from './shifts.ts'

const DAYS_BACK = 730
const DAYS_AHEAD = 365
const ANN_SEES = 0.6
const USUAL_PER_SHIFT = 5
/** From 1 to 3. */
const SHIFTS_PER_EVENT = 2

type Options = {
  language: SourceLanguage
  base: Base
  people: BulkPerson[]
  audiences: BulkAudiences
  ids: { event: number; shift: number; participation: number }
  now: Date
  calendar: Calendar
  random: Random
  events: number
  /** Maximum number of participations. */
  most: number
}

type BulkCounts = { events: number; shifts: number; participations: number }

/** Generates rows in batches, with the values that triggers would set. */
export function makeBulkEvents(options: Options) {
  const { language, base, people, audiences, ids, now, calendar, random, events, most } = options
  const plan = inLanguage(BULK_PLAN, language)
  const dayStarts = Array.from(
    { length: DAYS_BACK + DAYS_AHEAD + 1 },
    (_, day) => calendar.endOfDay(day - DAYS_BACK - 1).getTime() + 1000,
  )
  // Shifts are between 6:00 and 4:00, so one confirmed shift a day causes no conflict.
  const isTaken = new Uint8Array(people.length * dayStarts.length)
  const structures = plan.structures.map((structure) => {
    const { configuration, places } = structureOf(structure, base, random)
    return { slug: structure.slug, configuration: JSON.stringify(configuration), parsed: configuration, places }
  })
  const typeKeys = Object.keys(base.eventTypes) as EventTypeKey[]
  const planners = people.filter(({ groups }) => groups.includes('planning')).map(({ id }) => id)
  const paulId = castMember(base.people, 'paul').id
  const perShift = Math.min(USUAL_PER_SHIFT, most / (events * SHIFTS_PER_EVENT))
  const made: BulkCounts = { events: 0, shifts: 0, participations: 0 }
  const nowMs = now.getTime()

  function addEvent(batch: Batch): void {
    const id = ids.event + made.events++
    const audience = random.pick(random.chance(ANN_SEES) ? audiences.annSees : audiences.annMisses)
    const type = random.pick(typeKeys)
    const day = random.between(0, dayStarts.length - 1)
    const fate = random.next()
    const active = fate >= 0.02
    const cancelledAt = fate >= 0.02 && fate < 0.03 ? nowMs - DAY : null
    const deletedAt = fate >= 0.03 && fate < 0.04 ? nowMs - DAY : null
    const createdAt = Math.min(nowMs - 3 * DAY, dayStarts[day]! - random.between(20, 90) * DAY)
    const counts = active && cancelledAt === null && deletedAt === null
    const shifts = Array.from({ length: random.between(1, 3) }, (_, index) => {
      return addShift(batch, { eventId: id, audience, type, day, index, createdAt, staffed: active, counts })
    })
    const where = random.pick(plan.where)
    batch.events.push({
      id,
      title: `${random.pick(plan.what)} ${where} ${id}`,
      description: random.pick(plan.texts),
      location: where,
      typeId: base.eventTypes[type],
      active,
      cancelledAt,
      deletedAt,
      createdAt,
      createdById: random.pick(planners),
      audienceId: audience.id,
      shiftCount: shifts.length,
      start: Math.min(...shifts.map(({ start }) => start)),
      end: Math.max(...shifts.map(({ end }) => end)),
    })
    for (const groupId of audience.groupIds) batch.groupGrants.push({ eventId: id, groupId, permission: 'view' })
    batch.groupGrants.push({ eventId: id, groupId: audience.responsibleId, permission: 'change' })
    if (random.chance(0.1)) {
      const userId = random.chance(0.5) ? paulId : random.pick(planners)
      batch.userGrants.push({ eventId: id, userId, permission: 'view' }, { eventId: id, userId, permission: 'change' })
    }
  }

  type Slot = {
    eventId: number
    audience: BulkAudience
    type: EventTypeKey
    day: number
    index: number
    createdAt: number
    staffed: boolean
    counts: boolean
  }

  function addShift(batch: Batch, slot: Slot): ShiftRow {
    const { eventId, audience, day, index } = slot
    const start = dayStarts[day]! + (7 + 6 * index + random.between(0, 2)) * HOUR
    const share = random.next()
    const flow = plan.flows.find(({ upTo }) => share < upTo)!
    const structure = random.pick(structures)
    const shift = {
      id: ids.shift + made.shifts++,
      eventId,
      label: index ? `Schicht ${index + 1}` : '',
      flow,
      structure,
      listedAudienceId: slot.counts ? audience.id : null,
      meeting: start - HOUR / 2,
      start,
      end: start + random.between(3, 6) * HOUR,
    }
    const joined = slot.staffed ? staff(shift, slot, structure.places) : []
    const end = new Date(shift.end)
    const { requestedCount, confirmedCount, missing, free, minCount, maxCount } = computeStatistics({
      structureSlug: structure.slug,
      structureConfiguration: structure.parsed,
      people: joined.map(({ row, person }) => ({
        participationId: row.id,
        state: row.state,
        skills: person.skillsAt(end),
        structureData: row.data,
      })),
      blocks: base.blocks.byId,
      qualifications: base.qualifications.inclusions,
    })
    for (const { row } of joined) batch.participations.push({ ...row, structureData: JSON.stringify(row.data) })
    const row = { ...shift, requested: requestedCount, confirmed: confirmedCount, missing, free, min: minCount, max: maxCount }
    batch.shifts.push(row)
    return row
  }

  type Shift = Pick<ShiftRow, 'id' | 'eventId' | 'start' | 'end' | 'flow'>
  type Joined = {
    person: BulkPerson
    row: Omit<ParticipationRow, 'structureData' | 'state'> & { data: Record<string, string>; state: 0 | 1 | 2 | 3 }
  }

  function staff(shift: Shift, { audience, type, day, createdAt, counts }: Slot, places: readonly Place[]): Joined[] {
    const needs = new Set(requiredForType(type).map((key) => base.qualifications.idOf[key]))
    const end = new Date(shift.end)
    const free = [...places]
    const asked = new Set<number>()
    const joined: Joined[] = []
    const wanted = Math.min(Math.round(2 * perShift * random.next()), most - made.participations)
    const { candidates } = audience
    for (let tries = 0; joined.length < wanted && tries < wanted * 3; tries++) {
      const at = candidates[random.between(0, candidates.length - 1)]!
      const person = people[at]!
      const skills = person.skillsAt(end)
      if (asked.has(at) || !covers(skills, needs) || !places.some((place) => covers(skills, place.needs))) continue
      asked.add(at)
      let state = stateAt(shift.flow.slug, random.next())
      let data: Record<string, string> = {}
      if (state === 1) {
        const spot = at * dayStarts.length + day
        const index = isTaken[spot] ? -1 : free.findIndex((place) => covers(skills, place.needs))
        // Full, or already confirmed that day: the person declines.
        if (index < 0) state = 2
        else {
          const [place] = free.splice(index, 1)
          isTaken[spot] = 1
          if (place?.choice) data = { [place.choice.assignment]: place.choice.value }
        }
      }
      const individualStart = state === 1 && random.chance(0.03) ? shift.start + HOUR : null
      const latest = Math.max(createdAt + HOUR, Math.min(nowMs, shift.start) - HOUR)
      joined.push({
        person,
        row: {
          id: ids.participation + made.participations++,
          shiftId: shift.id,
          eventId: shift.eventId,
          userId: person.id,
          state,
          data,
          individualStart,
          start: individualStart ?? shift.start,
          end: shift.end,
          finished: counts && state === 1 && shift.end <= nowMs,
          createdAt: createdAt + Math.floor(random.next() * (latest - createdAt)),
        },
      })
    }
    return joined
  }

  return {
    next: (size: number): Batch => {
      const batch: Batch = { events: [], groupGrants: [], userGrants: [], shifts: [], participations: [] }
      for (let index = 0; index < size; index++) addEvent(batch)
      return batch
    },
    counts: (): BulkCounts => ({ ...made }),
  }
}

function stateAt(flow: string, share: number): 0 | 1 | 2 | 3 {
  if (flow === 'manual') return 1
  if (flow === 'instant_confirmation') return share < 0.85 ? 1 : 2
  return share < 0.25 ? 0 : share < 0.85 ? 1 : share < 0.95 ? 2 : 3
}
