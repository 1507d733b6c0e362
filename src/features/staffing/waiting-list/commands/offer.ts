import { sql } from 'kysely'
import { notifyingTime } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { type Candidacy, judgeCandidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { waitingListSettings } from '#features/staffing/eligibility/schema.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findDue, findWaiting, findWithExpiredOffers, getEntryById, getWaitingListMode } from '../queries/waiting-list.ts'
import { offerEnd, type PassedBy, type WaitingListMode, whyPassedOver } from '../rules/waiting-list.ts'

/** More people of one waiting list are judged by the next run. */
const MAX_JUDGED = 100
/** Entries are kept this long after the shift, for those who look back. */
const KEPT_DAYS = 30

type Shift = { id: number; eventId: number }

/** A parameter of the command, so that a test can show the race without the lock. */
type OfferGuard = Pick<Guard, 'lockEvent' | 'checked'>

async function judge(tx: Tx, context: CommandContext, shiftId: number, userId: number): Promise<Candidacy | undefined> {
  const facts = await loadSignupFacts(tx, { kind: 'local', id: userId }, [shiftId], context)
  return facts.person.isActive ? judgeCandidacy(facts, shiftId, { now: context.now, timeZone: context.site.timeZone }) : undefined
}

/** Where the place is that the offer holds. A person who has to choose a team can choose another one that is free. */
function placeFor({ shift, input, applicant, wish }: Candidacy): Record<string, unknown> {
  const structure = getStructure(shift.structureSlug)
  const place = (wished: string | undefined) =>
    structure?.place(shift.structureConfiguration, input, applicant, { instant: true, wish: wished })
  const usual = place(undefined)
  const placed = usual?.ok ? usual : place(wish?.options[0]?.value)
  return placed?.ok ? placed.structureData : {}
}

type NewOffer = { entryId: number; userId: number; until: Date; by?: number; reason?: string; passedOver?: readonly PassedBy[] }

async function writeOffer(
  tx: Tx,
  context: CommandContext,
  { id, eventId }: Shift,
  candidacy: Candidacy,
  offer: NewOffer,
): Promise<void> {
  await tx
    .updateTable('waiting_entry')
    .set({
      state: 'offered',
      offered_at: context.now,
      offered_until: offer.until,
      structure_data: JSON.stringify(placeFor(candidacy)),
      passed_over: null,
      offered_by_id: offer.by ?? null,
      reason: offer.reason ?? '',
    })
    .where('id', '=', offer.entryId)
    .execute()
  await record(tx, context, {
    kind: 'shift.place_offered',
    subject: { kind: 'shift', id },
    eventId,
    changes: {
      entry: offer.entryId,
      users: [offer.userId],
      until: offer.until.toISOString(),
      ...(offer.reason ? { reason: offer.reason } : {}),
      ...(offer.passedOver?.length ? { passed_over: offer.passedOver } : {}),
    },
  })
}

/**
 * Offers free places of a shift to those who wait, in the order of the waiting list: those who do not fit stay on it and see why. The
 * caller holds the lock of the event, so no other command takes a place meanwhile. Returns how many places were offered.
 */
async function offerPlaces(tx: Tx, context: CommandContext, shift: Shift, guard: OfferGuard): Promise<number> {
  await tx
    .updateTable('waiting_line')
    .set({ is_due: false })
    .where('shift_id', '=', shift.id)
    .where('is_due', '=', true)
    .execute()
  const { waiting_list: isOn, waiting_list_hours: hours } = await getSettings(tx, waitingListSettings)
  if (!isOn || (await getWaitingListMode(tx, shift.id)) !== 'automatic') return 0
  const { timeZone } = context.site
  const passed: PassedBy[] = []
  let offered = 0
  for (const entry of await findWaiting(tx, shift.id, MAX_JUDGED)) {
    const candidacy = await judge(tx, context, shift.id, entry.userId)
    const { signupRules } = candidacy ?? {}
    if (!candidacy || !signupRules) continue
    const why = whyPassedOver(candidacy)
    if (why) {
      await tx
        .updateTable('waiting_entry')
        .set({ passed_over: why === 'full' ? null : why })
        .where('id', '=', entry.id)
        .execute()
      if (why !== 'full') passed.push({ user: entry.userId, why })
      continue
    }
    const { start } = candidacy.shift
    const { closesAt } = signupRules
    const until = offerEnd(context.now, { start, closesAt, hours, timeZone })
    if (!until) break
    if (notifyingTime(context.now, { timeZone, latest: start < closesAt ? start : closesAt }) > context.now) {
      // Nobody else takes the place until the job offers it in the morning.
      await setDue(tx, shift.id)
      break
    }
    await guard.checked()
    await writeOffer(tx, context, shift, candidacy, { entryId: entry.id, userId: entry.userId, until, passedOver: passed })
    offered++
  }
  if (offered) await refreshStatistics(tx, [shift.id])
  return offered
}

/** Ends offers whose time is over: the place goes to the next, and the person does not wait any more. */
async function expireOffers(tx: Tx, context: CommandContext, { id, eventId }: Shift): Promise<void> {
  const expired = await tx
    .updateTable('waiting_entry')
    .set({ state: 'expired' })
    .where('shift_id', '=', id)
    .where('state', '=', 'offered')
    .where('offered_until', '<=', context.now)
    .returning(['id', 'user_id'])
    .execute()
  if (!expired.length) return
  await refreshStatistics(tx, [id])
  await record(tx, context, {
    kind: 'shift.offer_expired',
    subject: { kind: 'shift', id },
    eventId,
    changes: { entries: expired.map((entry) => entry.id), users: expired.map(({ user_id }) => user_id) },
  })
}

/** Expires offers and offers free places, shift by shift. The job runs when a place may have become free, and every minute. */
export async function offerDuePlaces(context: CommandContext, guard: OfferGuard = GUARD): Promise<number> {
  let offered = 0
  for (const { shiftId, eventId } of await findDue(context.db, context.now))
    offered += await transact(context.db, async (tx) => {
      await guard.lockEvent(tx, eventId)
      const shift = { id: shiftId, eventId }
      await expireOffers(tx, context, shift)
      return offerPlaces(tx, context, shift, guard)
    })
  await deleteOldEntries(context)
  return offered
}

/** While nobody is offered a place: ends offers whose time is over, so that they hold no places. */
export async function endExpiredOffers(context: CommandContext, guard: Pick<OfferGuard, 'lockEvent'> = GUARD): Promise<void> {
  for (const { shiftId, eventId } of await findWithExpiredOffers(context.db, context.now))
    await transact(context.db, async (tx) => {
      await guard.lockEvent(tx, eventId)
      await expireOffers(tx, context, { id: shiftId, eventId })
    })
}

async function deleteOldEntries({ db, now }: CommandContext): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000)
  await sql`delete from waiting_entry w using shift s where s.id = w.shift_id and s.end_time < ${before}`.execute(db)
}

