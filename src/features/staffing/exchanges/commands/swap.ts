import { sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { getChangeableEventOf, getReachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { type Participant, participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import { giveUpPlace } from '#features/staffing/waiting-list/commands/answer.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { JournalKind } from '#platform/journal/kinds.ts'
import { getPlace, type Place } from '../queries/stand-in.ts'
import { getPlaceToSwap, getSwap, judgeSwap, type Swap } from '../queries/swap.ts'
import { expiryOf, judgeSwapLink, MAX_OPEN_SWAPS, rolesToAgree, type SwapRole, type SwapState } from '../rules/swap.ts'
import { exchangeSettings } from '../schema.ts'

const local = (id: number): Participant => ({ kind: 'local', id })
const ROLES = ['proposer', 'other'] as const

/** People by id, then events by id: the order of all commands. */
async function lockBoth(
  tx: Tx,
  context: CommandContext,
  { users, events }: { users: readonly number[]; events: readonly number[] },
  guard: Guard,
): Promise<void> {
  await guard.lockPeople(tx, users.map(local))
  await guard.checkActing(tx, context)
  for (const eventId of [...new Set(events)].sort((a, b) => a - b)) await guard.lockEvent(tx, eventId)
}

/** The proposal as it is once both people and both events are locked. */
async function lockSwap(tx: Tx, context: CommandContext, id: number, guard: Guard): Promise<Swap | undefined> {
  const found = await getSwap(tx, id)
  if (!found) return undefined
  const { proposer, other } = found
  const users = [proposer.userId, other.userId]
  await lockBoth(tx, context, { users, events: [proposer.eventId, other.eventId] }, guard)
  return getSwap(tx, id)
}

async function setState(tx: Tx, id: number, state: SwapState): Promise<void> {
  await tx.updateTable('swap').set({ state }).where('id', '=', id).execute()
}

type SwapStep = { kind: Exclude<Extract<JournalKind, `shift.swap_${string}`>, 'shift.swap_agreed'>; users: readonly number[] }

/** In the log of the event of the person who proposed. `users` are notified. */
async function recordStep(tx: Tx, context: CommandContext, { id, proposer }: Swap, { kind, users }: SwapStep): Promise<void> {
  await record(tx, context, {
    kind,
    subject: { kind: 'shift', id: proposer.shiftId },
    eventId: proposer.eventId,
    changes: { swap: id, users },
  })
}

/** Records a step in the logs of both events, so that the planners of both see it and are notified. */
async function recordForBoth(tx: Tx, context: CommandContext, swap: Swap, step: SwapStep): Promise<void> {
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

type ProposeRefusal = 'off' | 'no_place' | 'begun' | 'gone' | 'other_cannot' | 'too_many'
type ProposeOutcome =
  | { ok: true; id: number; name: string }
  | { ok: false; code: ProposeRefusal }
  | { ok: false; code: 'refused'; reasons: readonly Reason[] }

/** The caller proposes to exchange their confirmed place for that of another person, `placeId`. Nothing changes until they answer. */
export function proposeSwap(
  context: CommandContext,
  { shiftId, placeId, message }: { shiftId: number; placeId: number; message: string },
  guard: Guard = GUARD,
): Promise<ProposeOutcome> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<ProposeOutcome> => {
    const inside = { ...context, db: tx }
    const eventId = await getReachableEventOf(tx, context.actor, shiftId)
    if (eventId === undefined) throw new Problem('not_found')
    const before = await getPlace(tx, shiftId, who.id)
    const wanted = before && (await getPlaceToSwap(inside, { ...before, eventId }, placeId))
    const users = [who.id, ...(wanted ? [wanted.userId] : [])]
    await lockBoth(tx, context, { users, events: [eventId, ...(wanted ? [wanted.eventId] : [])] }, guard)
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    if (mode === 'off') return { ok: false, code: 'off' }
    const place = await getPlace(tx, shiftId, who.id)
    if (place?.state !== STATE.confirmed) return { ok: false, code: 'no_place' }
    if (place.start <= context.now) return { ok: false, code: 'begun' }
    const other = await getPlaceToSwap(inside, { ...place, eventId }, placeId)
    if (!other || other.userId !== wanted?.userId || other.eventId !== wanted.eventId) return { ok: false, code: 'gone' }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from swap where participation_id = ${place.id} and state in ('open', 'accepted')`.execute(tx)
    if (rows[0]!.count >= MAX_OPEN_SWAPS) return { ok: false, code: 'too_many' }
    const judged = await judgeSwap(tx, context, {
      proposer: { userId: who.id, eventId, place },
      other: { userId: other.userId, eventId: other.eventId, place: other },
    })
    const rules = judged && [judged.other.signupRules, judged.proposer.signupRules]
    if (!judged || !rules?.[0] || !rules[1]) return { ok: false, code: 'gone' }
    if (judged.proposer.reasons.length) return { ok: false, code: 'refused', reasons: judged.proposer.reasons }
    if (judged.other.reasons.length) return { ok: false, code: 'other_cannot' }
    await guard.checked()
    const expires = expiryOf([
      { start: place.start, closesAt: rules[0].closesAt },
      { start: other.start, closesAt: rules[1].closesAt },
    ])
    const { id } = await tx
      .insertInto('swap')
      .values({
        user_id: who.id,
        shift_id: shiftId,
        participation_id: place.id,
        other_id: other.userId,
        other_shift_id: other.shiftId,
        other_participation_id: other.id,
        message,
        created_at: context.now,
        expires_at: expires,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'shift.swap_proposed',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { swap: id, users: [other.userId] },
    })
    return { ok: true, id, name: other.name }
  })
}

/** The person who proposed keeps their place. False: the proposal had ended before. */
export function withdrawSwap(context: CommandContext, swapId: number, guard: Guard = GUARD): Promise<boolean> {
  const who = participantOf(context.actor)
  if (who?.kind !== 'local') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const swap = await lockSwap(tx, context, swapId, guard)
    if (swap?.proposer.userId !== who.id) throw new Problem('not_found')
    if (swap.state !== 'open' && swap.state !== 'accepted') return false
    await guard.checked()
    await setState(tx, swapId, 'withdrawn')
    await recordStep(tx, context, swap, {
      kind: 'shift.swap_withdrawn',
      users: swap.state === 'accepted' ? [swap.other.userId] : [],
    })
    return true
  })
}

type Places = Record<SwapRole, Place>

/** Both places, if both people still have them. */
async function getPlaces(tx: Tx, { proposer, other }: Swap): Promise<Places | undefined> {
  const own = await getPlace(tx, proposer.shiftId, proposer.userId)
  const theirs = await getPlace(tx, other.shiftId, other.userId)
  if (own?.state !== STATE.confirmed || theirs?.state !== STATE.confirmed) return undefined
  return { proposer: own, other: theirs }
}

const judge = (tx: Tx, context: CommandContext, { proposer, other }: Swap, places: Places) =>
  judgeSwap(tx, context, {
    proposer: { userId: proposer.userId, eventId: proposer.eventId, place: places.proposer },
    other: { userId: other.userId, eventId: other.eventId, place: places.other },
  })

type SwapAnswer =
  | {
      kind:
        | 'swapped'
        | 'swap_accepted'
        | 'swap_declined'
        | 'swap_gone'
        | 'swap_expired'
        | 'declined'
        | 'answered'
        | 'other_cannot'
    }
  | { kind: 'refused'; reasons: readonly Reason[] }

/** The person to whom a swap was proposed accepts or declines it. `context.actor` is this person. */
export function answerSwap(
  context: CommandContext,
  { swapId, answer }: { swapId: number; answer: 'yes' | 'no' },
  guard: Guard = GUARD,
): Promise<SwapAnswer> {
  return transact(context.db, async (tx): Promise<SwapAnswer> => {
    const userId = context.actor.kind === 'user' ? context.actor.userId : 0
    const swap = await lockSwap(tx, context, swapId, guard)
    if (swap?.other.userId !== userId) return { kind: 'swap_gone' }
    const link = judgeSwapLink(swap, context.now)
    // The other answer, until the planners decide; then it is about a place as any other.
    const isChanged = answer === 'no' && link === 'answered'
    if (isChanged && swap.state === 'done') return giveUp({ ...context, db: tx }, swap)
    if (link === 'declined' && answer === 'no') return { kind: 'swap_declined' }
    if (link !== 'open' && link !== 'declined' && !(isChanged && swap.state === 'accepted')) return { kind: link }
    const set = (state: SwapState) =>
      tx.updateTable('swap').set({ state, answered_at: context.now }).where('id', '=', swapId).execute()
    if (answer === 'no') {
      await guard.checked()
      await set('declined')
      await recordStep(tx, context, swap, { kind: 'shift.swap_declined', users: [swap.proposer.userId] })
      return { kind: 'swap_declined' }
    }
    const { stand_ins: mode } = await getSettings(tx, exchangeSettings)
    const places = await getPlaces(tx, swap)
    const judged = places && (await judge(tx, context, swap, places))
    if (!places || !judged || mode === 'off') return { kind: 'swap_gone' }
    if (isClosed([...judged.proposer.reasons, ...judged.other.reasons])) return { kind: 'swap_expired' }
    if (judged.other.reasons.length) return { kind: 'refused', reasons: judged.other.reasons }
    if (judged.proposer.reasons.length) return { kind: 'other_cannot' }
    await guard.checked()
    if (rolesToAgree(mode, requestStages(judged)).length) {
      await set('accepted')
      await recordForBoth(tx, context, swap, { kind: 'shift.swap_accepted', users: [swap.proposer.userId] })
      return { kind: 'swap_accepted' }
    }
    await set('done')
    await exchange(tx, context, swap, places)
    return { kind: 'swapped' }
  })
}

async function giveUp(context: CommandContext, { proposer }: Swap): Promise<SwapAnswer> {
  const outcome = await giveUpPlace(context, proposer.shiftId)
  return outcome.kind === 'declined' ? { kind: 'declined' } : outcome
}

const isClosed = (reasons: readonly Reason[]): boolean => reasons.some(({ code }) => code === 'closed')

type Judged = NonNullable<Awaited<ReturnType<typeof judgeSwap>>>

/** Each person is judged for the place of the other, so the rules of their own shift are in the other result. */
const requestStages = ({ proposer, other }: Judged): Record<SwapRole, boolean> => ({
  proposer: other.signupRules?.hasRequestStage !== false,
  other: proposer.signupRules?.hasRequestStage !== false,
})

/**
 * Each person gets the place of the other with its times and team. The state of the proposal is written before, because a trigger ends
 * all open proposals about a place that changes. Each shift gets the new person before the former one leaves, so that no place is
 * free in between.
 */
async function exchange(tx: Tx, context: CommandContext, swap: Swap, places: Places): Promise<void> {
  await movePlaces(tx, context, swap, places)
  const users = [swap.proposer.userId, swap.other.userId]
  await recordForBoth(tx, context, swap, { kind: 'shift.swap_done', users })
}

async function movePlaces(tx: Tx, context: CommandContext, { proposer, other }: Swap, places: Places): Promise<void> {
  await takePlace(tx, context, { shift: proposer, userId: other.userId, place: places.proposer })
  await leavePlace(tx, context, { shift: proposer, userId: proposer.userId, place: places.proposer })
  await takePlace(tx, context, { shift: other, userId: proposer.userId, place: places.other })
  await leavePlace(tx, context, { shift: other, userId: other.userId, place: places.other })
}

type OnePlace = { shift: { shiftId: number; eventId: number }; userId: number; place: Place }

async function takePlace(tx: Tx, context: CommandContext, { shift, userId, place }: OnePlace): Promise<void> {
  await writeParticipation(tx, context, {
    kind: 'participation.taken_over',
    shift: { id: shift.shiftId, eventId: shift.eventId },
    who: local(userId),
    before: await getPlace(tx, shift.shiftId, userId),
    state: STATE.confirmed,
    times: { start: place.individualStart, end: place.individualEnd },
    structureData: place.structureData,
    cause: 'swap',
  })
}

async function leavePlace(tx: Tx, context: CommandContext, { shift, userId, place }: OnePlace): Promise<void> {
  await writeParticipation(tx, context, {
    kind: 'participation.handed_over',
    shift: { id: shift.shiftId, eventId: shift.eventId },
    who: local(userId),
    before: place,
    state: STATE.declinedByUser,
    times: { start: place.individualStart, end: place.individualEnd },
    structureData: place.structureData,
    cause: 'swap',
  })
}

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
    const by = context.actor.kind === 'user' ? context.actor.userId : null
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
    const judged = places && (await judge(tx, context, swap, places))
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
    const judged = places && (await judge(tx, context, back, places))
    const reasons = judged && [...judged.proposer.reasons, ...judged.other.reasons]
    if (!places || !reasons || reasons.some(({ code }) => code === 'conflict')) return false
    await setState(tx, swapId, 'undone')
    await movePlaces(tx, context, back, places)
    const users = [swap.proposer.userId, swap.other.userId]
    await recordForBoth(tx, context, swap, { kind: 'shift.swap_undone', users })
    return true
  })
}

/** Ends proposals whose time is over or whose event is not listed any more, and tells people about those that a change has ended. */
export async function endSwaps(context: CommandContext): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select w.id from swap w join shift s on s.id = w.shift_id join event e on e.id = s.event_id
      join shift os on os.id = w.other_shift_id join event oe on oe.id = os.event_id
    where w.state = 'expired' and w.told_at is null
      or w.state in ('open', 'accepted') and (least(w.expires_at, s.start_time, os.start_time) <= ${context.now} or not e.listed or not oe.listed)
    order by w.id limit 200`.execute(context.db)
  for (const { id } of rows)
    await transact(context.db, async (tx) => {
      const swap = await lockSwap(tx, context, id, GUARD)
      const ended = await tx
        .updateTable('swap')
        .set({ state: 'expired', told_at: context.now })
        .where('id', '=', id)
        .where('state', 'in', ['open', 'accepted', 'expired'])
        .where('told_at', 'is', null)
        .returning('answered_at')
        .executeTakeFirst()
      if (!swap || !ended) return
      const users = [swap.proposer.userId, ...(ended.answered_at ? [swap.other.userId] : [])]
      await recordStep(tx, context, swap, { kind: 'shift.swap_ended', users })
    })
}

/** For the deletion of a person. */
export async function deleteSwapsOf(tx: Tx, userId: number): Promise<void> {
  await tx
    .deleteFrom('swap')
    .where((is) => is.or([is('user_id', '=', userId), is('other_id', '=', userId)]))
    .execute()
}
