import { type Kysely, sql } from 'kysely'
import { eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { changeEvent, deleteIn, lockEvent, reopenIn, restoreIn } from '#features/planning/planning/commands/events.ts'
import { recordShift } from '#features/planning/planning/commands/plan-event.ts'
import { deleteShiftIn, restoreShiftIn } from '#features/planning/planning/commands/removals.ts'
import { changeShiftIn, refreshShifts } from '#features/planning/planning/commands/shifts.ts'
import { insertShift, shiftSnapshot } from '#features/planning/planning/commands/store-shifts.ts'
import { getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import {
  findParticipantsOfShifts,
  findShiftsOfEvents,
  getPlannedShift,
  type PlannedShift,
} from '#features/planning/planning/queries/shifts.ts'
import { stableStringify, type ValueChanges } from '#features/planning/planning/rules/changes.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { requireFound } from '#platform/http/problem.ts'
import { journalKind } from '#platform/journal/entries.ts'
import { record } from '#platform/journal/journal.ts'
import type { Change, StoredChanges } from '#platform/journal/kinds.ts'
import { findStepEntries, getStep, type StepEntry } from '../queries/series.ts'
import { eventBefore, type ShiftStep, shiftBefore } from '../rules/undoing.ts'

type UndoOutcome = { eventId: number; undone: number; left: number }

/** Takes back a step on a series: each event that is still as the step left it. */
export function undoStep(context: CommandContext, { step: stepId }: { step: number }): Promise<UndoOutcome> {
  return transact(context.db, async (tx) => {
    const step = requireFound(await getStep(tx, context.actor, stepId))
    await lockSeriesOfEvent(tx, step.eventId)
    const entries = await findStepEntries(tx, step)
    const events = [...new Set(entries.map(({ eventId }) => eventId))].sort((a, b) => a - b)
    const shifts = await findShiftsOfEvents(tx, events)
    await GUARD.lockPeople(
      tx,
      await findParticipantsOfShifts(
        tx,
        shifts.map(({ id }) => id),
      ),
    )
    for (const id of events) await lockEvent(tx, id)
    const isUndone = await tx
      .selectFrom('journal')
      .select('id')
      .where('kind', '=', journalKind('event.series_undone'))
      .where('subject_id', '=', step.subjectId)
      .where('id', '>', stepId)
      .where(sql<boolean>`changes -> 'step' ->> 1 = ${String(stepId)}`)
      .executeTakeFirst()
    if (isUndone) return { eventId: step.eventId, undone: 0, left: 0 }
    await record(tx, context, {
      kind: 'event.series_undone',
      subject: { kind: 'event', id: step.subjectId },
      eventId: step.eventId,
      changes: { step: [null, stepId] },
    })
    const left = new Set<number>()
    for (const entry of entries) if (!(await takeBack(tx, context, entry))) left.add(entry.eventId)
    await sql`update event_series_member set generated = former -> 'generated', former = null
      where former ->> 'step' = ${String(stepId)} and event_id <> all (${[...left]}::bigint[])`.execute(tx)
    if (step.kind === 'event.series_rule_changed') await restoreRule(tx, step.eventId, step.changes)
    return { eventId: step.eventId, undone: events.length - left.size, left: left.size }
  })
}

async function lockSeriesOfEvent(tx: Tx, eventId: number): Promise<void> {
  await sql`select from event_series r where r.id = (select m.series_id from event_series_member m where m.event_id = ${eventId})
    for update`.execute(tx)
}

type RuleChanges = StoredChanges<'event.series_rule_changed'>

async function restoreRule(tx: Tx, eventId: number, { start_date, rule, exdates, rdates }: RuleChanges): Promise<void> {
  await sql`update event_series r set start_date = ${start_date[0]}::date, rrule = ${rule[0]},
      exdates = ${exdates[0]}::date[], rdates = ${rdates[0]}::date[]
    where r.id = (select m.series_id from event_series_member m where m.event_id = ${eventId})`.execute(tx)
}

const hasParticipations = ({ confirmed, requested }: PlannedShift): boolean => confirmed + requested > 0

/** Whether the values are those after the entry. */
const isAfter = <Values extends object>(snapshot: Values, changes: ValueChanges<NoInfer<Values>>): boolean =>
  (Object.entries(changes) as [keyof Values, Change][]).every(
    ([name, [, after]]) => stableStringify(snapshot[name] ?? null) === stableStringify(after ?? null),
  )

/** `shiftId`: a deleted shift that is not stored any more is restored without people and has a new id. */
type TakenBack = { ok: true; shiftId: number } | { ok: false }

/**
 * Takes back one entry about a shift. Not if the shift is no longer as the entry left it, or if somebody has signed up for a new shift. The
 * caller holds the locks of the participants and the event.
 */
export async function takeBackShift(
  tx: Tx,
  context: CommandContext,
  { kind, subjectId, eventId, changes }: ShiftStep,
): Promise<TakenBack> {
  const answer = (ok: boolean, shiftId = subjectId): TakenBack => (ok ? { ok, shiftId } : { ok })
  if (kind === 'shift.deleted') {
    if (!(await getPlannedEvent(tx, context.actor, eventId))) return answer(false)
    if (await restoreShiftIn(tx, context, subjectId)) return answer(true)
    const shift = shiftBefore(undefined, changes)
    const id = await insertShift(tx, eventId, shift)
    await recordShift(tx, context, { eventId, id, shift })
    await refreshShifts(tx, context, [id])
    await replaceShift(tx, eventId, subjectId, id)
    return answer(true, id)
  }
  const shift = await getPlannedShift(tx, context.actor, subjectId)
  if (!shift || !isAfter(shiftSnapshot(shift), changes)) return answer(false)
  if (kind === 'shift.created')
    return answer(!hasParticipations(shift) && (await deleteShiftIn(tx, context, { eventId, shiftId: subjectId })).ok)
  return answer((await changeShiftIn(tx, context, { shiftId: subjectId, input: shiftBefore(shift, changes), version: {} })).ok)
}

/** False if the event is no longer as the entry left it. */
async function takeBack(tx: Tx, context: CommandContext, entry: StepEntry): Promise<boolean> {
  const { eventId } = entry
  switch (entry.kind) {
    case 'event.changed': {
      const event = await getPlannedEvent(tx, context.actor, eventId)
      if (!event || !isAfter(eventSnapshot(event), entry.changes)) return false
      return (await changeEvent(tx, context, { eventId, input: eventBefore(event, entry.changes), version: {} })).ok
    }
    case 'shift.created':
    case 'shift.changed':
    case 'shift.deleted':
      return (await takeBackShift(tx, context, entry)).ok
    case 'event.cancelled': {
      const event = await getPlannedEvent(tx, context.actor, eventId)
      if (!event || event.cancellationReason !== entry.changes.cancellation_reason?.[1]) return false
      await reopenIn(tx, context, { eventId })
      return true
    }
    case 'event.deleted':
      await restoreIn(tx, context, { eventId })
      return true
    case 'event.duplicated':
      return removeCopy(tx, context, eventId)
    default:
      return true
  }
}

async function removeCopy(tx: Tx, context: CommandContext, eventId: number): Promise<boolean> {
  const event = await getPlannedEvent(tx, context.actor, eventId)
  const shifts = await findShiftsOfEvents(tx, [eventId])
  if (!event || event.active || shifts.some(hasParticipations) || !hasPermission(context.actor, 'delete_event')) return false
  await deleteIn(tx, context, { eventId })
  return true
}

/** The restored shift has a new id. */
async function replaceShift(db: Kysely<DB>, eventId: number, from: number, to: number): Promise<void> {
  await sql`update event_series_member set former = jsonb_set(former, '{generated,shifts}', (
      select coalesce(jsonb_agg(case when (s ->> 'id')::bigint = ${from} then jsonb_set(s, '{id}', to_jsonb(${to}::bigint)) else s end), '[]')
      from jsonb_array_elements(former -> 'generated' -> 'shifts') s))
    where event_id = ${eventId} and former is not null`.execute(db)
}
