import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import {
  type Attendance,
  type AttendanceChanges,
  applyMark,
  judgeMark,
  type Mark,
  type MarkOutcome,
  type MarkSource,
} from '../rules/attendance.ts'

export type NewMark = {
  /** Made by the device: the same mark can be sent again. */
  id: string
  participationId: number
  mark: Mark
  /** The mark whose values the device has seen; null: none. */
  base: string | null
  madeAt: Date
}

/** unknown: no such person in this event; not_confirmed: no longer takes part; order: leaves before arriving. */
type MarkRefusal = 'unknown' | 'not_confirmed' | 'order'
export type MarkResult = { id: string } & ({ outcome: MarkOutcome } | { outcome: 'refused'; reason: MarkRefusal })

/** A parameter of the commands, so that a test can show what is lost without the lock. */
export type MarkGuard = {
  lock: (tx: Tx, participationId: number) => Promise<void>
  /** Called between the check and the write. */
  checked: () => Promise<void>
}

/** Marks of one person take turns, also the first two. */
export const MARK_GUARD: MarkGuard = {
  lock: async (tx, participationId) => {
    await sql`select from attendance where participation_id = ${participationId} for update`.execute(tx)
  },
  checked: async () => {},
}

/** Throws unless the actor plans the event and it takes place. */
async function requirePlanned(tx: Tx, { actor }: CommandContext, eventId: number): Promise<void> {
  const { rows } = await sql`
    select from event e where e.id = ${eventId} and e.active and e.deleted_at is null and ${changeableBy(actor)}`.execute(tx)
  if (!rows.length) throw await refuseEvent(tx, actor, eventId)
}

type Stored = Attendance & { markId: string | null }

/** Each mark is a transaction of its own: one that is refused does not hold up the others. */
export async function markPeople(
  context: CommandContext,
  eventId: number,
  marks: readonly NewMark[],
  { source, guard = MARK_GUARD }: { source: 'planner' | 'device'; guard?: MarkGuard },
): Promise<MarkResult[]> {
  const results: MarkResult[] = []
  for (const mark of marks)
    results.push(
      await transact(context.db, async (tx) => {
        await requirePlanned(tx, context, eventId)
        return writeMark(tx, context, { eventId, mark, source, guard })
      }),
    )
  return results
}

type MarkToWrite = { eventId: number; mark: NewMark; source: MarkSource; guard?: MarkGuard }

/** Writes one mark and its journal entry. The caller has checked the access. */
export async function writeMark(
  tx: Tx,
  context: CommandContext,
  { eventId, mark: given, source, guard = MARK_GUARD }: MarkToWrite,
): Promise<MarkResult> {
  const { id, participationId, mark } = given
  const state = await getState(tx, eventId, participationId)
  if (state === undefined) return { id, outcome: 'refused', reason: 'unknown' }
  // The row must exist to be locked.
  await sql`insert into attendance (participation_id) values (${participationId}) on conflict do nothing`.execute(tx)
  await guard.lock(tx, participationId)
  const sent = await getSentOutcome(tx, id)
  if (sent) return sent.participationId === participationId ? { id, outcome: sent.outcome } : refused(id, 'unknown')
  if (state !== 1) return refused(id, 'not_confirmed')
  const before = await getStored(tx, participationId)
  const isFresh = before.markId === given.base
  const after = applyMark(before, mark)
  if (!after && (isFresh || mark.kind !== 'left')) return refused(id, 'order')
  const outcome = judgeMark(before, mark, { isFresh })
  await guard.checked()
  const asked = after ?? { arrivedAt: null, leftAt: mark.kind === 'left' ? mark.at : null, noShow: false }
  await insertMark(tx, context, { given, source, before, asked, outcome })
  if (outcome === 'applied') await store(tx, participationId, asked, id)
  if (outcome !== 'agreed')
    await record(tx, context, {
      kind: outcome === 'applied' ? 'participation.attendance_marked' : 'participation.attendance_conflict',
      subject: { kind: 'participation', id: participationId },
      eventId,
      changes: { ...changesOf(before, asked), source },
    })
  return { id, outcome }
}

const refused = (id: string, reason: MarkRefusal): MarkResult => ({ id, outcome: 'refused', reason })

