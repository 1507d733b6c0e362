import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { BOARD_GUARD, type CardOutcome, saveCardsIn } from '#features/staffing/disposition/commands/board.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { undoMove } from '#features/staffing/participations/commands/undo.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { Change } from '#platform/journal/kinds.ts'
import { getWeights } from './queries/ledger.ts'
import type { ChosenPerson } from './rules/chosen.ts'
import type { Weights } from './rules/ledger.ts'
import { UNDO_HOURS } from './rules/undo.ts'

type AppliedRun = { runId: number | undefined; outcomes: readonly CardOutcome[] }

/** Confirms the chosen people on their places in one transaction. People who changed their state meanwhile are left as they are. */
export async function applyProposal(
  context: CommandContext,
  chosen: readonly ChosenPerson[],
  guard = BOARD_GUARD,
): Promise<AppliedRun> {
  if (chosen.length === 0) return { runId: undefined, outcomes: [] }
  return transact(context.db, async (tx) => {
    const cards = chosen.map(({ shiftId, who, version, place }) => ({
      shiftId,
      who,
      version,
      place,
      to: STATE.confirmed,
      cause: 'auto_fill',
    }))
    const outcomes = await saveCardsIn(tx, context, cards, guard)
    const entries = outcomes.flatMap((one) =>
      one.kind === 'saved' && one.entryId !== undefined ? [{ participationId: one.participationId, entryId: one.entryId }] : [],
    )
    return { outcomes, runId: entries.length > 0 ? await storeRun(tx, context, entries) : undefined }
  })
}

async function storeRun(
  tx: Tx,
  { actor, now }: CommandContext,
  entries: readonly { participationId: number; entryId: number }[],
): Promise<number> {
  const { id } = await tx
    .insertInto('fill_run')
    .values({ user_id: userIdOrNull(actor), applied_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('fill_place')
    .values(entries.map(({ participationId, entryId }) => ({ run_id: id, participation_id: participationId, entry_id: entryId })))
    .execute()
  return id
}

type RunPlace = {
  entryId: number
  participationId: number
  shiftId: number
  kind: string
  personId: number | null
}

type UndoneRun = { undone: number; changed: number }

/** Restores everything that a run changed and that was not changed since. */
export async function undoRun(context: CommandContext, runId: number, guard = BOARD_GUARD): Promise<UndoneRun | 'late'> {
  return transact(context.db, async (tx) => {
    const run = requireFound(await tx.selectFrom('fill_run').selectAll().where('id', '=', runId).forUpdate().executeTakeFirst())
    if (run.undone_at) return { undone: 0, changed: 0 }
    const places = await findPlaces(tx, runId)
    const events = new Set<number>()
    for (const shiftId of new Set(places.map((place) => place.shiftId))) {
      const eventId = await getChangeableEventOf(tx, context.actor, shiftId)
      if (eventId === undefined) throw await refuseShift(tx, context.actor, shiftId)
      events.add(eventId)
    }
    if (context.now.getTime() - run.applied_at.getTime() > UNDO_HOURS * 3_600_000) return 'late'
    await guard.lockPeople(
      tx,
      places.flatMap(({ kind, personId }) =>
        personId !== null && (kind === 'local' || kind === 'visitor' || kind === 'guest') ? [{ kind, id: personId }] : [],
      ),
    )
    for (const eventId of [...events].sort((a, b) => a - b)) await guard.lockEvent(tx, eventId)
    let undone = 0
    for (const { entryId } of places) if (await undoMove(tx, context, entryId)) undone++
    await tx.updateTable('fill_run').set({ undone_at: context.now }).where('id', '=', runId).execute()
    return { undone, changed: places.length - undone }
  })
}

async function findPlaces(tx: Tx, runId: number): Promise<RunPlace[]> {
  return rowsOf(tx).all(sql<RunPlace>`
    select f.entry_id as "entryId", f.participation_id as "participationId", p.shift_id as "shiftId", p.kind,
      coalesce(p.user_id, p.visitor_id, p.guest_id) as "personId"
    from fill_place f join participation p on p.id = f.participation_id
    where f.run_id = ${runId} order by f.entry_id desc`)
}

/** False: nothing has changed. */
export async function changeWeights(context: CommandContext, weights: Weights): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const before = await getWeights(tx)
    const names = (Object.keys(weights) as (keyof Weights)[]).filter((name) => weights[name] !== before[name])
    if (names.length === 0) return false
    for (const name of names)
      await tx
        .insertInto('fill_weight')
        .values({ name, value: weights[name] })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: weights[name] }))
        .execute()
    await record(tx, context, {
      kind: 'fill_weights.changed',
      subject: { kind: 'instance', id: null },
      changes: Object.fromEntries(
        names.map((name): [string, Change<number>] => [`weight_${name}`, [before[name], weights[name]]]),
      ),
    })
    return true
  })
}
