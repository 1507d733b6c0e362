import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findOverlaps } from './queries/overlaps.ts'
import { findTimelineShifts } from './queries/shifts.ts'

const at = (time: string) => new Date(`2031-05-04T${time}:00Z`)
const span = (start: string, end: string): ShiftOptions => ({ start: at(start).toISOString(), end: at(end).toISOString() })

describe('who has another shift when one is moved', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'UTC') })
  const { shifts } = await world.addEvent({ title: 'Festival', responsible: [PAUL], shifts: [span('08:00', '10:00')] })
  const shift = shifts[0]!
  /** Another shift that the person is confirmed for, in an event that Paul sees unless it is hidden. */
  const addOther = async (
    who: Person,
    times: ShiftOptions,
    more: { isHidden?: boolean; title?: string; state?: 0 | 1 | 2 } = {},
  ) => {
    const { isHidden = false, title = 'Fair', state = 1 } = more
    const made = await world.addEvent({ title, responsible: isHidden ? [OLGA] : [PAUL], shifts: [{ label: 'Door', ...times }] })
    await world.addParticipation({ who, shift: made.shifts[0]!, state })
    return { eventId: made.id, shift: made.shifts[0]! }
  }
  const overlapsAt = async (start: string, end: string, person = PAUL) => {
    const { overlaps, count } = await findOverlaps(as(person), shift, { start: at(start), end: at(end) })
    return { names: overlaps.map(({ name }) => name), count }
  }
  const NONE = { names: [], count: 0 }
  beforeEach(async () => {
    await write.deleteFrom('participation').execute()
    await world.addParticipation({ who: ANN, shift, state: 1 })
  })

  test('shifts that end when it begins, or begin when it ends, do not count', async () => {
    await addOther(ANN, span('10:00', '12:00'))
    assert.deepEqual(await overlapsAt('08:00', '10:00'), NONE)
    assert.deepEqual(await overlapsAt('12:00', '14:00'), NONE)
    assert.deepEqual(await overlapsAt('08:00', '10:01'), { names: [ANN.name], count: 1 })
    assert.deepEqual(await overlapsAt('11:59', '14:00'), { names: [ANN.name], count: 1 })
  })

  test('title and label are for those who see the event', async () => {
    await addOther(ANN, span('10:00', '12:00'), { isHidden: true })
    const found = async (person: Person) =>
      (await findOverlaps(as(person), shift, { start: at('10:00'), end: at('11:00') })).overlaps
    const times = { name: ANN.name, start: at('10:00'), end: at('12:00') }
    assert.deepEqual(await found(PAUL), [{ ...times, title: null, label: '' }])
    assert.deepEqual(await found(OLGA), [{ ...times, title: 'Fair', label: 'Door' }])
  })

  test('only confirmed people of the shift, with confirmed places elsewhere, in events that take place', async () => {
    await addOther(ANN, span('10:00', '12:00'), { state: 0 })
    assert.deepEqual(await overlapsAt('10:00', '11:00'), NONE, 'only requested')
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await addOther(BEN, span('10:00', '12:00'))
    assert.deepEqual(await overlapsAt('10:00', '11:00'), NONE, 'Ben is not confirmed here')
    const { eventId } = await addOther(ANN, span('10:00', '12:00'))
    assert.deepEqual((await overlapsAt('10:00', '11:00')).count, 1)
    await write
      .updateTable('event')
      .set({ cancelled_at: world.now, cancellation_reason: 'Rain' })
      .where('id', '=', eventId)
      .execute()
    assert.deepEqual(await overlapsAt('10:00', '11:00'), NONE, 'cancelled')
  })

  test('people with individual times are compared with these', async () => {
    await addOther(ANN, span('10:00', '12:00'))
    const set = (values: object) => write.updateTable('participation').set(values).where('shift_id', '=', shift).execute()
    await set({ individual_end_time: at('10:00') })
    assert.deepEqual(await overlapsAt('09:00', '11:00'), NONE)
    await set({ individual_end_time: null })
    assert.equal((await overlapsAt('09:00', '11:00')).count, 1)
    await addOther(ANN, span('07:00', '09:00'))
    await set({ individual_start_time: at('09:00') })
    assert.deepEqual(await overlapsAt('08:30', '10:00'), NONE)
    await set({ individual_start_time: null })
    assert.equal((await overlapsAt('08:30', '10:00')).count, 1)
  })

  test('shifts that are coupled with it do not count, in either direction', async () => {
    const { shift: other } = await addOther(ANN, span('08:00', '10:00'))
    const couple = (follower: number, leader: number) =>
      write
        .updateTable('shift')
        .set({ signup_flow_slug: 'coupled', signup_flow_configuration: JSON.stringify({ leader_shift_id: leader }) })
        .where('id', '=', follower)
        .execute()
    const uncouple = (id: number) =>
      write
        .updateTable('shift')
        .set({ signup_flow_slug: 'manual', signup_flow_configuration: '{}' })
        .where('id', '=', id)
        .execute()
    assert.equal((await overlapsAt('08:00', '10:00')).count, 1)
    await couple(other, shift)
    assert.deepEqual(await overlapsAt('08:00', '10:00'), NONE)
    await couple(other, other + 1)
    assert.equal((await overlapsAt('08:00', '10:00')).count, 1, 'coupled with another one')
    await uncouple(other)
    await couple(shift, other)
    assert.deepEqual(await overlapsAt('08:00', '10:00'), NONE)
    await uncouple(shift)
  })

  test('five are named by name and time, and all are counted', async () => {
    await world.addParticipation({ who: BEN, shift, state: 1 })
    for (const start of ['08:20', '08:10', '08:00']) {
      await addOther(BEN, span(start, '09:00'))
      await addOther(ANN, span(start, '09:00'))
    }
    const { overlaps, count } = await findOverlaps(as(PAUL), shift, { start: at('08:00'), end: at('10:00') })
    assert.equal(count, 6)
    assert.deepEqual(
      overlaps.map(({ name, start }) => `${name} ${start.toISOString().slice(11, 16)}`),
      [`${ANN.name} 08:00`, `${ANN.name} 08:10`, `${ANN.name} 08:20`, `${BEN.name} 08:00`, `${BEN.name} 08:10`],
    )
  })

  test('the timeline shows the own state in each shift, and not that of others', async () => {
    const { id, shifts: own } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [span('10:00', '11:00'), span('08:00', '09:00'), span('12:00', '13:00')],
    })
    await world.addParticipation({ who: ANN, shift: own[0]!, state: 2 })
    await world.addParticipation({ who: ANN, shift: own[1]!, state: 1 })
    await world.addParticipation({ who: BEN, shift: own[2]!, state: 1 })
    const statesOf = async (person: Person) => (await findTimelineShifts(as(person), id)).map((each) => [each.id, each.own])
    assert.deepEqual(await statesOf(ANN), [
      [own[1], 1],
      [own[0], 2],
      [own[2], undefined],
    ])
    assert.deepEqual(
      (await statesOf(VERA)).map(([, state]) => state),
      [undefined, undefined, undefined],
    )
  })
})
