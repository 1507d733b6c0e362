import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'

export type Drift = { what: string; count: number /** ids, at most five, lowest first */; examples: number[] }

// Each query finds rows whose stored value is wrong, along with the right value.
const wrongParticipations = sql`
  select participation.id, shift.event_id,
    coalesce(individual_start_time, shift.start_time) as start_time, coalesce(individual_end_time, shift.end_time) as end_time
  from participation join shift on shift.id = participation.shift_id
  where (participation.event_id, participation.start_time, participation.end_time) is distinct from
    (shift.event_id, coalesce(individual_start_time, shift.start_time), coalesce(individual_end_time, shift.end_time))`

const wrongParticipationAudiences = sql`
  select participation.id, case when event.listed then event.audience_id end as audience_id
  from participation join shift on shift.id = participation.shift_id join event on event.id = shift.event_id
  where participation.listed_audience_id is distinct from case when event.listed then event.audience_id end`

const wrongShifts = sql`
  select shift.id, coalesce(truth.requested, 0) as requested, coalesce(truth.confirmed, 0) as confirmed
  from shift left join (
    select shift_id, count(*) filter (where state = 0) as requested, count(*) filter (where state = 1) as confirmed
    from participation group by shift_id
  ) truth on truth.shift_id = shift.id
  where (shift.requested_count, shift.confirmed_count) is distinct from (coalesce(truth.requested, 0), coalesce(truth.confirmed, 0))`

const wrongTimes = sql`
  select event.id, truth.start_time, truth.end_time, coalesce(truth.shifts, 0) as shifts
  from event left join (
    select event_id, min(start_time) as start_time, max(end_time) as end_time, count(*) as shifts from shift group by event_id
  ) truth on truth.event_id = event.id
  where (event.start_time, event.end_time, event.shift_count) is distinct from
    (truth.start_time, truth.end_time, coalesce(truth.shifts, 0))`

const wrongAudiences = sql`
  select event.id, coalesce(truth.group_ids, '{}') as group_ids
  from event join audience on audience.id = event.audience_id left join (
    select event_id, array_agg(distinct group_id order by group_id) as group_ids from event_group_grant group by event_id
  ) truth on truth.event_id = event.id
  where audience.group_ids is distinct from coalesce(truth.group_ids, '{}')`

const wrongShiftAudiences = sql`
  select shift.id, case when event.listed then event.audience_id end as audience_id
  from shift join event on event.id = shift.event_id
  where shift.listed_audience_id is distinct from case when event.listed then event.audience_id end`

const wrongListedCounts = sql`
  select audience.id, coalesce(truth.events, 0) as events, coalesce(truth.shifts, 0) as shifts
  from audience left join (
    select audience_id, count(*) as events, sum(shift_count) as shifts from event where listed group by audience_id
  ) truth on truth.audience_id = audience.id
  where (audience.listed_count, audience.listed_shift_count) is distinct from (coalesce(truth.events, 0), coalesce(truth.shifts, 0))`

const eventsTakenPart = sql`array(select distinct event_id from participation where state in (0, 1))`

const wrongEventCounts = sql`
  select coalesce(truth.event_id, stored.event_id) as id, truth.*
  from counted_participations(${eventsTakenPart}) truth
  full join (
    select stored.event_id, audience_id, type_id, responsible_group_ids, stored.local_count, stored.other_count
    from event_participation_count stored join participation_count on participation_count.id = count_id
  ) stored on stored.event_id = truth.event_id
  where (truth.audience_id, truth.type_id, truth.responsible_group_ids, truth.local_count, truth.other_count) is distinct from
    (stored.audience_id, stored.type_id, stored.responsible_group_ids, stored.local_count, stored.other_count)`

const sumOf = (table: string): RawBuilder<unknown> =>
  sql`select count_id, sum(local_count)::bigint as locals, sum(other_count)::bigint as others from ${sql.table(table)} group by count_id`

const wrongParticipationCounts = sql`
  select stored.id, coalesce(truth.locals, 0) as locals, coalesce(truth.others, 0) as others
  from participation_count stored
  left join (${sumOf('event_participation_count')}) truth on truth.count_id = stored.id
  left join (${sumOf('participation_count_pending')}) pending on pending.count_id = stored.id
  where (stored.local_count + coalesce(pending.locals, 0), stored.other_count + coalesce(pending.others, 0)) is distinct from
    (coalesce(truth.locals, 0), coalesce(truth.others, 0))`

const wrongClosure = sql`
  with recursive reach (qualification_id, included_id) as (
    select qualification_id, included_id from qualification_inclusion
    union
    select reach.qualification_id, edge.included_id
    from reach join qualification_inclusion edge on edge.qualification_id = reach.included_id
  )
  select distinct coalesce(reach.qualification_id, stored.qualification_id) as id
  from reach full join qualification_closure stored using (qualification_id, included_id)
  where reach.qualification_id is null or stored.qualification_id is null`

