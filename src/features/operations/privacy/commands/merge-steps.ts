import { sql } from 'kysely'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { rowsOf } from '../queries/export.ts'
import { findSharedShifts, isKnown, type MergePair } from '../queries/merge.ts'
import type { MergedFields } from '../rules/merging.ts'

/** Locks the events of both accounts by id, as every command that changes participations does after it has locked the people. */
export async function lockEventsOf(tx: Tx, { remainingId, otherId }: MergePair): Promise<void> {
  await sql`
    select from event where id in (
      select p.event_id from participation p where p.user_id in (${remainingId}, ${otherId})
      union select g.event_id from event_user_grant g where g.user_id in (${remainingId}, ${otherId}))
    order by id for no key update`.execute(tx)
}

/**
 * In a shift that both take part in, the better state stays, with its times, place and answers; comments of both stay. Returns the
 * shifts whose statistics may have changed.
 */
export async function mergeParticipations(tx: Tx, pair: MergePair): Promise<number[]> {
  for (const { remainingParticipation: kept, otherParticipation: other, isOtherBetter } of await findSharedShifts(tx, pair)) {
    if (isOtherBetter) {
      await sql`delete from answer where participation_id = ${kept}`.execute(tx)
      await sql`delete from place_basis where participation_id = ${kept}`.execute(tx)
    }
    await sql`update answer a set participation_id = ${kept} where a.participation_id = ${other}
      and not exists (select from answer own where own.participation_id = ${kept} and own.question_id = a.question_id)`.execute(
      tx,
    )
    await sql`update place_basis b set participation_id = ${kept} where b.participation_id = ${other}
      and not exists (select from place_basis own where own.participation_id = ${kept})`.execute(tx)
    await sql`update attendance a set participation_id = ${kept} where a.participation_id = ${other}
      and not exists (select from attendance own where own.participation_id = ${kept})`.execute(tx)
    await sql`update attendance_mark set participation_id = ${kept} where participation_id = ${other}`.execute(tx)
    await sql`update attendance_result r set participation_id = ${kept} where r.participation_id = ${other}
      and not exists (select from attendance_result own where own.participation_id = ${kept} and own.run_id = r.run_id)`.execute(
      tx,
    )
    await sql`update participation_comment set participation_id = ${kept} where participation_id = ${other}`.execute(tx)
    await sql`update notification set participation_id = ${kept} where participation_id = ${other}`.execute(tx)
    if (isOtherBetter)
      await sql`
        update participation p set state = o.state, individual_start_time = o.individual_start_time,
          individual_end_time = o.individual_end_time, structure_data = o.structure_data, finished = o.finished
        from participation o where p.id = ${kept} and o.id = ${other}`.execute(tx)
    await sql`update participation set brought_by_id = ${kept} where brought_by_id = ${other}`.execute(tx)
    await sql`delete from participation where id = ${other}`.execute(tx)
  }
  await sql`update participation set user_id = ${pair.remainingId} where user_id = ${pair.otherId}`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select p.shift_id as id from participation p where p.user_id = ${pair.remainingId} order by p.shift_id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Of a qualification that both hold, the later expiry stays. */
export async function mergeQualifications(tx: Tx, { remainingId, otherId }: MergePair): Promise<void> {
  await sql`
    update qualification_grant own
    set expires_at = case when own.expires_at is null or o.expires_at is null then null else greatest(own.expires_at, o.expires_at) end
    from qualification_grant o
    where own.user_id = ${remainingId} and o.user_id = ${otherId} and o.qualification_id = own.qualification_id
      and own.expires_at is not null and (o.expires_at is null or o.expires_at > own.expires_at)`.execute(tx)
  await sql`
    delete from qualification_grant o using qualification_grant own
    where o.user_id = ${otherId} and own.user_id = ${remainingId} and own.qualification_id = o.qualification_id`.execute(tx)
  await sql`update qualification_grant set user_id = ${remainingId} where user_id = ${otherId}`.execute(tx)
}

/** Every table that needs no step of its own. */
export async function mergeTables(tx: Tx, tables: readonly PersonalTable[], pair: MergePair): Promise<void> {
  // Nobody is their own guardian.
  const both = sql`(${pair.remainingId}, ${pair.otherId})`
  await sql`delete from guardianship where guardian_id in ${both} and child_id in ${both}`.execute(tx)
  for (const table of tables) {
    const { merge, column } = table
    const name = sql.table(table.table)
    const rows = rowsOf(table, pair.otherId)
    if (merge.do === 'delete') await sql`delete from ${name} t where ${rows}`.execute(tx)
    if (merge.do === 'move_missing')
      await sql`delete from ${name} t where ${rows} and ${isKnown(table, merge.key, pair.remainingId)}`.execute(tx)
    if (merge.do === 'move' || merge.do === 'move_missing')
      await sql`update ${name} t set ${sql.ref(column)} = ${pair.remainingId} where ${rows}`.execute(tx)
  }
  // A person who could see the profile of the other account would get a grant on their own.
  await sql`delete from profile_user_grant where user_id = viewer_id`.execute(tx)
}

export async function storeMergedFields(tx: Tx, userId: number, fields: MergedFields): Promise<void> {
  await tx
    .updateTable('user_profile')
    .set({
      phone: fields.phone,
      date_of_birth: fields.dateOfBirth,
      last_sign_in_at: fields.lastSeenAt,
      created_at: fields.createdAt,
    })
    .where('id', '=', userId)
    .execute()
}
