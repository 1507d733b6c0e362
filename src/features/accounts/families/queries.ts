import { findOwnShifts } from '#features/events/browse/queries/shifts.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { ChildShift } from './rules.ts'

/** Shifts of the caller's children that have not ended, soonest first. */
export async function findShiftsOfChildren(
  context: RequestContext,
  children: readonly UserActor[],
  limit: number,
): Promise<ChildShift[]> {
  const found = await Promise.all(
    children.map(async (actor) => {
      const { confirmed, requested } = await findOwnShifts({ ...context, actor }, limit)
      const child = { userId: actor.userId, name: actor.displayName }
      return [
        ...confirmed.rows.map((shift) => ({ child, shift, isConfirmed: true })),
        ...requested.rows.map((shift) => ({ child, shift, isConfirmed: false })),
      ]
    }),
  )
  return found
    .flat()
    .sort((a, b) => a.shift.start.getTime() - b.shift.start.getTime())
    .slice(0, limit)
}
