import { type Span, spansWhole } from '#platform/time-span.ts'
import { match } from './matching.ts'
import type { Inclusions, MatchPerson, PlaceLabel, Seat } from './model.ts'
import { dropIncluded } from './skills.ts'

/** Required places without a person; any one set of `needs` is enough. */
type Lack = {
  place: string | null
  placeLabel: PlaceLabel
  needs: readonly (readonly number[])[]
  count: number
}
/** A part of the shift during which the same people are there. */
export type Segment = Span & { present: number; lacks: readonly Lack[] }
/** A lack with its times; `isWhole`: it lasts for the whole shift. */
export type Shortage = Lack & Span & { isWhole: boolean }

type CoverageInput = {
  shift: Span
  /** Of confirmed people. */
  people: readonly MatchPerson[]
  presence: ReadonlyMap<number, Span>
  /** Built for these people. */
  seats: readonly Seat[]
  inclusions: Inclusions
}

/**
 * Upper limit for the work. Beyond it, neighbouring segments are merged; a merged segment counts only people who are present for all
 * of it, so it may report a lack too early and never hides one.
 */
const MAX_SEGMENTS = 60

/** Cuts the shift wherever a person arrives or leaves, and matches each segment separately. */
export function computeCoverage({ shift, people, presence, seats, inclusions }: CoverageInput): Segment[] {
  const positions = seats.map(({ position }) => position)
  const cache = new Map<string, readonly Lack[]>()
  return cutSegments(shift, [...presence.values()]).map((span) => {
    const present = people.filter(({ id }) => spansWhole(presence.get(id) ?? shift, span))
    const key = present.map(({ id }) => id).join()
    const lacks = cache.get(key) ?? findLacks(seats, match({ people: present, positions, inclusions }).assignment, inclusions)
    cache.set(key, lacks)
    return { ...span, present: present.length, lacks }
  })
}

function cutSegments(shift: Span, spans: readonly Span[]): Span[] {
  const moments = spans.flatMap(({ start, end }) => [start.getTime(), end.getTime()])
  const inside = moments.filter((at) => at > shift.start.getTime() && at < shift.end.getTime())
  const cuts = [...new Set(inside)].sort((a, b) => a - b)
  const step = Math.ceil((cuts.length + 1) / MAX_SEGMENTS)
  const ends = [shift.start.getTime(), ...cuts.filter((_, i) => (i + 1) % step === 0), shift.end.getTime()]
  return ends.slice(1).map((end, i) => ({ start: new Date(ends[i]!), end: new Date(end) }))
}

/** Merges places with the same needs in the same team or unit. */
function findLacks(seats: readonly Seat[], assignment: ReadonlyMap<number, string>, inclusions: Inclusions): Lack[] {
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

/** The most people missing at the same time. */
export const largestLack = (segments: readonly Segment[]): number =>
  Math.max(0, ...segments.map(({ lacks }) => lacks.reduce((sum, { count }) => sum + count, 0)))

/** Joins equal lacks of neighbouring segments, ordered by their start. */
export function listShortages(segments: readonly Segment[]): Shortage[] {
  const found: (Lack & Span)[] = []
  const open = new Map<string, Lack & Span>()
  for (const { start, end, lacks } of segments) {
    for (const lack of lacks) {
      const key = `${keyOf(lack)} ${lack.count}`
      const last = open.get(key)
      if (last && last.end.getTime() === start.getTime()) last.end = end
      else {
        const fresh = { ...lack, start, end }
        open.set(key, fresh)
        found.push(fresh)
      }
    }
  }
  const first = segments[0]?.start.getTime()
  const last = segments.at(-1)?.end.getTime()
  return found.map((one) => ({ ...one, isWhole: one.start.getTime() === first && one.end.getTime() === last }))
}
