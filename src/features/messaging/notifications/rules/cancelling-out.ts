import { isUndoable } from '#features/staffing/participations/rules/undo.ts'
import type { JournalKind, StoredChanges } from '#platform/journal/kinds.ts'
import { SETTLE_SECONDS, UNDO_SETTLE_SECONDS } from './delivery.ts'

/** Entries about an event or a shift, and the entry that takes them back. */
const TAKEN_BACK_BY: { readonly [Kind in JournalKind]?: JournalKind } = {
  'event.cancelled': 'event.reopened',
  'event.deleted': 'event.restored',
  'shift.cancelled': 'shift.reopened',
  'shift.deleted': 'shift.restored',
}
/** Entries that another one of the same kind takes back, if it restores the times. */
export const MOVED = 'shift.changed' satisfies JournalKind
const TIME_FIELDS = ['meeting_time', 'start_time', 'end_time'] as const

const TAKES_BACK = new Map(Object.entries(TAKEN_BACK_BY).map(([kind, inverse]) => [inverse, kind as JournalKind]))

/** The kind of entry that this one takes back. */
export const takenBackKind = (entryKind: JournalKind): JournalKind | undefined => TAKES_BACK.get(entryKind)
/** The kind of entry that takes this one back. */
export function takingBackKind(entryKind: JournalKind): JournalKind | undefined {
  return isUndoable(entryKind) || entryKind === 'participation.moved' ? 'participation.undone' : TAKEN_BACK_BY[entryKind]
}

type Move = { id: number; at: Date; changes: StoredChanges<typeof MOVED> }

/** Whether the second entry restores the times before the first one. */
function restoresTimes({ changes: first }: Move, { changes: second }: Move): boolean {
  const timesIn = (changes: Move['changes']) => TIME_FIELDS.filter((name) => changes[name])
  const isRestored = (name: (typeof TIME_FIELDS)[number]) =>
    first[name]?.[0] === second[name]?.[1] && first[name]?.[1] === second[name]?.[0]
  const moved = timesIn(first)
  return moved.length > 0 && moved.length === timesIn(second).length && moved.every(isRestored)
}

/**
 * Moves of one shift that were taken back before their mails were due: the entry that restores the times, and the one that it takes
 * back. A move that was taken back and is made again counts as a new one. Oldest first.
 */
export function pairMoves(moves: readonly Move[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: Move[] = []
  for (const move of moves) {
    const last = open.at(-1)
    if (last && isWithinSettling(last.at, move.at) && restoresTimes(last, move)) {
      pairs.set(move.id, last.id)
      open.pop()
    } else open.push(move)
  }
  return pairs
}

/** How long mails wait for more of their bundle, or for the entry that takes them back. */
export const settleSecondsOf = (entryKind: JournalKind): number =>
  entryKind === MOVED || takingBackKind(entryKind) !== undefined ? UNDO_SETTLE_SECONDS : SETTLE_SECONDS

/** Whether two entries follow so closely that their mails cancel each other out. */
export const isWithinSettling = (first: Date, second: Date): boolean =>
  second.getTime() - first.getTime() <= UNDO_SETTLE_SECONDS * 1000
