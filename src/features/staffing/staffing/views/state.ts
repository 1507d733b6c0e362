import type { Words } from '#platform/i18n/words.ts'
import type { Tone } from '#platform/ui/badge.ts'
import { type SignupStats, STATE, type State } from '../rules/model.ts'
import { shortfallOf } from '../rules/statistics.ts'
import type { Staffing } from './staffing.ts'

const TONES: Record<State, Tone> = { 0: 'warn', 1: 'good', 2: 'quiet', 3: 'bad', 4: 'info' }

type StateBadge = { tone: Tone; text: string }

/** After the end of the shift, an open request needs no attention. */
const toneOf = (state: State, isOver: boolean): Tone => (isOver && state === STATE.requested ? 'quiet' : TONES[state])

/** One word, shown after “You:”. */
export function shortStateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  return state === undefined ? undefined : { tone: toneOf(state, isOver), text: words.t(`event.own.${state}`) }
}

/** A complete sentence, in the past tense after the end. */
export function stateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  if (state === undefined) return undefined
  return { tone: toneOf(state, isOver), text: words.t(isOver ? `event.was.${state}` : `event.you.${state}`) }
}

/** Uses the stored `missing` and `free` instead of the bounds: a surplus in one part must not hide a gap in another. */
export function toStaffing(stats: SignupStats): Staffing {
  const { confirmedCount, requestedCount, missing, free, minCount } = stats
  const confirmed = countInPlan(stats)
  return {
    confirmed,
    extra: confirmedCount - confirmed,
    requested: requestedCount,
    minimum: missing > 0 ? confirmed + missing : Math.min(minCount ?? 0, confirmed),
    maximum: free === null ? null : confirmed + Math.max(free, missing),
    shortfall: shortfallOf(stats),
  }
}

/** Confirmed people who fill a place that the plan asks for. Without an upper limit, everybody does unless somebody is missing. */
function countInPlan({ confirmedCount, missing, free, minCount, maxCount }: SignupStats): number {
  const places = free === null ? minCount : maxCount
  if (places === null || (free === null && missing === 0)) return confirmedCount
  return Math.min(confirmedCount, Math.max(0, places - Math.max(free ?? 0, missing)))
}
