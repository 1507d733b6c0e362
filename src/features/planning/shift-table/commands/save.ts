import { hash, randomUUID } from 'node:crypto'
import { lockPlannedEvent } from '#features/planning/planning/commands/events.ts'
import { recordShifts } from '#features/planning/planning/commands/plan-event.ts'
import { deleteShiftIn } from '#features/planning/planning/commands/removals.ts'
import { changeShiftIn } from '#features/planning/planning/commands/shifts.ts'
import { insertShifts } from '#features/planning/planning/commands/store-shifts.ts'
import { countNotifiedOf } from '#features/planning/planning/queries/events.ts'
import { findParticipantsOfShifts, findStoredShifts, type PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { TypedReading } from '#platform/i18n/typed-dates.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'
import { type Effects, findConflicts, findPeopleOn } from '../queries/conflicts.ts'
import { planInTurns } from '../queries/plan-in-turns.ts'
import { printCells } from '../rules/cells.ts'
import type { RowConflict, RowFault, TablePlan } from '../rules/plan.ts'
import type { TableRow } from '../rules/rows.ts'

type SaveInput = {
  eventId: number
  rows: readonly TableRow[]
  /** The shift that new ones take everything from that their row does not say. */
  patternId: number | undefined
  reading: TypedReading
  /** The digest of the effects that the planner has seen. */
  agreed: string
  /** Only what would happen. */
  isTrial?: boolean
}
export type SaveOutcome =
  | { ok: true; step: number; effects: Effects }
  /** `asks`: people are affected and the planner has not agreed yet. */
  | { ok: false; reason: 'asks'; effects: Effects; digest: string }
  | { ok: false; reason: 'faults'; faults: RowFault[] }
  | { ok: false; reason: 'conflicts'; conflicts: RowConflict[] }
  | { ok: false; reason: 'nothing' | 'last_shift' }

/** Ends the transaction without its changes. */
class TrialEnd extends Error {
  readonly outcome: SaveOutcome

  constructor(outcome: SaveOutcome) {
    super('trial')
    this.outcome = outcome
  }
}

/**
 * Saves all rows or none. If people are on the shifts that change, it first says whom it affects: the changes are made and taken back, so
 * that what is said is what happens.
 */
export async function saveTable(context: CommandContext, input: SaveInput, guard: Guard = GUARD): Promise<SaveOutcome> {
  try {
    return await transact(context.db, async (tx): Promise<SaveOutcome> => {
      const outcome = await saveIn(tx, context, input, guard)
      if (!outcome.ok) throw new TrialEnd(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof TrialEnd) return error.outcome
    throw error
  }
}

async function saveIn(tx: Tx, context: CommandContext, input: SaveInput, guard: Guard): Promise<SaveOutcome> {
  const { eventId, rows, patternId, reading } = input
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  await guard.lockPeople(tx, await findParticipantsOfShifts(tx, ids))
  await lockPlannedEvent(tx, context, eventId, guard.lockEvent)
  const shifts = await findStoredShifts(tx, eventId)
  const pattern = shifts.find(({ id, flowSlug }) => id === patternId && flowSlug !== 'coupled')
  const print = (shift: PlannedShift) => printCells(wordsFor('en', context.site.timeZone), shift)
  const plan = await planInTurns(rows, { shifts, pattern, reading, timeZone: context.site.timeZone, newUuid: randomUUID, print })
  if (plan.faults.length) return { ok: false, reason: 'faults', faults: plan.faults }
  if (plan.conflicts.length) return { ok: false, reason: 'conflicts', conflicts: plan.conflicts }
  const { created, changed, removed } = plan
  if (!created.length && !changed.length && !removed.length) return { ok: false, reason: 'nothing' }
  if (shifts.length + created.length === removed.length) return { ok: false, reason: 'last_shift' }
  await guard.checked()
  const step = await record(tx, context, {
    kind: 'event.shifts_edited',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { created: [null, created.length], changed: [null, changed.length], removed: [null, removed.length] },
  })
  const effects = await write(tx, context, eventId, plan)
  const digest = digestOf(effects)
  if (input.isTrial || (affectsPeople(effects) && input.agreed !== digest)) return { ok: false, reason: 'asks', effects, digest }
  return { ok: true, step, effects }
}

const affectsPeople = ({ people, conflicts, notified, outside }: Effects): boolean =>
  people.length > 0 || conflicts.length > 0 || notified > 0 || outside > 0

/** A sign-up between the preview and saving makes another one. */
function digestOf({ plan, people, conflicts, notified, outside }: Effects): string {
  const touched = [...plan.changed, ...plan.removed].map(({ shift }) => shift.id)
  const text = JSON.stringify([touched, people, conflicts.map(({ pair }) => pair), notified, outside])
  return hash('sha256', text, 'base64url').slice(0, 16)
}

async function write(tx: Tx, context: CommandContext, eventId: number, plan: TablePlan): Promise<Effects> {
  const moved = plan.changed.filter(({ parts }) => parts.includes('times')).map(({ shift }) => shift.id)
  const gone = plan.removed.map(({ shift }) => shift.id)
  const people = await findPeopleOn(
    tx,
    [...plan.changed, ...plan.removed].map(({ shift }) => shift.id),
  )
  const notified = await countNotifiedOf(tx, context.actor, [...moved, ...gone])
  const before = new Set((await findConflicts(tx, context.actor, moved)).map(({ pair }) => pair))
  await create(tx, context, eventId, plan)
  let outside = 0
  for (const { shift, input } of plan.changed) {
    const outcome = await changeShiftIn(tx, context, { shiftId: shift.id, input, version: {} })
    if (outcome.ok) outside += outcome.outside
  }
  for (const shiftId of gone) await deleteShiftIn(tx, context, { eventId, shiftId })
  const conflicts = (await findConflicts(tx, context.actor, moved)).filter(({ pair }) => !before.has(pair))
  return { plan, people, conflicts, notified, outside }
}

async function create(tx: Tx, context: CommandContext, eventId: number, { created }: TablePlan): Promise<void> {
  const shifts = created.map(({ input }) => input)
  const ids = await insertShifts(tx, eventId, shifts)
  await recordShifts(
    tx,
    context,
    ids.map((id, index) => ({ eventId, id, shift: shifts[index]! })),
  )
  await refreshStatistics(tx, ids)
}
