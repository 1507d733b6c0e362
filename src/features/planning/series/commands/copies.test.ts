import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEvent } from '#features/planning/planning/commands/plan-event.ts'
import { saveTemplate, useTemplate } from '#features/planning/templates/commands/templates.ts'
import { ANN, BEN, HELPERS, NORD, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { watchStatements } from '#test/support/statements.ts'
import { copyShift, duplicateEvent } from './copies.ts'

describe('copies of events and shifts', async () => {
  const { world, write, contextOf, event, create, kinds, lastChanges, eventRow, shiftsOf } = await openPlanning()

  test('an event is duplicated across daylight saving without participations', async () => {
    const { eventId } = await createEvent(contextOf(PAUL), {
      event: event({ responsibleUsers: [BEN.id] }),
      publish: true,
      shifts: [
        {
          row: 0,
          input: input({
            label: 'night',
            times: times('2031-10-18T20:00+02:00', '2031-10-19T04:00+02:00', '2031-10-18T19:30+02:00'),
            flowConfiguration: { signup_until: '2031-10-17T18:00:00+02:00', signup_from: 'P3D', more: '2031-10-17' },
          }),
        },
        {
          row: 1,
          leaderRow: 0,
          input: input({ flowSlug: 'coupled', times: times('2031-10-20T08:00+02:00', '2031-10-20T10:00+02:00') }),
        },
      ],
    })
    const secret = await world.addGroup('Hidden', [])
    await world.grantsEvent(PAUL, eventId, 'view')
    await world.grantsEvent(secret, eventId, 'view')
    await write.insertInto('event_share').values({ event_id: eventId, federated_guest_id: NORD.id }).execute()
    await write
      .insertInto('guest_share')
      .values({ event_id: eventId, token_hash: Buffer.from('old'), token_sealed: 'old', active: false })
      .execute()
    const [source] = await shiftsOf(eventId)
    await world.addParticipation({ who: ANN, shift: source!.id })
    const copies = await duplicateEvent(contextOf(PAUL), {
      eventId,
      dates: ['2031-10-25', '2032-01-03'],
    })
    assert.equal(copies.length, 2)
    const [night, day] = await shiftsOf(copies[0]!)
    assert.deepEqual(
      [night!.meeting_time, night!.start_time, night!.end_time, day!.start_time].map((time) => time.toISOString()),
      ['2031-10-25T17:30:00.000Z', '2031-10-25T18:00:00.000Z', '2031-10-26T03:00:00.000Z', '2031-10-27T07:00:00.000Z'],
    )
    assert.deepEqual(night!.signup_flow_configuration, {
      signup_until: '2031-10-24T18:00:00+02:00',
      signup_from: 'P3D',
      more: '2031-10-17',
    })
    assert.deepEqual(day!.signup_flow_configuration, { leader_shift_id: night!.id })
    assert.equal(night!.confirmed_count, 0)
    const copy = await eventRow(copies[0]!)
    assert.deepEqual([copy.title, copy.location, copy.active, copy.created_by_id], ['Harbour run', 'Pier 3', false, PAUL.id])
    const grants = await write
      .selectFrom('event_user_grant')
      .select('user_id')
      .where('event_id', '=', copy.id)
      .orderBy('user_id')
      .execute()
    assert.deepEqual(
      grants.map(({ user_id }) => user_id),
      [PAUL.id, BEN.id],
    )
    const groups = await write.selectFrom('event_group_grant').select('group_id').where('event_id', '=', copy.id).execute()
    assert.deepEqual(
      groups.map(({ group_id }) => group_id),
      [HELPERS.id],
    )
    assert.ok(await write.selectFrom('event_share').select('event_id').where('event_id', '=', copy.id).executeTakeFirst())
    const links = await write.selectFrom('guest_share').selectAll().where('event_id', 'in', copies).execute()
    assert.deepEqual(
      links.map(({ active }) => active),
      [false, false],
    )
    assert.equal(
      new Set([...links.map(({ token_hash }) => token_hash.toString('hex')), Buffer.from('old').toString('hex')]).size,
      3,
    )
    assert.deepEqual(await kinds(copy.id), ['event.duplicated'])
    assert.deepEqual((await lastChanges(copy.id, 'event.duplicated')).copied_from, [null, eventId])
  })

  test('a shift is copied to other days with the same meeting lead time', async () => {
    const { eventId, shiftIds } = await create([
      input({ times: times('2031-06-01T08:00+02:00', '2031-06-02T09:00+02:00', '2031-05-31T20:00+02:00') }),
    ])
    await copyShift(contextOf(PAUL), { shiftId: shiftIds[0]!, dates: ['2031-06-08', '2031-07-01'] })
    assert.deepEqual(
      (await shiftsOf(eventId)).map(({ meeting_time, end_time }) =>
        [meeting_time.toISOString().slice(5, 16), end_time.toISOString().slice(5, 16)].join(' '),
      ),
      ['05-31T18:00 06-02T07:00', '06-07T18:00 06-09T07:00', '06-30T18:00 07-02T07:00'],
    )
    assert.equal((await eventRow(eventId)).shift_count, 3)
  })

  test('a coupled shift that begins before its leader follows the copy of the leader; an event without shifts is copied, too', async () => {
    const { eventId, shiftIds } = await create([
      input({ label: 'early', times: times('2031-06-01T08:00+02:00', '2031-06-01T09:00+02:00') }),
      input({ label: 'lead', times: times('2031-06-01T10:00+02:00', '2031-06-01T11:00+02:00') }),
    ])
    const [early, lead] = shiftIds as [number, number]
    await write
      .updateTable('shift')
      .set({ signup_flow_slug: 'coupled', signup_flow_configuration: JSON.stringify({ leader_shift_id: lead }) })
      .where('id', '=', early)
      .execute()
    const paul = contextOf(PAUL, ['add_event', 'publish_event_for_group'])
    const text = { name: 'Coupled', description: '' }
    const { id } = await saveTemplate(paul, { eventId, text, parts: [] })
    const chosen = { dates: ['2031-07-01'], faults: [], rule: undefined, singles: ['2031-07-01'], skipped: [] }
    const made = await useTemplate(paul, { id, title: 'Made', typeId: 1, chosen, isLinked: false })
    const [copy] = await duplicateEvent(paul, { eventId, dates: ['2031-07-01'] })
    for (const each of [copy!, made.events[0]!]) {
      const [first, second] = await shiftsOf(each)
      assert.deepEqual([first!.label, second!.label], ['early', 'lead'])
      assert.deepEqual(first!.signup_flow_configuration, { leader_shift_id: second!.id })
    }
    const bare = await world.addEvent({ title: 'Bare', responsible: [PAUL] })
    const [empty] = await duplicateEvent(paul, { eventId: bare.id, dates: ['2031-07-01'] })
    assert.deepEqual([(await eventRow(empty!)).title, await shiftsOf(empty!)], ['Bare', []])
  })

  const MANY = chooseSize({ usual: 150, full: 1000 })
  test(`accepts ${MANY} dates in one request`, async () => {
    const { eventId } = await create([input(), input(), input()])
    const dates = Array.from({ length: MANY }, (_, day) => new Date(Date.UTC(2032, 0, 1 + day)).toISOString().slice(0, 10))
    const copies = await duplicateEvent(contextOf(PAUL), { eventId, dates })
    const last = await shiftsOf(copies.at(-1)!)
    assert.deepEqual(
      last.map(({ start_time, free }) => [start_time.toISOString().slice(0, 10), free]),
      Array(3).fill([dates.at(-1), 2]),
    )
    assert.equal(new Set(copies).size, MANY)
  })

  test('copies of a shift take as many statements for a month as for a day, and keep the order of the days', async () => {
    const question = (
      await write
        .insertInto('question')
        .values({ name: 'Q', text: 'Lunch?', kind: 'text' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    const { eventId, shiftIds } = await create([input({ questions: [question] })])
    const statements = watchStatements(world.db.writePool)
    const copyTo = async (days: number, month: string) => {
      statements.length = 0
      const dates = Array.from({ length: days }, (_, day) => `2032-${month}-${String(days - day).padStart(2, '0')}`)
      const ids = await copyShift(contextOf(PAUL), { shiftId: shiftIds[0]!, dates })
      return { ids, dates, count: statements.length }
    }
    const one = await copyTo(1, '01')
    const many = await copyTo(31, '03')
    assert.ok(one.count > 0)
    assert.equal(many.count, one.count)
    const rows = new Map((await shiftsOf(eventId)).map((row) => [row.id, row.start_time.toISOString().slice(0, 10)]))
    assert.deepEqual(
      many.ids.map((id) => rows.get(id)),
      many.dates,
    )
    const asked = await write.selectFrom('shift_question').select('shift_id').where('question_id', '=', question).execute()
    assert.deepEqual(
      asked.map(({ shift_id }) => shift_id).sort((a, b) => a - b),
      [shiftIds[0], ...one.ids, ...many.ids].sort((a, b) => a! - b!),
    )
    const log = await write
      .selectFrom('journal')
      .select(['subject_id', 'changes'])
      .where('event_id', '=', eventId)
      .where('kind', '=', 'shift.created')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      log.slice(-many.ids.length).map(({ subject_id, changes }) => {
        const [, start] = (changes as { start_time: [null, string] }).start_time
        return [subject_id, start.slice(0, 10)]
      }),
      many.ids.map((id, index) => [id, many.dates[index]]),
    )
  })

  test('copies of an event take as many statements for each date, however many shifts it has', async () => {
    const statements = watchStatements(world.db.writePool)
    const countFor = async (shifts: number) => {
      const { eventId } = await create(Array.from({ length: shifts }, (_, row) => input({ label: `Part ${row}` })))
      statements.length = 0
      const [copy] = await duplicateEvent(contextOf(PAUL), { eventId, dates: ['2032-05-01'] })
      const count = statements.length
      assert.deepEqual(
        (await shiftsOf(copy!)).map(({ label }) => label).sort(),
        Array.from({ length: shifts }, (_, row) => `Part ${row}`).sort(),
      )
      return count
    }
    assert.equal(await countFor(20), await countFor(1))
  })
})
