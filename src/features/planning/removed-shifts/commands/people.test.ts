import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, PAUL, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import type { ShiftRows } from '../points.ts'
import { deleteRemovedOf, mergeRemoved, redactRemoved } from './people.ts'

describe('people of removed shifts', async () => {
  const world = await openRecords()
  const { write } = world.db
  const [first, second] = [1001, 1002]
  let event = 0

  const addShift = (id: number, reason: string) =>
    write
      .insertInto('removed_shift')
      .values({
        id,
        event_id: event,
        is_cancelled: true,
        reason,
        removed_at: world.now,
        removed_by_id: PAUL.id,
        label: 'Desk',
        meeting_time: world.now,
        start_time: world.now,
        end_time: world.now,
        row: '{}',
      })
      .execute()
  const addPlace = (
    id: number,
    shift: number,
    user: number | null,
    { state = 1, ...row }: { state?: number; [key: string]: unknown } = {},
  ) =>
    write
      .insertInto('removed_participation')
      .values({
        id,
        removed_shift_id: shift,
        shift_id: shift,
        user_id: user,
        guest_id: null,
        visitor_id: null,
        state,
        start_time: world.now,
        end_time: world.now,
        row: JSON.stringify({ id, ...row }),
      })
      .execute()
  const addRow = (table: string, shift: number, user: number | null, row: object, participation: number | null = null) =>
    write
      .insertInto('removed_row')
      .values({
        removed_shift_id: shift,
        participation_id: participation,
        user_id: user,
        table_name: table,
        row: JSON.stringify(row),
      })
      .execute()
  const places = async () =>
    (await write.selectFrom('removed_participation').selectAll().orderBy('id').execute()).map(({ id, user_id }) => [id, user_id])
  const rows = async () =>
    (await write.selectFrom('removed_row').selectAll().orderBy('id').execute()).map(({ user_id, table_name, row }) => [
      table_name,
      user_id,
      row,
    ])
  const commit = (run: Parameters<typeof transact<void>>[1]) => transact(write, run)

  beforeEach(async () => {
    await sql`delete from removed_shift`.execute(write)
    event = (await world.addEvent({})).id
    await addShift(first, 'Ann is ill')
    await addShift(second, 'Storm')
  })

  test('leave when they are erased, with those whom they brought and what they asked for', async () => {
    await addPlace(1, first, ANN.id)
    await addPlace(2, first, null, { brought_by_id: 1 })
    await addPlace(3, first, BEN.id)
    await addPlace(4, first, null, { brought_by_id: 3 })
    await addPlace(5, second, ANN.id)
    await addRow('waiting_entry', first, ANN.id, { user_id: ANN.id })
    await addRow('waiting_entry', second, BEN.id, { user_id: BEN.id })
    await addRow('shift_resource', second, null, {})
    await commit((tx) => deleteRemovedOf(tx, ANN.id))
    assert.deepEqual(await places(), [
      [3, BEN.id],
      [4, null],
    ])
    assert.deepEqual(await rows(), [
      ['waiting_entry', BEN.id, { user_id: BEN.id }],
      ['shift_resource', null, {}],
    ])
  })

  test('are replaced in texts, everywhere in them, and nothing else changes', async () => {
    await addPlace(1, first, BEN.id, { note: 'Ann and Ann' })
    await addPlace(2, first, VERA.id, { note: 'Anton' })
    await addRow('comment', first, null, { text: 'Ask Ann or Ann' })
    await addRow('comment', first, null, { text: 'Ask Paul' })
    await addShift(1003, 'Ann, then Ann again')
    await commit((tx) => redactRemoved(tx, '\\yAnn\\y', '***'))
    const stored = await write.selectFrom('removed_participation').select('row').orderBy('id').execute()
    assert.deepEqual(
      stored.map(({ row }) => row),
      [
        { id: 1, note: '*** and ***' },
        { id: 2, note: 'Anton' },
      ],
    )
    assert.deepEqual(
      (await rows()).map(([, , row]) => row),
      [{ text: 'Ask *** or ***' }, { text: 'Ask Paul' }],
    )
    const reasons = await write.selectFrom('removed_shift').select('reason').orderBy('id').execute()
    assert.deepEqual(
      reasons.map(({ reason }) => reason),
      ['*** is ill', 'Storm', '***, then *** again'],
    )
  })

  test('become one person in every stored row, and on each shift that only one of them was on', async () => {
    await addPlace(1, first, ANN.id)
    await addPlace(2, second, BEN.id, { state: 2 })
    await addPlace(3, first, VERA.id)
    await addPlace(4, second, VERA.id, { state: 2 })
    await addRow('inquiry', first, BEN.id, { created_by_id: BEN.id, answered_by_id: VERA.id })
    await addRow('inquiry', second, VERA.id, { created_by_id: VERA.id, answered_by_id: BEN.id })
    await addRow('comment', first, null, { created_by_id: BEN.id })
    await addRow('lost', first, null, { created_by_id: BEN.id })
    const of = 'shift' as const
    const stored = [
      { table: 'lost', column: 'shift_id', of, lost: 'no reason' },
      { table: 'inquiry', column: 'shift_id', of, people: ['created_by_id', 'answered_by_id'] },
      { table: 'comment', column: 'shift_id', of },
    ] as unknown as ShiftRows[]
    await commit((tx) => mergeRemoved(tx, stored, { remainingId: ANN.id, otherId: BEN.id }))
    assert.deepEqual(await places(), [
      [1, ANN.id],
      [2, ANN.id],
      [3, VERA.id],
      [4, VERA.id],
    ])
    assert.deepEqual(await rows(), [
      ['inquiry', ANN.id, { created_by_id: ANN.id, answered_by_id: VERA.id }],
      ['inquiry', VERA.id, { created_by_id: VERA.id, answered_by_id: ANN.id }],
      ['comment', null, { created_by_id: BEN.id }],
      ['lost', null, { created_by_id: BEN.id }],
    ])
  })
})
