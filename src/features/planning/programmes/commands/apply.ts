import { sql } from 'kysely'
import { lockPlannedEvent } from '#features/planning/planning/commands/events.ts'
import { recordShifts } from '#features/planning/planning/commands/plan-event.ts'
import { deleteShiftIn } from '#features/planning/planning/commands/removals.ts'
import { changeShiftIn } from '#features/planning/planning/commands/shifts.ts'
import { insertShifts } from '#features/planning/planning/commands/store-shifts.ts'
import { findParticipantsOfShifts, type PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { copyFromLeaders } from '#features/staffing/participations/commands/coupling.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findLinks, loadPlan, type Programme } from '../queries/programme.ts'
import type { Former } from '../rules/following.ts'
import { digestOf, type Link, newsDigest, type Part, type Plan, peopleOf, shiftFor, type Wish, withParts } from '../rules/plan.ts'
import { requireProgramme } from './source.ts'

/** More at once would take longer than people wait. */
export const MAX_NEW_SHIFTS = 500

type ApplyInput = {
  eventId: number
  /** The digest of the plan that the planner saw. */
  seen: string
  /** Links whose own changes are overwritten, whose shifts are deleted, and whose deleted shifts are made again. */
  overwrite: readonly number[]
  remove: readonly number[]
  again: readonly number[]
}
export type Applied = { created: number; changed: number; removed: number; left: number; notified: number }
type ApplyOutcome = ({ ok: true; step: number } & Applied) | { ok: false; reason: 'stale' | 'nothing' | 'too_many' }

/** Makes, changes and deletes shifts as the preview said. */
export function applyProgramme(context: CommandContext, input: ApplyInput, guard: Guard = GUARD): Promise<ApplyOutcome> {
  const { eventId, seen, overwrite, remove, again } = input
  return transact(context.db, async (tx): Promise<ApplyOutcome> => {
    const { programme, plan, shifts } = await lockPlan(tx, context, eventId, guard)
    if (digestOf(plan, programme.options) !== seen) return { ok: false, reason: 'stale' }
    const work = chooseWork(plan, { overwrite, remove, again })
    if (work.made.length > MAX_NEW_SHIFTS) return { ok: false, reason: 'too_many' }
    if (!work.made.length && !work.changed.length && !work.removed.length) {
      // The planner decided to keep what differs.
      const hasDecided = plan.rows.some((row) => row.verdict === 'own' && row.parts.some(({ does }) => does === 'conflict'))
      if (!hasDecided) return { ok: false, reason: 'nothing' }
    }
    await guard.checked()
    const step = await record(tx, context, {
      kind: 'event.programme_applied',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: {
        created: [null, work.made.length],
        changed: [null, work.changed.length],
        removed: [null, work.removed.length],
      },
    })
    const pattern = shifts.find(({ id }) => id === programme.options.pattern)
    const applied = await write(tx, context, { programme, plan, work, pattern, step })
    return { ok: true, step, ...applied }
  })
}

/**
 * Changes times of shifts without participants. Nothing else, and nothing that was changed by hand. Undefined: nothing to do. Runs in the
 * transaction of a caller that holds the lock of the event.
 */
export async function applyTimes(tx: Tx, context: CommandContext, programme: Programme): Promise<Applied | undefined> {
  const { timeZone } = context.site
  const { plan } = await loadPlan(tx, programme, { now: context.now, timeZone })
  const changed = plan.rows.flatMap((row): Work['changed'] => {
    if (row.verdict !== 'changed' || peopleOf(row.shift)) return []
    const isMoved = row.parts.some(({ part, does }) => part === 'times' && does === 'apply')
    return isMoved ? [{ wish: row.wish, link: row.link, shift: row.shift, parts: ['times'] }] : []
  })
  if (!changed.length) return undefined
  const { eventId } = programme
  const step = await record(tx, context, {
    kind: 'event.programme_followed',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { changed: [null, changed.length] },
  })
  return write(tx, context, {
    programme,
    plan: { rows: [], obsolete: [] },
    work: { made: [], changed, removed: [] },
    pattern: undefined,
    step,
  })
}

/** Locks the participants of the shifts of the programme, then the event, and reads everything again. */
export async function lockPlan(tx: Tx, context: CommandContext, eventId: number, guard: Guard) {
  const linked = (await findLinks(tx, eventId)).flatMap(({ shiftId }) => (shiftId === null ? [] : [shiftId]))
  await guard.lockPeople(tx, await findParticipantsOfShifts(tx, linked))
  await lockPlannedEvent(tx, context, eventId, guard.lockEvent)
  const programme = await requireProgramme(tx, eventId)
  return { programme, ...(await loadPlan(tx, programme, { now: context.now, timeZone: context.site.timeZone })) }
}

type Work = {
  made: { wish: Wish; link?: Link | undefined }[]
  changed: { wish: Wish; link: Link; shift: PlannedShift; parts: Part[] }[]
  removed: { link: Link; shift: PlannedShift }[]
}

function chooseWork({ rows }: Plan, { overwrite, remove, again }: Pick<ApplyInput, 'overwrite' | 'remove' | 'again'>): Work {
  const work: Work = { made: [], changed: [], removed: [] }
  for (const row of rows) {
    if (row.verdict === 'new') work.made.push({ wish: row.wish })
    if (row.verdict === 'deleted' && again.includes(row.link.id)) work.made.push({ wish: row.wish, link: row.link })
    if (row.verdict === 'removed' && remove.includes(row.link.id)) work.removed.push({ link: row.link, shift: row.shift })
    if (row.verdict === 'changed' || row.verdict === 'own') {
      const isOverwritten = overwrite.includes(row.link.id)
      const parts = row.parts.filter(({ does }) => does === 'apply' || isOverwritten).map(({ part }) => part)
      if (parts.length) work.changed.push({ wish: row.wish, link: row.link, shift: row.shift, parts })
    }
  }
  return work
}

const inputOf = ({
  id: _id,
  eventId: _event,
  confirmed: _confirmed,
  requested: _requested,
  ...input
}: PlannedShift): ShiftInput => input

type Writing = { programme: Programme; plan: Plan; work: Work; pattern: PlannedShift | undefined; step: number }

async function write(tx: Tx, context: CommandContext, { programme, plan, work, pattern, step }: Writing): Promise<Applied> {
  const { eventId } = programme
  const { timeZone } = context.site
  const former = await findLinks(tx, eventId)
  const total: Applied = { created: 0, changed: 0, removed: 0, left: 0, notified: 0 }
  const like = pattern && inputOf(pattern)
  const shifts = work.made.map(({ wish }) => shiftFor(wish, like, timeZone))
  const made = await insertShifts(tx, eventId, shifts)
  await recordShifts(
    tx,
    context,
    made.map((id, index) => ({ eventId, id, shift: shifts[index]! })),
  )
  for (const [index, { wish, link }] of work.made.entries())
    await saveLink(tx, eventId, { wish, shiftId: made[index]!, linkId: link?.id })
  total.created = made.length
  await refreshStatistics(tx, made)
  if (like?.flowSlug === 'coupled') await copyFromLeaders(tx, context, made)
  for (const { wish, link, shift, parts } of work.changed) {
    const input = withParts(inputOf(shift), wish, parts)
    const outcome = await changeShiftIn(tx, context, { shiftId: shift.id, input, version: {} })
    if (!outcome.ok) {
      total.left++
      continue
    }
    total.changed++
    total.notified += outcome.notified
    // Changes without a plan are of times alone; with one, `settleLinks` stores all values.
    await sql`update programme_shift set start_time = ${wish.start}, end_time = ${wish.end} where id = ${link.id}`.execute(tx)
  }
  for (const { link, shift } of work.removed) {
    const outcome = await deleteShiftIn(tx, context, { eventId, shiftId: shift.id })
    if (outcome.ok) {
      total.removed++
      await tx.deleteFrom('programme_shift').where('id', '=', link.id).execute()
    } else total.left++
  }
  await settleLinks(tx, plan)
  const kept: Former = {
    step,
    at: context.now.toISOString(),
    links: former.map(({ start, end, ...link }) => ({ ...link, start: start.toISOString(), end: end.toISOString() })),
  }
  const after = await loadPlan(tx, programme, { now: context.now, timeZone })
  await sql`update programme set former = ${JSON.stringify(kept)}::jsonb, announced = ${newsDigest(after.plan)}
    where event_id = ${eventId}`.execute(tx)
  return total
}

/** What the programme says now is what later changes are compared with, also where the planner kept the own value. */
async function settleLinks(tx: Tx, { rows, obsolete }: Plan): Promise<void> {
  const known = rows.flatMap((row) =>
    row.verdict === 'changed' || row.verdict === 'own' || row.verdict === 'same' || row.verdict === 'deleted'
      ? [{ id: row.link.id, keys: row.wish.keys, label: row.wish.label, start: row.wish.start, end: row.wish.end }]
      : [],
  )
  await sql`update programme_shift l set keys = k.keys, label = k.label, start_time = k.start, end_time = k."end"
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as k (id bigint, keys text[], label text, start timestamptz, "end" timestamptz)
    where l.id = k.id`.execute(tx)
  if (obsolete.length) await tx.deleteFrom('programme_shift').where('id', 'in', obsolete).execute()
}

async function saveLink(
  tx: Tx,
  eventId: number,
  { wish, shiftId, linkId }: { wish: Wish; shiftId: number; linkId: number | undefined },
): Promise<void> {
  const { keys, label, start, end } = wish
  const values = { shift_id: shiftId, keys, label, start_time: start, end_time: end }
  if (linkId === undefined)
    await tx
      .insertInto('programme_shift')
      .values({ event_id: eventId, ...values })
      .execute()
  else await tx.updateTable('programme_shift').set(values).where('id', '=', linkId).execute()
}
