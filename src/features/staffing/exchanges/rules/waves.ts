import { notifyingTime } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DEFAULT_WAVE_SIZE = 5
/** As many people as one search can ask. */
export const MAX_ASKED = 100

/** Before the shift, people of a wave have this part of the time that is left, so that a long list is asked in time. */
const PARTS = 12
const MOST_HOURS = 2
const LEAST_MINUTES = 5
/** People of the waiting list are asked before others, unless the shift begins within this time. */
const HURRY_HOURS = 24

/** When the next people are asked if nobody has taken the place. A full minute, because people read it and the job runs then. */
export function nextWaveAt(now: Date, { start, timeZone }: { start: Date; timeZone: string }): Date {
  // People who are asked at night are notified in the morning.
  const notified = notifyingTime(now, { timeZone, latest: start }).getTime()
  const gap = Math.min(Math.max((start.getTime() - notified) / PARTS, LEAST_MINUTES * MINUTE_MS), MOST_HOURS * HOUR_MS)
  return notifyingTime(new Date(Math.ceil((notified + gap) / MINUTE_MS) * MINUTE_MS), { timeZone, latest: start })
}

/** Somebody who can take the place. */
export type Taker = {
  id: number
  name: string
  /** Position on the waiting list; undefined: does not wait. */
  line: number | undefined
  /** Shifts that both took part in, whose names the person may see. */
  shared: number
  /** The person would like to ask them first. */
  isChosen: boolean
  /** How often they were asked to stand in within 30 days. */
  asked: number
}

/** Those who wait for a place, those who were chosen, those who shared most shifts, then whoever was asked least. */
export function orderTakers(takers: readonly Taker[]): Taker[] {
  const lineOf = ({ line }: Taker) => line ?? Number.MAX_SAFE_INTEGER
  return [...takers].sort(
    (a, b) =>
      lineOf(a) - lineOf(b) || Number(b.isChosen) - Number(a.isChosen) || b.shared - a.shared || a.asked - b.asked || a.id - b.id,
  )
}

/** How many of the ordered people are asked at once. */
export function firstWaveSize(takers: readonly Taker[], size: number, { now, start }: { now: Date; start: Date }): number {
  const isHurry = start.getTime() - now.getTime() < HURRY_HOURS * HOUR_MS
  const isWaitingListFirst = !isHurry && takers.some(({ line }) => line !== undefined)
  const first = isWaitingListFirst ? takers.filter(({ line, isChosen }) => line !== undefined || isChosen) : takers
  return Math.min(first.length, size)
}

/** A search as the person and those who plan read it. `next`: how many are asked at `nextAt`, which is null if nobody else is. */
export type SearchProgress = { state: 'open' | 'found'; asked: number; people: number; next: number; nextAt: Date | null }