async function getState(tx: Tx, eventId: number, participationId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('participation')
    .select('state')
    .where('id', '=', participationId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return row?.state
}

async function getSentOutcome(tx: Tx, id: string): Promise<{ participationId: number; outcome: MarkOutcome } | undefined> {
  const { rows } = await sql<{ participationId: number; outcome: string }>`
    select m.participation_id as "participationId", m.outcome from attendance_mark m where m.id = ${id}::uuid`.execute(tx)
  return rows.map(({ participationId, outcome }) => ({ participationId, outcome: wasSent(outcome) }))[0]
}

/** What the device hears about a mark that somebody has decided in the meantime. */
const wasSent = (outcome: string): MarkOutcome =>
  outcome === 'conflict' || outcome === 'dismissed' ? 'conflict' : outcome === 'agreed' ? 'agreed' : 'applied'

async function getStored(tx: Tx, participationId: number): Promise<Stored> {
  return rowsOf(tx).one(sql<Stored>`
    select a.arrived_at as "arrivedAt", a.left_at as "leftAt", a.no_show as "noShow", a.mark_id as "markId"
    from attendance a where a.participation_id = ${participationId}`)
}

const store = (tx: Tx, participationId: number, { arrivedAt, leftAt, noShow }: Attendance, markId: string) =>
  tx
    .updateTable('attendance')
    .set({ arrived_at: arrivedAt, left_at: leftAt, no_show: noShow, mark_id: markId })
    .where('participation_id', '=', participationId)
    .execute()

type MarkRow = { given: NewMark; source: MarkSource; before: Attendance; asked: Attendance; outcome: MarkOutcome }

async function insertMark(
  tx: Tx,
  { actor, now }: CommandContext,
  { given, source, before, asked, outcome }: MarkRow,
): Promise<void> {
  await tx
    .insertInto('attendance_mark')
    .values({
      id: given.id,
      participation_id: given.participationId,
      kind: given.mark.kind,
      arrived_at: asked.arrivedAt,
      left_at: asked.leftAt,
      no_show: asked.noShow,
      arrived_before: before.arrivedAt,
      left_before: before.leftAt,
      no_show_before: before.noShow,
      outcome,
      source,
      by_id: userIdOrNull(actor),
      made_at: given.madeAt,
      received_at: now,
    })
    .execute()
}

/** Pairs of what has changed, for the log. */
function changesOf(before: Attendance, after: Attendance): AttendanceChanges {
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const pairs: AttendanceChanges = {
    arrived_at: [iso(before.arrivedAt), iso(after.arrivedAt)],
    left_at: [iso(before.leftAt), iso(after.leftAt)],
    no_show: [before.noShow, after.noShow],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => from !== to))
}

type ConflictRow = Attendance & { participationId: number; eventId: number }

/** Chooses between what is stored and a mark that contradicts it. False: somebody has chosen before. */
export async function resolveConflict(
  context: CommandContext,
  eventId: number,
  { markId, takes }: { markId: string; takes: boolean },
): Promise<boolean> {
  return transact(context.db, async (tx) => {
    await requirePlanned(tx, context, eventId)
    const asked = await rowsOf(tx).first(sql<ConflictRow>`
      select m.participation_id as "participationId", p.event_id as "eventId",
        m.arrived_at as "arrivedAt", m.left_at as "leftAt", m.no_show as "noShow"
      from attendance_mark m join participation p on p.id = m.participation_id
      where m.id = ${markId}::uuid and p.event_id = ${eventId} and m.outcome = 'conflict'`)
    if (!asked) return false
    await MARK_GUARD.lock(tx, asked.participationId)
    const { numUpdatedRows } = await tx
      .updateTable('attendance_mark')
      .set({
        outcome: takes ? 'chosen' : 'dismissed',
        resolved_at: context.now,
        resolved_by_id: userIdOrNull(context.actor),
      })
      .where('id', '=', markId)
      .where('outcome', '=', 'conflict')
      .executeTakeFirst()
    if (!numUpdatedRows) return false
    const before = await getStored(tx, asked.participationId)
    if (takes) await store(tx, asked.participationId, asked, markId)
    await record(tx, context, {
      subject: { kind: 'participation', id: asked.participationId },
      eventId,
      ...(takes
        ? { kind: 'participation.attendance_marked', changes: { ...changesOf(before, asked), source: 'planner' } }
        : { kind: 'participation.attendance_kept' }),
    })
    return true
  })
}

/** For the erasure of a person: who was where and when; that somebody was absent stays, as their hours do. */
export async function deleteMarksOf(tx: Tx, userId: number): Promise<void> {
  await sql`delete from attendance_mark m using participation p where p.id = m.participation_id and p.user_id = ${userId}`.execute(
    tx,
  )
  await sql`update attendance a set arrived_at = null, left_at = null, mark_id = null
    from participation p where p.id = a.participation_id and p.user_id = ${userId}`.execute(tx)
}
