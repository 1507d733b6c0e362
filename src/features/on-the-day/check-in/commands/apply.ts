import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import type { Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findRealRows, type RealRow } from '../queries/results.ts'
import { judgeRealTimes, type Rounding } from '../rules/real-times.ts'

/** Locks as every command that changes participations does: people, then the event. */
async function lockAll(tx: Tx, { actor }: CommandContext, eventId: number): Promise<void> {
  const people = (await findRealRows(tx, eventId)).flatMap(({ kind, personId }): Participant[] =>
    kind === 'placeholder' || personId === null ? [] : [{ kind, id: personId }],
  )
  await GUARD.lockPeople(tx, people)
  await GUARD.lockEvent(tx, eventId)
  const { rows } = await sql`
    select from event e where e.id = ${eventId} and e.active and e.deleted_at is null and ${changeableBy(actor)}`.execute(tx)
  if (!rows.length) throw await refuseEvent(tx, actor, eventId)
}

const whoOf = ({ kind, personId, name }: RealRow): Participant | { placeholder: string } =>
  kind === 'placeholder' || personId === null ? { placeholder: name } : { kind, id: personId }

const writeTimes = (tx: Tx, context: CommandContext, eventId: number, row: RealRow, times: IndividualTimes) =>
  writeParticipation(tx, context, {
    kind: 'participation.moved',
    shift: { id: row.shiftId, eventId },
    who: whoOf(row),
    before: { ...row, state: 1 },
    state: 1,
    times,
    structureData: row.structureData,
    cause: 'check_in',
  })

const setAbsent = (tx: Tx, participationId: number, isAbsent: boolean) =>
  tx.updateTable('attendance').set({ is_absent: isAbsent }).where('participation_id', '=', participationId).execute()

type ApplyOutcome = { runId: number; changed: number } | undefined

/**
 * Takes over what was marked: real times become the individual times, which hours count, and people who were not there get no hours.
 * Shifts that have not ended are left out. Undefined: nothing differs from what counts now.
 */
export async function applyRealTimes(context: CommandContext, eventId: number, rounding: Rounding): Promise<ApplyOutcome> {
  return transact(context.db, async (tx) => {
    await lockAll(tx, context, eventId)
    const judged = (await findRealRows(tx, eventId)).map((row) => ({ row, real: judgeRow(row, rounding) }))
    const changes = judged.filter(({ row, real }) => real.kind !== 'unknown' && real.isChange && row.shiftEnd <= context.now)
    if (!changes.length) return undefined
    const { id: runId } = await tx
      .insertInto('attendance_run')
      .values({
        event_id: eventId,
        by_id: userIdOrNull(context.actor),
        applied_at: context.now,
        rounding,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { row, real } of changes) {
      if (real.kind === 'unknown') continue
      const before: IndividualTimes = { start: row.individualStart, end: row.individualEnd }
      const after = real.kind === 'present' ? real.times : before
      const isAbsent = real.kind === 'absent'
      await tx
        .insertInto('attendance_result')
        .values({
          run_id: runId,
          participation_id: row.id,
          start_before: before.start,
          end_before: before.end,
          start_after: after.start,
          end_after: after.end,
          absent_before: row.isAbsent,
          absent_after: isAbsent,
        })
        .execute()
      await writeTimes(tx, context, eventId, row, after)
      if (isAbsent !== row.isAbsent) await setAbsent(tx, row.id, isAbsent)
    }
    await record(tx, context, {
      kind: 'event.real_times_applied',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: {
        rounding,
        participations: changes.map(({ row }) => row.id),
        absent: changes.filter(({ real }) => real.kind === 'absent').map(({ row }) => row.id),
      },
    })
    return { runId, changed: changes.length }
  })
}

/** What a row becomes; also for the preview. */
export const judgeRow = (row: RealRow, rounding: Rounding) =>
  judgeRealTimes(
    row,
    {
      shift: { start: row.shiftStart, end: row.shiftEnd },
      times: { start: row.individualStart, end: row.individualEnd },
      isAbsent: row.isAbsent,
    },
    rounding,
  )

type ResultRow = {
  participationId: number
  startBefore: Date | null
  endBefore: Date | null
  startAfter: Date | null
  endAfter: Date | null
  absentBefore: boolean
  absentAfter: boolean
}

const isSame = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime()

/** Restores what counted before. People whose times somebody has changed since keep them. Undefined: undone before. */
export async function undoRealTimes(
  context: CommandContext,
  eventId: number,
  runId: number,
): Promise<{ restored: number; kept: number } | undefined> {
  return transact(context.db, async (tx) => {
    await lockAll(tx, context, eventId)
    const { numUpdatedRows } = await tx
      .updateTable('attendance_run')
      .set({ undone_at: context.now })
      .where('id', '=', runId)
      .where('event_id', '=', eventId)
      .where('undone_at', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) return undefined
    const { rows: results } = await sql<ResultRow>`
      select r.participation_id as "participationId", r.start_before as "startBefore", r.end_before as "endBefore",
        r.start_after as "startAfter", r.end_after as "endAfter", r.absent_before as "absentBefore", r.absent_after as "absentAfter"
      from attendance_result r where r.run_id = ${runId} order by r.participation_id`.execute(tx)
    const rows = new Map((await findRealRows(tx, eventId)).map((row) => [row.id, row]))
    const restored: number[] = []
    for (const result of results) {
      const row = rows.get(result.participationId)
      const isUnchanged =
        row &&
        isSame(row.individualStart, result.startAfter) &&
        isSame(row.individualEnd, result.endAfter) &&
        row.isAbsent === result.absentAfter
      if (!isUnchanged) continue
      await writeTimes(tx, context, eventId, row, { start: result.startBefore, end: result.endBefore })
      if (result.absentBefore !== result.absentAfter) await setAbsent(tx, row.id, result.absentBefore)
      restored.push(row.id)
    }
    await record(tx, context, {
      kind: 'event.real_times_undone',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { participations: restored },
    })
    return { restored: restored.length, kept: results.length - restored.length }
  })
}
