import { sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { getReachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import { giveUpPlace } from '#features/staffing/waiting-list/commands/answer.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getPlace } from '../queries/stand-in.ts'
import { endOfSwap, getPlaceToSwap, judgeSwap, type Swap } from '../queries/swap.ts'
import { expiryOf, judgeSwapLink, MAX_OPEN_SWAPS, rolesToAgree, type SwapState } from '../rules/swap.ts'
import { exchangeSettings } from '../schema.ts'
import { lockPlaces } from './places.ts'
import { exchange, getPlaces, judgeBoth, lockSwap, recordForBoth, recordStep, requestStages, setState } from './swap-steps.ts'

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
    await lockPlaces(tx, context, { users, events: [eventId, ...(wanted ? [wanted.eventId] : [])] }, guard)
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
    const userId = userIdOf(context.actor)
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
    const judged = places && (await judgeBoth(tx, context, swap, places))
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

/** Ends proposals whose time is over or whose event is not listed any more, and tells people about those that a change has ended. */
export async function endSwaps(context: CommandContext): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select w.id from swap w join shift s on s.id = w.shift_id join event e on e.id = s.event_id
      join shift os on os.id = w.other_shift_id join event oe on oe.id = os.event_id
    where w.state = 'expired' and w.told_at is null
      or w.state in ('open', 'accepted') and (${endOfSwap} <= ${context.now} or not e.listed or not oe.listed)
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
