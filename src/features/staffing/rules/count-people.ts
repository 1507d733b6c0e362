import { STATE, type State } from './states.ts'
import { NO_STATS, type SignupStats } from './statistics.ts'

export type PeopleCount = Pick<SignupStats, 'requestedCount' | 'confirmedCount'>

export function countPeople(people: Iterable<{ state: State }>): PeopleCount {
  let requestedCount = 0
  let confirmedCount = 0
  for (const { state } of people) {
    if (state === STATE.requested) requestedCount++
    if (state === STATE.confirmed) confirmedCount++
  }
  return { requestedCount, confirmedCount }
}

/** A group of places that anybody counted in may fill: a plain shift, a team, a requirement, a position. */
export function boundedStats(count: PeopleCount, { min, max }: { min: number | null; max: number | null }): SignupStats {
  return {
    ...count,
    missing: Math.max((min ?? 0) - count.confirmedCount, 0),
    free: max === null ? null : Math.max(max - count.confirmedCount, 0),
    minCount: min,
    maxCount: max,
  }
}

/** People who fill no place of the structure: they are counted and offer or claim nothing. */
export function extraStats(count: PeopleCount): SignupStats {
  return { ...NO_STATS, ...count }
}

/** For a structure that cannot be read: nothing is known but how many people there are. */
export function fallbackStats(people: Iterable<{ state: State }>): SignupStats {
  return { ...countPeople(people), missing: 0, free: null, minCount: null, maxCount: null }
}
