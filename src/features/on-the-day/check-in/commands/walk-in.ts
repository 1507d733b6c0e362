import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { saveCards } from '#features/staffing/disposition/commands/board.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { findCheckInShifts } from '../queries/roster.ts'
import { markPeople } from './marks.ts'

type WalkIn = { shiftId: number; name: string; markId: string }

/** Adds somebody who is there without being on the list, by name, and marks them as arrived. */
export async function addWalkIn(
  context: CommandContext,
  eventId: number,
  { shiftId, name, markId }: WalkIn,
): Promise<{ ok: true } | { ok: false; reason: 'name' | 'shift' | 'known' }> {
  const shifts = await findCheckInShifts(context.db, eventId)
  if (!shifts.some(({ id }) => id === shiftId)) return { ok: false, reason: 'shift' }
  if (!name) return { ok: false, reason: 'name' }
  const [saved] = await saveCards(context, [{ shiftId, who: { placeholder: name }, to: 1, version: null }])
  if (saved?.kind === 'stale') return { ok: false, reason: 'known' }
  if (saved?.kind !== 'saved') throw await refuseEvent(context.db, context.actor, eventId)
  const mark = { kind: 'arrived', at: context.now } as const
  const marks = [{ id: markId, participationId: saved.participationId, mark, base: null, madeAt: context.now }]
  await markPeople(context, eventId, marks, { source: 'planner' })
  return { ok: true }
}
