import { type Span, spansWhole } from '#platform/time-span.ts'
import { match } from './matching.ts'
import type { Inclusions, MatchPerson, PlaceLabel, Seat } from './model.ts'
import { dropIncluded } from './skills.ts'

/** Places that nobody fills; `needs` as of a position: any one of these sets is enough. */
export type Lack = {
  place: string | null
  placeLabel: PlaceLabel
  needs: readonly (readonly number[])[]
  count: number
}
/** A part of the shift during which the same people are there. */
export type Segment = Span & { present: number; lacks: readonly Lack[] }
/** A lack from one moment to another; `isWhole`: all through the shift. */
export type Shortage = Lack & Span & { isWhole: boolean }

export type CoverageInput = {
  shift: Span
  /** Of confirmed people. */
  people: readonly MatchPerson[]
  presence: ReadonlyMap<number, Span>
  /** Laid out for these people. */
  seats: readonly Seat[]
  inclusions: Inclusions
}

/**
 * More moments at which somebody comes or goes are not told apart: a part that is taken together counts those only who are there all
 * through it, so that it can claim a lack too early and never hides one.
 */
const MAX_SEGMENTS = 60

/** A shift is cut where somebody comes later or leaves earlier; each part is matched by itself. */
export function computeCoverage({ shift, people, presence, seats, inclusions }: CoverageInput): Segment[] {
  const positions = seats.map(({ position }) => position)
  const known = new Map<string, readonly Lack[]>()
  return segmentsOf(shift, [...presence.values()]).map((span) => {
    const here = people.filter(({ id }) => spansWhole(presence.get(id) ?? shift, span))
    const key = here.map(({ id }) => id).join()
    const lacks = known.get(key) ?? lacksOf(seats, match({ people: here, positions, inclusions }).assignment, inclusions)
    known.set(key, lacks)
    return { ...span, present: here.length, lacks }
  })
}

function segmentsOf(shift: Span, spans: readonly Span[]): Span[] {
  const moments = spans.flatMap(({ start, end }) => [start.getTime(), end.getTime()])
  const inside = moments.filter((at) => at > shift.start.getTime() && at < shift.end.getTime())
  const cuts = [...new Set(inside)].sort((a, b) => a - b)
  const step = Math.ceil((cuts.length + 1) / MAX_SEGMENTS)
  const ends = [shift.start.getTime(), ...cuts.filter((_, i) => (i + 1) % step === 0), shift.end.getTime()]
  return ends.slice(1).map((end, i) => ({ start: new Date(ends[i]!), end: new Date(end) }))
}

/** Places that ask for the same in the same team or unit are told together. */
function lacksOf(seats: readonly Seat[], assignment: ReadonlyMap<number, string>, inclusions: Inclusions): Lack[] {
  const taken = new Map<string, number>()
  for (const id of assignment.values()) taken.set(id, (taken.get(id) ?? 0) + 1)
  const lacks = new Map<string, Lack>()
  for (const { position, place, label } of [...seats].sort((a, b) => a.position.rank - b.position.rank)) {
    const count = (position.places ?? 1) - (taken.get(position.id) ?? 0)
    if (!position.required || count <= 0) continue
    const needs = position.needs.map((needed) => dropIncluded(needed, inclusions))
    const lack = { place, placeLabel: label, needs, count }
    const key = keyOf(lack)
    lacks.set(key, { ...lack, count: count + (lacks.get(key)?.count ?? 0) })
  }
  return [...lacks.values()]
}

const keyOf = ({ place, placeLabel, needs }: Lack): string => JSON.stringify([place, placeLabel, needs])

/** The lacks of all parts, from when until when each lasts; the longest common story first by time. */
export function listShortages(segments: readonly Segment[]): Shortage[] {
  const found: Shortage[] = []
  const open = new Map<string, Shortage>()
  for (const { start, end, lacks } of segments) {
    for (const lack of lacks) {
      const key = `${keyOf(lack)} ${lack.count}`
      const last = open.get(key)
      if (last && last.end.getTime() === start.getTime()) last.end = end
      else {
        const fresh = { ...lack, start, end, isWhole: false }
        open.set(key, fresh)
        found.push(fresh)
      }
    }
  }
  const first = segments[0]?.start.getTime()
  const last = segments.at(-1)?.end.getTime()
  return found.map((one) => ({ ...one, isWhole: one.start.getTime() === first && one.end.getTime() === last }))
}