const CHECKS: [what: string, wrong: RawBuilder<unknown>][] = [
  ['participation: event and effective times', wrongParticipations],
  ['participation: audience of its listed event', wrongParticipationAudiences],
  ['shift: requested and confirmed', wrongShifts],
  ['event: start, end and number of shifts', wrongTimes],
  ['event: audience', wrongAudiences],
  ['shift: audience of its listed event', wrongShiftAudiences],
  ['audience: listed events and shifts', wrongListedCounts],
  ['event: participations that lists count', wrongEventCounts],
  ['participations: sums by audience, type and responsible groups', wrongParticipationCounts],
  ['qualification: everything it includes', wrongClosure],
]

/** Compares the columns that triggers maintain with their source, in one snapshot. Empty if all are right. */
export async function findDrift(db: Kysely<DB>): Promise<Drift[]> {
  if (!db.isTransaction)
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(findDrift)
  await withoutTimeout(db)
  const drifts: Drift[] = []
  for (const [what, wrong] of CHECKS) {
    const { count, examples } = await rowsOf(db).one(sql<{ count: number; examples: number[] | null }>`
      with wrong as materialized (${wrong})
      select (select count(*) from wrong) as count, array(select id from wrong order by id limit 5) as examples`)
    if (count > 0) drifts.push({ what, count, examples: examples ?? [] })
  }
  return drifts
}

/** Corrects all columns that triggers maintain. Blocks writers; does not write rows that are right. */
export async function rebuildDenormalised(db: Kysely<DB>): Promise<void> {
  if (!db.isTransaction) return transact(db, rebuildDenormalised)
  await withoutTimeout(db)
  // Events first, in the same order as commands, which avoids deadlocks with commands that hold the lock of an event.
  await sql`lock table event, shift, participation, event_group_grant, audience, event_participation_count, participation_count,
    participation_count_pending, qualification_inclusion, qualification_closure in exclusive mode`.execute(db)
  // First, because triggers add differences to these counts during the updates below, and they must not become negative.
  await recountAudiences(db)
  await sql`update shift set requested_count = wrong.requested, confirmed_count = wrong.confirmed
    from (${wrongShifts}) wrong where shift.id = wrong.id`.execute(db)
  await sql`update event set start_time = wrong.start_time, end_time = wrong.end_time, shift_count = wrong.shifts
    from (${wrongTimes}) wrong where event.id = wrong.id`.execute(db)
  await sql`insert into audience (group_ids) select distinct group_ids from (${wrongAudiences}) wrong order by 1
    on conflict (group_ids) do nothing`.execute(db)
  await sql`update event set audience_id = audience.id
    from (${wrongAudiences}) wrong, audience where event.id = wrong.id and audience.group_ids = wrong.group_ids`.execute(db)
  await sql`update shift set listed_audience_id = wrong.audience_id
    from (${wrongShiftAudiences}) wrong where shift.id = wrong.id`.execute(db)
  // After the shifts, because the trigger copies from them.
  await sql`update participation set shift_id = shift_id
    where id in (select id from (${wrongParticipations}) wrong) or id in (select id from (${wrongParticipationAudiences}) wrong)`.execute(
    db,
  )
  await recountAudiences(db)
  await recountParticipations(db)
  await sql`select rebuild_qualification_closure() where exists (${wrongClosure})`.execute(db)
}

/** Also called alone, after a bulk load that wrote events with triggers disabled. */
export async function recountAudiences(db: Kysely<DB>): Promise<void> {
  await sql`update audience set listed_count = wrong.events, listed_shift_count = wrong.shifts
    from (${wrongListedCounts}) wrong where audience.id = wrong.id`.execute(db)
}

/** Also called alone, after a bulk load that wrote participations with triggers disabled. */
export async function recountParticipations(db: Kysely<DB>): Promise<void> {
  await sql`select refresh_participation_counts(array(select id from (${wrongEventCounts}) wrong order by id))`.execute(db)
  await sql`update participation_count set local_count = wrong.locals - coalesce(pending.locals, 0),
      other_count = wrong.others - coalesce(pending.others, 0)
    from (${wrongParticipationCounts}) wrong left join (${sumOf('participation_count_pending')}) pending on pending.count_id = wrong.id
    where participation_count.id = wrong.id`.execute(db)
}

async function withoutTimeout(db: Kysely<DB>): Promise<void> {
  // Whole tables are read; the timeout of the pool is meant for requests.
  await sql`set local statement_timeout = 0`.execute(db)
}
