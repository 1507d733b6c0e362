import type { Words } from '#platform/i18n/words.ts'
import type { Tone } from '#platform/ui/badge.ts'
import type { Staffing } from '#platform/ui/staffing.ts'
import { type SignupStats, STATE, type State } from '../rules/model.ts'

const TONES: Record<State, Tone> = { 0: 'warn', 1: 'good', 2: 'quiet', 3: 'bad', 4: 'info' }

type StateBadge = { tone: Tone; text: string }

/** After the end of the shift, an open request needs no attention. */
const toneOf = (state: State, isOver: boolean): Tone => (isOver && state === STATE.requested ? 'quiet' : TONES[state])

/** One word, shown after “You:”. */
export function shortStateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  return state === undefined ? undefined : { tone: toneOf(state, isOver), text: words.t(`event.own.${state}`) }
}

/** A complete sentence. */
export function stateBadge(words: Words, state: State | undefined, isOver: boolean): StateBadge | undefined {
  return state === undefined ? undefined : { tone: toneOf(state, isOver), text: words.t(`event.you.${state}`) }
}

/** Uses the stored `missing` and `free` instead of the bounds: a surplus in one part must not hide a gap in another. */
export function toStaffing({ confirmedCount, requestedCount, missing, free, minCount }: SignupStats): Staffing {
  return {
    confirmed: confirmedCount,
    requested: requestedCount,
    minimum: missing > 0 ? confirmedCount + missing : Math.min(minCount ?? 0, confirmedCount),
    maximum: free === null ? null : confirmedCount + Math.max(free, missing),
  }
}
