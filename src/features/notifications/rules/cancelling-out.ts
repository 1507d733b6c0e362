import { UNDOABLE, UNDONE } from '#features/participations/rules/undo.ts'
import { SETTLE_SECONDS, UNDO_SETTLE_SECONDS } from './delivery.ts'

/** Entries about an event, and the entry that takes them back. */
const TAKEN_BACK_BY: Readonly<Record<string, string>> = {
  'event.cancelled': 'event.reopened',
  'event.deleted': 'event.restored',
}
const TAKES_BACK = new Map(Object.entries(TAKEN_BACK_BY).map(([kind, inverse]) => [inverse, kind]))

export const takesBackParticipation = (entryKind: string): boolean => entryKind === UNDONE
/** The kind of entry that this one takes back. */
export const takenBackKind = (entryKind: string): string | undefined => TAKES_BACK.get(entryKind)
/** The kind of entry that takes this one back. */
export function takingBackKind(entryKind: string): string | undefined {
  return UNDOABLE.has(entryKind) ? UNDONE : TAKEN_BACK_BY[entryKind]
}

/** How long mails wait for more of their bundle, or for the entry that takes them back. */
export const settleSecondsOf = (entryKind: string): number =>
  takingBackKind(entryKind) === undefined ? SETTLE_SECONDS : UNDO_SETTLE_SECONDS

/** Whether two entries follow so closely that their mails cancel each other out. */
export const isWithinSettling = (first: Date, second: Date): boolean =>
  second.getTime() - first.getTime() <= UNDO_SETTLE_SECONDS * 1000
