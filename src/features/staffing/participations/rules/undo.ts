import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { type Reason, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { Change, Changes } from '#platform/journal/kinds.ts'

/** How long people can undo what they did; mails about it wait longer. */
export const UNDO_SECONDS = 60

/** Own actions that can be undone. */
export const UNDOABLE = ['participation.signed_up', 'participation.declined', 'participation.customized'] as const
export const isUndoable = (kind: string): kind is (typeof UNDOABLE)[number] => (UNDOABLE as readonly string[]).includes(kind)

/** The values of a participation in the journal. A new one had no state. */
export type ParticipationValues = {
  state: State | null
  individual_start_time: string | null
  individual_end_time: string | null
  structure_data: unknown
}
type ParticipationChanges = Changes<ParticipationValues>

/** The participation before an action. Undefined: there was none. */
export type Before = { state: State; times: IndividualTimes; structureData: unknown }

/** Reads from the changes of a journal entry what was there before. Fields that did not change have the values of now. */
export function stateBefore(changes: ParticipationChanges, now: Before): Before | undefined {
  const state = changes.state ? changes.state[0] : now.state
  if (state === null) return undefined
  const timeBefore = (change: Change<string | null> | undefined, unchanged: Date | null): Date | null => {
    if (!change) return unchanged
    return change[0] === null ? null : new Date(change[0])
  }
  return {
    state,
    times: {
      start: timeBefore(changes.individual_start_time, now.times.start),
      end: timeBefore(changes.individual_end_time, now.times.end),
    },
    structureData: changes.structure_data ? changes.structure_data[0] : now.structureData,
  }
}

/** How many places these participations take. */
export const countPlaces = (all: readonly ({ state: State } | undefined)[]): number =>
  all.filter((each) => each?.state === STATE.confirmed).length

/** The pairs of an entry the other way round. */
export function invertChanges(changes: ParticipationChanges): ParticipationChanges {
  const pairs = Object.entries(changes).filter(([, pair]) => Array.isArray(pair) && pair.length === 2)
  return Object.fromEntries(pairs.map(([field, [before, after]]) => [field, [after, before]]))
}

/** Of the reasons against a sign-up, those that also prevent returning to a place: deadlines and skills were judged before. */
const AGAINST_RETURN: ReadonlySet<string> = new Set([
  'event_not_active',
  'event_cancelled',
  'configuration_broken',
  'conflict',
  'partial_conflict',
])

/** `isTaken`: somebody else has been confirmed since, and too few places are free. `hasCompanions`: confirmed ones come back, too. */
export function reasonsAgainstReturn(
  before: Before | undefined,
  reasons: readonly Reason[],
  { isTaken, hasCompanions = false }: { isTaken: boolean; hasCompanions?: boolean },
): Reason[] {
  if (before?.state !== STATE.confirmed && before?.state !== STATE.requested) return []
  const found = reasons.filter(({ code }) => AGAINST_RETURN.has(code))
  return (before.state === STATE.confirmed || hasCompanions) && isTaken ? [...found, { code: 'full' }] : found
}
