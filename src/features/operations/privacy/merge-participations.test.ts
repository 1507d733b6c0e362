import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { lockEventsOf, mergeParticipations } from './commands/merge-steps.ts'

describe('what belongs to two participations in one shift', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { id: eventId, shifts } = await world.addEvent({ shifts: [{}] })
  const runs: number[] = []
  for (let n = 0; n < 2; n++)
    runs.push(
      (
        await write
          .insertInto('attendance_run')
          .values({ event_id: eventId, applied_at: world.now, rounding: 0 })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    )
  const [run, otherRun] = runs as [number, number]
  const at = (hour: number) => new Date(`2031-06-01T${String(hour).padStart(2, '0')}:00:00Z`)
  const addMark = (participation_id: number, made_at: Date) =>
    write
      .insertInto('attendance_mark')
      .values({
        id: crypto.randomUUID(),
        participation_id,
        kind: 'arrived',
        no_show: false,
        no_show_before: false,
        outcome: 'applied',
        source: 'planner',
        made_at,
        received_at: made_at,
      })
      .execute()
  const addResult = (participation_id: number, run_id: number, start_after: Date) =>
    write
      .insertInto('attendance_result')
      .values({ participation_id, run_id, absent_before: false, absent_after: false, start_after })
      .execute()
  const addNotification = (participation_id: number, bundle: string) =>
    write
      .insertInto('notification')
      .values({
        participation_id,
        user_id: OLGA.id,
        bundle,
        kind: 'test',
        source: `${participation_id} ${bundle}`,
        created_at: world.now,
        next_attempt_at: world.now,
      })
      .execute()
  /** Whether the person has left the group, the arrival, marks, results by run, notifications and people who were brought. */
  const partsOf = async (participation: number) => {
    const { rows } = await sql<Record<string, unknown>>`select
      (select has_left_group from place_basis where participation_id = ${participation}) as "hasLeftGroup",
      (select arrived_at from attendance where participation_id = ${participation}) as arrived,
      array(select made_at from attendance_mark where participation_id = ${participation} order by 1) as marks,
      array(select start_after from attendance_result where participation_id = ${participation} order by run_id) as results,
      array(select bundle from notification where participation_id = ${participation} order by 1) as notifications,
      array(select placeholder_name from participation where brought_by_id = ${participation} order by 1) as brought`.execute(
      write,
    )
    return rows[0]
  }
  const addParts = async (participation: number, hour: number, name: string, { isComplete = true } = {}) => {
    const { shift_id: shift } = await write
      .selectFrom('participation')
      .select('shift_id')
      .where('id', '=', participation)
      .executeTakeFirstOrThrow()
    if (isComplete) {
      await write
        .insertInto('place_basis')
        .values({ participation_id: participation, has_left_group: name === 'other' })
        .execute()
      await write
        .insertInto('attendance')
        .values({ participation_id: participation, arrived_at: at(hour) })
        .execute()
      await addResult(participation, run, at(hour))
    }
    await addMark(participation, at(hour))
    await addNotification(participation, name)
    const brought = await world.addParticipation({ who: { placeholder: `guest of ${name}` }, shift, state: 1 })
    await write.updateTable('participation').set({ brought_by_id: participation }).where('id', '=', brought).execute()
  }
  const setUp = async (states: { own: 0 | 1; other: 0 | 1 }, own: { isComplete: boolean }) => {
    const [pia, quinn, third] = [
      await world.addPerson({ name: 'Pia' }),
      await world.addPerson({ name: 'Quinn' }),
      await world.addPerson({ name: 'Third' }),
    ]
    const shift = (await world.addEvent({ shifts: [{}] })).shifts[0]!
    const kept = await world.addParticipation({ who: pia, shift, state: states.own })
    const gone = await world.addParticipation({ who: quinn, shift, state: states.other })
    const untouched = await world.addParticipation({ who: third, shift, state: 1 })
    await addParts(kept, 8, 'own', own)
    await addParts(gone, 9, 'other')
    await addResult(gone, otherRun, at(10))
    await addParts(untouched, 11, 'third')
    const before = await partsOf(untouched)
    await transact(write, (tx) => mergeParticipations(tx, { remainingId: pia.id, otherId: quinn.id }))
    assert.deepEqual(await partsOf(untouched), before, 'of another person')
    const left = await write.selectFrom('participation').select('id').where('id', '=', gone).execute()
    assert.deepEqual(left, [])
    return partsOf(kept)
  }
  const BOTH = { marks: [at(8), at(9)], notifications: ['other', 'own'], brought: ['guest of other', 'guest of own'] }

  test('stays, and what only the other had is added', async () => {
    assert.deepEqual(await setUp({ own: 1, other: 0 }, { isComplete: true }), {
      ...BOTH,
      hasLeftGroup: false,
      arrived: at(8),
      results: [at(8), at(10)],
    })
  })
  test('comes from the other if the own one has nothing', async () => {
    assert.deepEqual(await setUp({ own: 1, other: 0 }, { isComplete: false }), {
      ...BOTH,
      hasLeftGroup: true,
      arrived: at(9),
      results: [at(9), at(10)],
    })
  })
  test('follows the better place: its basis stays', async () => {
    assert.deepEqual(await setUp({ own: 0, other: 1 }, { isComplete: true }), {
      ...BOTH,
      hasLeftGroup: true,
      arrived: at(8),
      results: [at(8), at(10)],
    })
  })

  test('shifts of the remaining account are returned, and participations of nobody else move', async () => {
    const [pia, quinn] = [await world.addPerson({ name: 'Paula' }), await world.addPerson({ name: 'Quentin' })]
    await world.addParticipation({ who: quinn, shift: shifts[0]!, state: 1 })
    const before = await write.selectFrom('participation').select('id').where('user_id', '=', OLGA.id).execute()
    const returned = await transact(write, (tx) => mergeParticipations(tx, { remainingId: pia.id, otherId: quinn.id }))
    assert.deepEqual(returned, shifts)
    assert.deepEqual(await write.selectFrom('participation').select('id').where('user_id', '=', OLGA.id).execute(), before)
  })

  test('the events in which either of both takes part, or which they plan, are locked, and no others', async () => {
    const [pia, quinn, other] = [
      await world.addPerson({ name: 'Petra' }),
      await world.addPerson({ name: 'Quirin' }),
      await world.addPerson({ name: 'Otto' }),
    ]
    const events = {
      ofPia: await world.addEvent({ shifts: [{}] }),
      ofQuinn: await world.addEvent({ shifts: [{}] }),
      plannedByQuinn: await world.addEvent({ responsible: [quinn], shifts: [{}] }),
      seenByPia: await world.addEvent({ seenBy: [pia], shifts: [{}] }),
      ofOther: await world.addEvent({ responsible: [other], shifts: [{}] }),
    }
    await world.addParticipation({ who: pia, shift: events.ofPia.shifts[0]! })
    await world.addParticipation({ who: quinn, shift: events.ofQuinn.shifts[0]!, state: 2 })
    await world.addParticipation({ who: other, shift: events.ofOther.shifts[0]! })
    const ids = Object.values(events).map(({ id }) => id)
    const free = await transact(write, async (tx) => {
      await lockEventsOf(tx, { remainingId: pia.id, otherId: quinn.id })
      const { rows } = await sql<{ id: number }>`
        select id from event where id = any (${ids}::bigint[]) order by id for no key update skip locked`.execute(write)
      return rows.map(({ id }) => Number(id))
    })
    assert.deepEqual(free, [events.ofOther.id])
  })
})
