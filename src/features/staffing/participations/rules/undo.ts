import type { Answers } from '#features/events/questionnaires/rules.ts'
import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { type Reason, STATE, type State } from '#features/staffing/staffing/rules/model.ts'

/** How long people can undo what they did; mails about it wait longer. */
export const UNDO_SECONDS = 60

/** Own actions that can be undone, and the kind of entry that undoes them. */
export const UNDOABLE: ReadonlySet<string> = new Set([
  'participation.signed_up',
  'participation.declined',
  'participation.customized',
])
export const UNDONE = 'participation.undone'

/** The participation before an action. Undefined: there was none. */
export type Before = { state: State; times: IndividualTimes; structureData: unknown }

type Now = { state: State; times: IndividualTimes; structureData: unknown }

/** Reads from the changes of a journal entry what was there before. Fields that did not change have the values of now. */
export function stateBefore(changes: Readonly<Record<string, unknown>>, now: Now): Before | undefined {
  const before = <T>(field: string, unchanged: T): unknown => {
    const pair = changes[field]
    return Array.isArray(pair) ? pair[0] : unchanged
  }
  const state = before('state', now.state)
  if (state === null) return undefined
  const time = (field: string, unchanged: Date | null): Date | null => {
    const value = before(field, unchanged)
    return typeof value === 'string' ? new Date(value) : (value as Date | null)
  }
  return {
    state: state as State,
    times: {
      start: time('individual_start_time', now.times.start),
      end: time('individual_end_time', now.times.end),
    },
    structureData: before('structure_data', now.structureData),
  }
}

/** Changed answers of an entry, to be written the other way round. */
export function answersToRestore(personal: unknown): [now: Answers, before: Answers] | undefined {
  const pair = typeof personal === 'object' && personal !== null && 'answers' in personal ? personal.answers : undefined
  return Array.isArray(pair) && pair.length === 2 ? [pair[1] as Answers, pair[0] as Answers] : undefined
}

/** Ids of the companions who left with the person. */
export function companionsLeft({ companions }: Readonly<Record<string, unknown>>): number[] {
  const removed = typeof companions === 'object' && companions !== null && 'removed' in companions ? companions.removed : []
  return Array.isArray(removed) ? removed : []
}

/** How many places these participations take. */
export const countPlaces = (all: readonly ({ state: State } | undefined)[]): number =>
  all.filter((each) => each?.state === STATE.confirmed).length

/** The pairs of an entry the other way round. */
export function invertChanges(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const pairs = Object.entries(changes).filter(([, pair]) => Array.isArray(pair) && pair.length === 2)
  return Object.fromEntries(pairs.map(([field, pair]) => [field, [...(pair as unknown[])].reverse()]))
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
