import type { Skills } from '#features/staffing/staffing/rules/model.ts'
import { covers } from '#features/staffing/staffing/rules/skills.ts'
import type { Calendar } from '#platform/sample-data/calendar.ts'
import { HOUR } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { PlannedState, ShiftPlan } from './plan.ts'
import type { Place, ShiftTimes, StructureOf } from './shifts.ts'

export type Candidate = {
  kind: 'local' | 'guest' | 'visitor' | 'placeholder'
  /** Null for a placeholder. */
  id: number | null
  name: string
  birthday: string | null
  skillsAt: (at: Date) => Skills
}

export type Planned = {
  who: Candidate
  state: PlannedState
  structureData: Record<string, string>
  individualStart: Date | null
  individualEnd: Date | null
}

type Span = { start: Date; end: Date }

/** Times at which people are confirmed, to avoid conflicts. */
export type Schedule = { isFree: (who: Candidate, spans: Span[]) => boolean; note: (who: Candidate, spans: Span[]) => void }

export function makeSchedule(): Schedule {
  const spansOf = new Map<string, Span[]>()
  const of = (who: Candidate) => spansOf.get(`${who.kind} ${who.id}`) ?? []
  return {
    isFree: (who, spans) =>
      who.kind === 'placeholder' || !of(who).some((span) => spans.some(({ start, end }) => span.start < end && start < span.end)),
    note: (who, spans) => {
      spansOf.set(`${who.kind} ${who.id}`, [...of(who), ...spans])
    },
  }
}

type StaffingInput = {
  plan: ShiftPlan
  times: ShiftTimes
  /** Times of this shift and of the shifts coupled to it. */
  spans: Span[]
  structure: StructureOf
  /** Qualifications that the event type requires. */
  needs: Skills
  /** People with a state in the plan; they are placed first. */
  fixed: [Candidate, PlannedState][]
  pool: Candidate[]
  schedule: Schedule
  now: Date
  random: Random
  calendar: Calendar
}

export function staffShift(input: StaffingInput): Planned[] {
  const { plan, times, spans, structure, needs, fixed, pool, schedule, now, random, calendar } = input
  const isPast = times.end <= now
  const asks = plan.flow.slug === 'request_confirm'
  const planned: Planned[] = []
  // Required places first, and those with the most requirements before others.
  const free = structure.places.toSorted((a, b) => Number(b.required) - Number(a.required) || b.needs.size - a.needs.size)

  const fits = (who: Candidate) => {
    const skills = who.skillsAt(times.end)
    const age = plan.structure.age ?? 0
    if (age > 0 && (!who.birthday || calendar.ageAt(who.birthday, times.start) < age)) return false
    return covers(skills, needs) && structure.places.some((place) => covers(skills, place.needs))
  }
  const confirm = (who: Candidate): boolean => {
    const isPlaceholder = who.kind === 'placeholder'
    if (!schedule.isFree(who, spans) || !(isPlaceholder || fits(who))) return false
    const skills = who.skillsAt(times.end)
    const index = isPlaceholder ? free.length - 1 : free.findIndex((place) => covers(skills, place.needs))
    const [place] = index < 0 ? [] : free.splice(index, 1)
    if (!place) return false
    schedule.note(who, spans)
    planned.push({ ...join(who, 1, chosen(place, isPlaceholder)), ...individualTimes() })
    return true
  }
  const chosen = ({ choice }: Place, mustAssign: boolean): Record<string, string> => {
    if (!choice) return {}
    const wishes = plan.structure.slug !== 'uniform' && 'choose' in plan.structure
    if (!asks && wishes && !mustAssign) return { [choice.wish]: choice.value }
    const assigned = mustAssign || plan.structure.slug === 'named_teams' || random.chance(0.6)
    return { ...(wishes ? { [choice.wish]: choice.value } : {}), ...(assigned ? { [choice.assignment]: choice.value } : {}) }
  }
  const wished = (who: Candidate): Record<string, string> => {
    const choices = structure.places.filter(({ choice, needs }) => choice && covers(who.skillsAt(times.end), needs))
    const { choice } = (choices.length && random.chance(0.7) && random.pick(choices)) || { choice: null }
    return choice ? { [choice.wish]: choice.value } : {}
  }
  const individualTimes = () => {
    const hours = (times.end.getTime() - times.start.getTime()) / HOUR
    const may = plan.flow.slug !== 'manual' && !('fixedTimes' in plan.flow) && hours >= 4 && random.chance(0.1)
    const late = may && random.chance(0.5)
    return {
      individualStart: late ? new Date(times.start.getTime() + HOUR) : null,
      individualEnd: may && !late ? new Date(times.end.getTime() - HOUR) : null,
    }
  }

  for (const [who, state] of fixed) {
    if (state !== 1) planned.push(join(who, state, state === 0 ? wished(who) : {}))
    else if (!confirm(who))
      throw new Error(`the demo's plan has no place for ${who.name} in “${plan.label}” (${times.start.toISOString()})`)
  }
  const asked = new Set(planned.map(({ who }) => who))
  const others = random.shuffled(pool).filter((who) => !asked.has(who) && fits(who))
  const target = Math.round(structure.places.length * pickFillRatio(isPast, times.start, now, random))
  const left: Candidate[] = []
  for (const who of others) if (structure.places.length - free.length >= target || !confirm(who)) left.push(who)

  const take = (count: number, state: PlannedState) => {
    for (const who of left.splice(0, count)) planned.push(join(who, state, state === 0 ? wished(who) : {}))
  }
  if (asks) take(isPast ? random.between(0, 1) : random.between(1, 4), 0)
  if (plan.flow.slug !== 'manual') take(random.between(0, 2), 2)
  if (asks && random.chance(0.4)) take(1, 3)
  return planned
}

function join(who: Candidate, state: PlannedState, structureData: Record<string, string>): Planned {
  return { who, state, structureData, individualStart: null, individualEnd: null }
}

/** Share of taken places: most in the past, fewer the further ahead. */
function pickFillRatio(isPast: boolean, start: Date, now: Date, random: Random): number {
  if (isPast) return 0.7 + 0.3 * random.next()
  const weeksAhead = (start.getTime() - now.getTime()) / (7 * 24 * HOUR)
  return Math.max(0.1, 0.8 - 0.06 * weeksAhead) * (0.6 + 0.5 * random.next())
}
