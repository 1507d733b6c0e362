import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { restoreRows } from './restore.ts'
import { storeShift } from './store.ts'

const at = (time: string) => `2031-05-20T${time}:00Z`

describe('the copy of a removed shift', async () => {
  const world = await openWorld()
  const { write } = world.db
  const paul = contextAs(world, PAUL)
  const nothing = sql`false`
  const store = (shiftId: number, more: { reason?: string; copies?: typeof nothing } = {}, context = paul) =>
    transact(write, (tx) => storeShift(tx, context, { shiftId, reason: undefined, copies: nothing, ...more }))
  const restore = (shiftId: number) => transact(write, (tx) => restoreRows(tx, paul, shiftId))
  const drop = (shiftId: number) => write.deleteFrom('shift').where('id', '=', shiftId).execute()
  const addShifts = () =>
    world.addEvent({
      shifts: [
        { label: 'Desk', start: at('10:00'), end: at('12:00'), meeting: at('09:00') },
        { label: 'Other', start: at('14:00') },
      ],
    })
  const copies = (shiftId: number) =>
    write.selectFrom('removed_participation').selectAll().where('removed_shift_id', '=', shiftId).orderBy('id').execute()
  const places = (shiftId: number) =>
    write
      .selectFrom('participation')
      .select(['id', 'user_id', 'state', 'version'])
      .where('shift_id', '=', shiftId)
      .orderBy('id')
      .execute()

  test('says whose step it was, when and why, and holds the columns of the shift', async () => {
    const { id: event_id, shifts } = await addShifts()
    const [shift, other] = shifts as [number, number]
    await store(shift, { reason: 'Storm' })
    await store(other, {}, { ...paul, actor: { kind: 'anonymous' } as unknown as typeof paul.actor })
    const rows = await write.selectFrom('removed_shift').selectAll().where('event_id', '=', event_id).orderBy('id').execute()
    const stored = rows.map(({ row, ...values }) => [
      values,
      (row as { id: number; label: string }).id,
      (row as { label: string }).label,
    ])
    const removed_at = world.now
    assert.deepEqual(stored, [
      [
        {
          id: shift,
          event_id,
          is_cancelled: true,
          reason: 'Storm',
          removed_at,
          removed_by_id: PAUL.id,
          label: 'Desk',
          meeting_time: new Date(at('09:00')),
          start_time: new Date(at('10:00')),
          end_time: new Date(at('12:00')),
        },
        shift,
        'Desk',
      ],
      [
        {
          id: other,
          event_id,
          is_cancelled: false,
          reason: '',
          removed_at,
          removed_by_id: null,
          label: 'Other',
          meeting_time: new Date(at('14:00')),
          start_time: new Date(at('14:00')),
          end_time: new Date(at('15:00')),
        },
        other,
        'Other',
      ],
    ])
    await sql`delete from removed_shift`.execute(write)
  })

  test('holds its own people and those copies that leave with it, and a restore brings back these alone', async () => {
    const { shifts } = await addShifts()
    const [shift, other] = shifts as [number, number]
    const { shifts: third } = await addShifts()
    const [followed, apart] = third as [number, number]
    const ann = await world.addParticipation({ who: ANN, shift, state: 1, start: at('10:30') })
    const ben = await world.addParticipation({ who: BEN, shift, state: 0 })
    const vera = await world.addParticipation({ who: VERA, shift, state: 2 })
    const copy = await world.addParticipation({ who: ANN, shift: followed, state: 1 })
    const kept = await world.addParticipation({ who: BEN, shift: apart, state: 1 })
    const elsewhere = await world.addParticipation({ who: ANN, shift: other, state: 1 })
    await store(shift, { copies: sql`t.shift_id = ${followed} and t.user_id = ${ANN.id}` })
    await store(other)
    assert.deepEqual(
      (await copies(shift)).map(({ id, shift_id, user_id, state, start_time, end_time }) => [
        id,
        shift_id,
        user_id,
        state,
        start_time,
        end_time,
      ]),
      [
        [ann, shift, ANN.id, 1, new Date(at('10:30')), new Date(at('12:00'))],
        [ben, shift, BEN.id, 0, new Date(at('10:00')), new Date(at('12:00'))],
        [vera, shift, VERA.id, 2, new Date(at('10:00')), new Date(at('12:00'))],
        [copy, followed, ANN.id, 1, new Date(at('10:00')), new Date(at('12:00'))],
      ],
    )
    await write.deleteFrom('participation').where('id', '=', copy).execute()
    await drop(shift)
    await drop(other)
    await world.setActive(BEN, false)
    await world.setActive(VERA, false)
    await restore(shift)
    await world.setActive(BEN, true)
    await world.setActive(VERA, true)
    assert.deepEqual(await places(shift), [
      { id: ann, user_id: ANN.id, state: 1, version: 2 },
      { id: ben, user_id: BEN.id, state: 2, version: 2 },
      { id: vera, user_id: VERA.id, state: 2, version: 2 },
    ])
    assert.deepEqual(await places(followed), [{ id: copy, user_id: ANN.id, state: 1, version: 2 }])
    assert.deepEqual(await places(apart), [{ id: kept, user_id: BEN.id, state: 1, version: 1 }])
    assert.deepEqual(await places(other), [], 'is still removed')
    assert.deepEqual(
      (await copies(other)).map(({ id }) => id),
      [elsewhere],
    )
    await restore(other)
    assert.deepEqual(
      (await places(other)).map(({ id }) => id),
      [elsewhere],
    )
  })

  test('comes back with its own rows, not those of another removed shift, and is linked again unless that has changed', async () => {
    const { id: event_id, shifts } = await addShifts()
    const [shift, other] = shifts as [number, number]
    const { id: category_id } = await write
      .insertInto('resource_category')
      .values({ name: 'Cars' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: van } = await write
      .insertInto('resource')
      .values({ category_id, title: 'Van' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ids = await Promise.all(
      [ANN, BEN].map((who, index) =>
        world.addParticipation({ who, shift: shifts[index]!, state: 1, comments: [{ text: who.name, level: 0 }] }),
      ),
    )
    for (const shift_id of shifts) {
      await write.insertInto('shift_resource').values({ shift_id, resource_id: van }).execute()
      await write.insertInto('waiting_entry').values({ shift_id, user_id: VERA.id, since: world.now }).execute()
    }
    await write
      .insertInto('programme')
      .values({ event_id, format: 'ical', content: '{}', options: '{}', read_at: world.now })
      .execute()
    const link = async (shift_id: number) =>
      (
        await write
          .insertInto('programme_shift')
          .values({ event_id, shift_id, keys: ['a'], label: 'Desk', start_time: world.now, end_time: world.now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const links = [await link(shift), await link(other)]
    await store(shift)
    await store(other)
    const stored = await write
      .selectFrom('removed_row')
      .selectAll()
      .where('removed_shift_id', '=', shift)
      .orderBy('table_name')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      stored.map(({ table_name, participation_id, user_id }) => [table_name, participation_id, user_id]),
      [
        ['participation_comment', ids[0], null],
        ['programme_shift', null, null],
        ['shift_resource', null, null],
        ['waiting_entry', null, VERA.id],
      ],
    )
    await drop(shift)
    await drop(other)
    // Somebody linked the second one to a new shift meanwhile.
    const { shifts: made } = await addShifts()
    await write.updateTable('programme_shift').set({ shift_id: made[0]! }).where('id', '=', links[1]!).execute()
    await restore(shift)
    const linked = async () =>
      (
        await write
          .selectFrom('programme_shift')
          .select(['id', 'shift_id'])
          .where('event_id', '=', event_id)
          .orderBy('id')
          .execute()
      ).map(({ id, shift_id }) => [id, shift_id])
    assert.deepEqual(await linked(), [
      [links[0], shift],
      [links[1], made[0]],
    ])
    const counts = async (id: number) => [
      (await write.selectFrom('shift_resource').select('resource_id').where('shift_id', '=', id).execute()).length,
      (await write.selectFrom('waiting_entry').select('id').where('shift_id', '=', id).execute()).length,
      (await write.selectFrom('participation').select('id').where('shift_id', '=', id).execute()).length,
    ]
    assert.deepEqual(
      [await counts(shift), await counts(other)],
      [
        [1, 1, 1],
        [0, 0, 0],
      ],
    )
    const comments = await write.selectFrom('participation_comment').select('text').where('participation_id', 'in', ids).execute()
    assert.deepEqual(comments, [{ text: 'Ann' }])
    await restore(other)
    assert.deepEqual(await counts(other), [1, 1, 1])
    assert.deepEqual((await linked())[1], [links[1], made[0]])
  })
})
