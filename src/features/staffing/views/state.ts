import type { Words } from '#platform/i18n/words.ts'
import type { Tone } from '#platform/ui/badge.ts'
import type { Staffing } from '#platform/ui/staffing.ts'
import { type SignupStats, STATE, type State } from '../rules/model.ts'

const TONES: Record<State, Tone> = { 0: 'warn', 1: 'good', 2: 'quiet', 3: 'bad', 4: 'info' }

export type StateBadge = { tone: Tone; text: string }

/** A request that nobody will decide any more asks for no attention. */
const toneOf = (state: State, isOver: boolean): Tone => (isOver && state === STATE.requested ? 'quiet' : TONES[state])

/** Short, behind “You:”. */
export function shortStateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  return state === undefined ? undefined : { tone: toneOf(state, isOver), text: words.t(`event.own.${state}`) }
}

/** A sentence of its own. */
export function stateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  return state === undefined ? undefined : { tone: toneOf(state, isOver), text: words.t(`event.you.${state}`) }
}

/** What is missing and free was stored, and is not the difference of bounds: a surplus in one part hides no gap in another. */
export function toStaffing({ confirmedCount, requestedCount, missing, free, minCount }: SignupStats): Staffing {
  return {
    confirmed: confirmedCount,
    asked: requestedCount,
    minimum: missing > 0 ? confirmedCount + missing : Math.min(minCount ?? 0, confirmedCount),
    maximum: free === null ? null : confirmedCount + Math.max(free, missing),
  }
}
