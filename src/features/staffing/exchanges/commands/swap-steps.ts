import type { Guard } from '#features/staffing/participations/commands/locks.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { JournalKind } from '#platform/journal/kinds.ts'
import { getPlace, type Place } from '../queries/stand-in.ts'
import { getSwap, judgeSwap, type Swap } from '../queries/swap.ts'
import type { SwapRole, SwapState } from '../rules/swap.ts'
import { leavePlace, lockPlaces, takePlace } from './places.ts'

/** The proposal as it is once both people and both events are locked. */
export async function lockSwap(tx: Tx, context: CommandContext, id: number, guard: Guard): Promise<Swap | undefined> {
  const found = await getSwap(tx, id)
  if (!found) return undefined
  const { proposer, other } = found
  const users = [proposer.userId, other.userId]
  await lockPlaces(tx, context, { users, events: [proposer.eventId, other.eventId] }, guard)
  return getSwap(tx, id)
}

export async function setState(tx: Tx, id: number, state: SwapState): Promise<void> {
  await tx.updateTable('swap').set({ state }).where('id', '=', id).execute()
}

type SwapStep = { kind: Exclude<Extract<JournalKind, `shift.swap_${string}`>, 'shift.swap_agreed'>; users: readonly number[] }

/** In the log of the event of the person who proposed. `users` are notified. */
export async function recordStep(
  tx: Tx,
  context: CommandContext,
  { id, proposer }: Swap,
  { kind, users }: SwapStep,
): Promise<void> {
  await record(tx, context, {
    kind,
    subject: { kind: 'shift', id: proposer.shiftId },
    eventId: proposer.eventId,
    changes: { swap: id, users },
  })
}

/** Records a step in the logs of both events, so that the planners of both see it and are notified. */
export async function recordForBoth(tx: Tx, context: CommandContext, swap: Swap, step: SwapStep): Promise<void> {
  await recordStep(tx, context, swap, step)
  const { other, proposer } = swap
  if (other.eventId === proposer.eventId) return
  await record(tx, context, {
    kind: step.kind,
    subject: { kind: 'shift', id: other.shiftId },
    eventId: other.eventId,
    changes: { swap: swap.id, users: [] },
  })
}

type Places = Record<SwapRole, Place>

/** Both places, if both people still have them. */
export async function getPlaces(tx: Tx, { proposer, other }: Swap): Promise<Places | undefined> {
  const own = await getPlace(tx, proposer.shiftId, proposer.userId)
  const theirs = await getPlace(tx, other.shiftId, other.userId)
  if (own?.state !== STATE.confirmed || theirs?.state !== STATE.confirmed) return undefined
  return { proposer: own, other: theirs }
}

export const judgeBoth = (tx: Tx, context: CommandContext, { proposer, other }: Swap, places: Places) =>
  judgeSwap(tx, context, {
    proposer: { userId: proposer.userId, eventId: proposer.eventId, place: places.proposer },
    other: { userId: other.userId, eventId: other.eventId, place: places.other },
  })

type Judged = NonNullable<Awaited<ReturnType<typeof judgeSwap>>>

/** Each person is judged for the place of the other, so the rules of their own shift are in the other result. */
export const requestStages = ({ proposer, other }: Judged): Record<SwapRole, boolean> => ({
  proposer: other.signupRules?.hasRequestStage !== false,
  other: proposer.signupRules?.hasRequestStage !== false,
})

const shiftOf = ({ shiftId, eventId }: Swap[SwapRole]) => ({ id: shiftId, eventId })

/**
 * Each person gets the place of the other with its times and team. The state of the proposal is written before, because a trigger ends
 * all open proposals about a place that changes. Each shift gets the new person before the former one leaves, so that no place is
 * free in between.
 */
export async function exchange(tx: Tx, context: CommandContext, swap: Swap, places: Places): Promise<void> {
  await movePlaces(tx, context, swap, places)
  const users = [swap.proposer.userId, swap.other.userId]
  await recordForBoth(tx, context, swap, { kind: 'shift.swap_done', users })
}

export async function movePlaces(tx: Tx, context: CommandContext, { proposer, other }: Swap, places: Places): Promise<void> {
  const proposerPlace = { shift: shiftOf(proposer), place: places.proposer, cause: 'swap' } as const
  const otherPlace = { shift: shiftOf(other), place: places.other, cause: 'swap' } as const
  await takePlace(tx, context, { ...proposerPlace, userId: other.userId })
  await leavePlace(tx, context, { ...proposerPlace, userId: proposer.userId })
  await takePlace(tx, context, { ...otherPlace, userId: proposer.userId })
  await leavePlace(tx, context, { ...otherPlace, userId: other.userId })
}