/** The event of a shift that the caller plans, locked. */
async function lockPlanned(tx: Tx, context: CommandContext, shiftId: number, guard: OfferGuard): Promise<number> {
  const eventId = await getChangeableEventOf(tx, context.actor, shiftId)
  if (eventId === undefined) throw new Problem('not_found')
  await guard.lockEvent(tx, eventId)
  return eventId
}

type OutOfOrder = { shiftId: number; entryId: number; reason: string }
type OfferOutcome =
  | { ok: true; userId: number; until: Date }
  | { ok: false; code: 'gone' | 'too_late' }
  | { ok: false; code: 'refused'; reasons: readonly Reason[] }

/** A planner offers a free place to somebody on the waiting list, regardless of the order. */
export function offerOutOfOrder(
  context: CommandContext,
  { shiftId, entryId, reason }: OutOfOrder,
  guard: OfferGuard = GUARD,
): Promise<OfferOutcome> {
  return transact(context.db, async (tx): Promise<OfferOutcome> => {
    const eventId = await lockPlanned(tx, context, shiftId, guard)
    const entry = await getEntryById(tx, entryId)
    if (entry?.shiftId !== shiftId || entry.state !== 'waiting') return { ok: false, code: 'gone' }
    // The planner decides, so the order does not count.
    const isDue = await takeDue(tx, shiftId)
    const candidacy = await judge(tx, context, shiftId, entry.userId)
    const rules = candidacy?.signupRules
    if (!candidacy || !rules) return { ok: false, code: 'gone' }
    const { waiting_list_hours: hours } = await getSettings(tx, waitingListSettings)
    const reasons = candidacy.reasons['sign-up']
    const { timeZone } = context.site
    const until = offerEnd(context.now, { start: candidacy.shift.start, closesAt: rules.closesAt, hours, timeZone })
    if (isDue) await setDue(tx, shiftId)
    if (reasons.length) return { ok: false, code: 'refused', reasons }
    if (!until) return { ok: false, code: 'too_late' }
    await guard.checked()
    const by = context.actor.kind === 'user' ? { by: context.actor.userId } : {}
    await writeOffer(tx, context, { id: shiftId, eventId }, candidacy, { entryId, userId: entry.userId, until, reason, ...by })
    await refreshStatistics(tx, [shiftId])
    return { ok: true, userId: entry.userId, until }
  })
}

