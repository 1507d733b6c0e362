import { type Kysely, type RawBuilder, sql } from 'kysely'
import { unplanned } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { findStaleShifts, type LoadedSkills, loadStaffing, type StaffedShift, usesBlocks } from '../queries/staffing.ts'
import type { SignupStats } from '../rules/model.ts'
import { computeStatistics } from '../structures/registry.ts'

/**
 * Called by every command that changes people, structure or times of a shift, in its transaction and with the event locked. `loaded`: what
 * the command has read in this transaction and does not change.
 */
export async function refreshStatistics(tx: Tx, shiftIds: readonly number[], loaded?: LoadedSkills): Promise<void> {
  if (!shiftIds.length) return
  const shifts = await loadStaffing(tx, shiftIds, loaded)
  await storeShiftStatistics(
    tx,
    shifts.map(({ id, ...shift }) => ({ shiftId: id, stats: computeStatistics(shift) })),
    shifts.flatMap(({ newlyQualified }) => newlyQualified),
  )
  await storeLapses(
    tx,
    shifts.flatMap(({ changedLapses }) => changedLapses),
  )
}

/** Remembers whose place lapsed; notifications read it. */
async function storeLapses(tx: Tx, changed: StaffedShift['changedLapses']): Promise<void> {
  if (!changed.length) return
  await sql`
    update place_basis b set lapse = new.lapse,
      lapse_id = case when new.lapse is not null then coalesce(b.lapse_id, gen_random_uuid()) end
    from unnest(
      ${changed.map(({ participationId }) => participationId)}::bigint[], ${changed.map(({ lapse }) => lapse)}::text[]
    ) as new (id, lapse)
    where b.participation_id = new.id and b.lapse is distinct from new.lapse`.execute(tx)
}

type ShiftStatistics = { shiftId: number; stats: Pick<SignupStats, 'missing' | 'free' | 'minCount' | 'maxCount' | 'shortfall'> }

/**
 * Triggers keep the counts of people; `missing` and `free` need the matching, which is not SQL. Remembers who meets the needs of their
 * place, so that a lost qualification is noticed later.
 */
async function storeShiftStatistics(
  tx: Tx,
  computed: readonly ShiftStatistics[],
  newlyQualified: readonly number[],
): Promise<void> {
  if (!computed.length) return
  const column = <T>(type: 'bigint' | 'int', read: (each: ShiftStatistics) => T) =>
    sql`${unplanned(sql`${computed.map(read)}::${sql.raw(type)}[]`)}::${sql.raw(type)}[]`
  // Skip unchanged rows: each write increments the version of the event.
  const remembered = sql`with remembered as (
    insert into place_basis (participation_id, was_qualified) select id, true from unnest(${newlyQualified}::bigint[]) as place (id)
    on conflict (participation_id) do update set was_qualified = true)`
  await sql`${newlyQualified.length ? remembered : sql``}
    update shift set missing = new.missing, free = new.free, min_count = new.min_count, max_count = new.max_count,
      shortfall = new.shortfall, stats_stale = false
    from unnest(
      ${column('bigint', ({ shiftId }) => shiftId)}, ${column('int', ({ stats }) => stats.missing)}, ${column('int', ({ stats }) => stats.free)},
      ${column('int', ({ stats }) => stats.minCount)}, ${column('int', ({ stats }) => stats.maxCount)},
      ${column('int', ({ stats }) => stats.shortfall ?? 0)}
    ) as new (id, missing, free, min_count, max_count, shortfall)
    where shift.id = new.id
      and (shift.missing, shift.free, shift.min_count, shift.max_count, shift.shortfall, shift.stats_stale)
        is distinct from (new.missing, new.free, new.min_count, new.max_count, new.shortfall, false)`.execute(tx)
}

const BATCH_SIZE = 200

/**
 * Changes of qualifications and building blocks only mark shifts as stale; this recomputes them, event by event. Commands do not mark
 * ended shifts, a migration that corrects their participations does.
 */
export async function refreshStaleStatistics(db: Kysely<DB>): Promise<number> {
  const stale = await findStaleShifts(db, BATCH_SIZE)
  await repairStatistics(db, stale)
  return stale.length
}

/** Recomputes the statistics of these shifts, event by event. */
export async function repairStatistics(db: Kysely<DB>, shifts: readonly { id: number; eventId: number }[]): Promise<void> {
  const byEvent = Map.groupBy(shifts, ({ eventId }) => eventId)
  for (const [eventId, ofEvent] of byEvent) {
    await transact(db, async (tx) => {
      await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
      await refreshStatistics(
        tx,
        ofEvent.map(({ id }) => id),
      )
    })
  }
}

/** After a change of these blocks or blocks inside them. Ended shifts keep their statistics. */
export async function markShiftsOfBlocks(tx: Tx, blockIds: readonly number[], now: Date): Promise<number> {
  return mark(tx, usesBlocks(blockIds, now))
}

/** A condition on `shift` as `s`. */
const needsQualifications = sql`(s.structure_slug <> 'uniform'
  or coalesce(s.structure_configuration -> 'required_qualification_ids', '[]') not in ('[]', 'null')
  or exists (select from event e join event_type_required_qualification r on r.event_type_id = e.type_id where e.id = s.event_id))`

/** After a change of inclusions or grants of many people: marks every future shift with participants whose places need qualifications. */
export async function markShiftsOfQualifications(tx: Tx, now: Date): Promise<number> {
  return mark(tx, sql`${needsQualifications} and s.end_time > ${now} and s.requested_count + s.confirmed_count > 0`)
}

/** After a change of their qualifications. Ended shifts keep their statistics. */
export async function markShiftsOfPeople(tx: Tx, userIds: readonly number[], now: Date): Promise<void> {
  await mark(
    tx,
    sql`s.end_time >= ${now} and s.id in (select p.shift_id from participation p where p.user_id = any (${userIds}::bigint[]) and p.state in (0, 1))`,
  )
}

async function mark(tx: Tx, touched: RawBuilder<unknown>): Promise<number> {
  // Lock the events first, ordered by id as everywhere: a concurrent sign-up finishes before its shift is marked.
  await sql`select from event where id in (select s.event_id from shift s where ${touched}) order by id for no key update`.execute(
    tx,
  )
  const { numAffectedRows = 0n } =
    await sql`update shift s set stats_stale = true where ${touched} and not s.stats_stale`.execute(tx)
  if (numAffectedRows > 0n)
    await sql`select graphile_worker.add_job('recompute_statistics', job_key => 'recompute_statistics')`.execute(tx)
  return Number(numAffectedRows)
}
