import { getSettings } from '#features/operations/settings/queries.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getSwap, type Swap } from '../queries/swap.ts'
import { rolesToAgree, type SwapRole } from '../rules/swap.ts'
import { exchangeSettings } from '../schema.ts'
import { exchange, getPlaces, judgeBoth, lockSwap, movePlaces, recordForBoth, requestStages, setState } from './swap-steps.ts'

const ROLES = ['proposer', 'other'] as const

/** The places of the proposal whose events the caller plans. 404 if the shift is not among them. */
async function requireRoles(tx: Tx, context: CommandContext, swap: Swap | undefined, shiftId: number): Promise<SwapRole[]> {
  const roles: SwapRole[] = []
  for (const role of swap ? ROLES : [])
    if ((await getChangeableEventOf(tx, context.actor, swap![role].shiftId)) !== undefined) roles.push(role)
  if (!roles.some((role) => swap![role].shiftId === shiftId)) throw new Problem('not_found')
  return roles
}

type SwapDecision =
  | { kind: 'done' }
  | { kind: 'refused' }
  | { kind: 'gone' }
  /** The planners of the other event have to agree, too. */
  | { kind: 'agreed' }
  | { kind: 'not_possible'; reasons: readonly Reason[] }

/** A planner of one of the events agrees to a swap that both people want, or refuses it: then nothing changes. */
export function decideSwap(
  context: CommandContext,
  { shiftId, swapId, agrees }: { shiftId: number; swapId: number; agrees: boolean },
  guard: Guard = GUARD,
): Promise<SwapDecision> {
  return transact(context.db, async (tx): Promise<SwapDecision> => {
    await requireRoles(tx, context, await getSwap(tx, swapId), shiftId)
    const swap = await lockSwap(tx, context, swapId, guard)
    const roles = await requireRoles(tx, context, swap, shiftId)
    if (swap?.state !== 'accepted') return { kind: 'gone' }
    const by = userIdOrNull(context.actor)
    await tx
      .updateTable('swap')
      .set({
        ...(roles.includes('proposer') ? { decided_by_id: by, decided_at: context.now } : {}),
        ...(roles.includes('other') ? { other_decided_by_id: by, other_decided_at: context.now } : {}),
      })
      .where('id', '=', swapId)
      .execute()
    const users = [swap.proposer.userId, swap.other.userId]
    if (!agrees) {
      await setState(tx, swapId, 'refused')
      await recordForBoth(tx, context, swap, { kind: 'shift.swap_refused', users })
      return { kind: 'refused' }
    }
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    const places = await getPlaces(tx, swap)
    const judged = places && (await judgeBoth(tx, context, swap, places))
    if (!places || !judged) return { kind: 'gone' }
    const reasons = [...judged.proposer.reasons, ...judged.other.reasons].filter(({ code }) => code !== 'closed')
    if (reasons.length) return { kind: 'not_possible', reasons }
    const missing = rolesToAgree(mode, requestStages(judged)).filter(
      (role) => !roles.includes(role) && swap[role].decidedAt === null,
    )
    if (missing.length) {
      const own = roles.includes('proposer') ? swap.proposer : swap.other
      await record(tx, context, {
        kind: 'shift.swap_agreed',
        subject: { kind: 'shift', id: own.shiftId },
        eventId: own.eventId,
        changes: { swap: swapId },
      })
      return { kind: 'agreed' }
    }
    await guard.checked()
    await setState(tx, swapId, 'done')
    await exchange(tx, context, swap, places)
    return { kind: 'done' }
  })
}

/** A planner of one of the events puts both people back. False: one of the places was changed since, or is not free of conflicts. */
export function undoSwap(context: CommandContext, { shiftId, swapId }: { shiftId: number; swapId: number }): Promise<boolean> {
  return transact(context.db, async (tx) => {
    await requireRoles(tx, context, await getSwap(tx, swapId), shiftId)
    const swap = await lockSwap(tx, context, swapId, GUARD)
    await requireRoles(tx, context, swap, shiftId)
    if (swap?.state !== 'done' || swap.proposer.start <= context.now || swap.other.start <= context.now) return false
    // Exchanges once more, with the shifts as they are now: each person has the place of the other.
    const back: Swap = {
      ...swap,
      proposer: { ...swap.other, userId: swap.proposer.userId },
      other: { ...swap.proposer, userId: swap.other.userId },
    }
    const places = await getPlaces(tx, back)
    const judged = places && (await judgeBoth(tx, context, back, places))
    const reasons = judged && [...judged.proposer.reasons, ...judged.other.reasons]
    if (!places || !reasons || reasons.some(({ code }) => code === 'conflict')) return false
    await setState(tx, swapId, 'undone')
    await movePlaces(tx, context, back, places)
    const users = [swap.proposer.userId, swap.other.userId]
    await recordForBoth(tx, context, swap, { kind: 'shift.swap_undone', users })
    return true
  })
}