async function takeDue(tx: Tx, shiftId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('waiting_line')
    .set({ is_due: false })
    .where('shift_id', '=', shiftId)
    .where('is_due', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function setDue(tx: Tx, shiftId: number): Promise<void> {
  await tx.updateTable('waiting_line').set({ is_due: true }).where('shift_id', '=', shiftId).execute()
}

/** Somebody waits for a place that may be free already: the job looks at once, and until then nobody else takes it. */
export async function makeWaitingListDue(tx: Tx, shiftId: number): Promise<void> {
  await tx
    .insertInto('waiting_line')
    .values({ shift_id: shiftId, is_due: true })
    .onConflict((conflict) => conflict.column('shift_id').doUpdateSet({ is_due: true }))
    .execute()
  await addOfferJob(tx)
}

async function addOfferJob(tx: Tx): Promise<void> {
  await sql`select graphile_worker.add_job('offer_places', job_key => 'offer_places')`.execute(tx)
}

/** A planner removes somebody from the waiting list; an offer to them ends. False: they do not wait any more. */
export function removeFromWaitingList(
  context: CommandContext,
  { shiftId, entryId }: { shiftId: number; entryId: number },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const eventId = await lockPlanned(tx, context, shiftId, GUARD)
    const entry = await getEntryById(tx, entryId)
    if (entry?.shiftId !== shiftId || (entry.state !== 'waiting' && entry.state !== 'offered')) return false
    await tx.updateTable('waiting_entry').set({ state: 'withdrawn' }).where('id', '=', entryId).execute()
    if (entry.state === 'offered') await refreshStatistics(tx, [shiftId])
    await record(tx, context, {
      kind: 'shift.line_removed',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { entry: entryId, users: [entry.userId] },
    })
    return true
  })
}

/** Switches automatic offers of a shift on or off, or closes its waiting list. Those who wait keep their place. */
export function setWaitingListMode(
  context: CommandContext,
  { shiftId, mode }: { shiftId: number; mode: WaitingListMode },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const eventId = await lockPlanned(tx, context, shiftId, GUARD)
    const before = await getWaitingListMode(tx, shiftId)
    if (before === mode) return false
    // With automatic offers, the job looks at once.
    const is_due = mode === 'automatic'
    await tx
      .insertInto('waiting_line')
      .values({ shift_id: shiftId, mode, is_due })
      .onConflict((conflict) => conflict.column('shift_id').doUpdateSet({ mode, is_due }))
      .execute()
    if (is_due) await addOfferJob(tx)
    await record(tx, context, {
      kind: 'shift.line_changed',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { mode: [before, mode] },
    })
    return true
  })
}
