import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { answerInquiry } from './commands/answer.ts'
import { askPeople } from './commands/ask.ts'
import { deleteInquiriesOf, sendDueWaves, stopInquiry } from './commands/end.ts'
import { makeAnswerToken } from './queries/answers.ts'
import { findCandidates } from './queries/candidates.ts'
import { findInquiries, findInquiryCounts } from './queries/inquiries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = '2031-05-20T08:00:00Z'

describe('steps of an inquiry', async () => {
  const world = await openWorld()
  const { write } = world.db
  const people: Person[] = []
  for (const name of ['Cem', 'Dora', 'Eve']) people.push(await world.addPerson({ name }))
  const [cem, dora, eve] = people as [Person, Person, Person]
  const group = await world.addGroup('Team', [ANN, BEN, ...people])
  const at = (ms: number) => new Date(world.now.getTime() + ms)
  const as = (person: Person, ms = 0): CommandContext => ({ ...contextAs(world, person), now: at(ms) })
  const job = (ms: number): CommandContext => ({ ...as(PAUL, ms), actor: ANONYMOUS })
  const addShift = async ({ start = START, closes = undefined as string | undefined, places = 3 } = {}) => {
    const { id: eventId, shifts } = await world.addEvent({
      title: 'Harbour run',
      seenBy: [group],
      responsible: [PAUL],
      shifts: [
        {
          start,
          end: new Date(Date.parse(start) + 6 * HOUR_MS).toISOString(),
          flow: 'instant_confirmation',
          flowConfiguration: { user_can_decline_confirmed: true, ...(closes ? { signup_until: closes } : {}) },
          configuration: { minimum_number_of_participants: places, maximum_number_of_participants: places },
        },
      ],
    })
    await transact(write, (tx) => refreshStatistics(tx, shifts))
    return { eventId, shift: shifts[0]! }
  }
  const ask = async (
    shiftId: number,
    asked: readonly Person[],
    more: { waves?: { size: number; hours: number }; ms?: number } = {},
  ) => {
    const outcome = await askPeople(as(PAUL, more.ms ?? 0), {
      shiftId,
      who: asked.map(({ id }) => id),
      wanted: 2,
      waves: more.waves,
      message: 'Please!',
    })
    return outcome.ok ? outcome.inquiryId : outcome.reason
  }
  const rowsOf = async (inquiryId: number | string) =>
    write.selectFrom('inquiry_person').selectAll().where('inquiry_id', '=', Number(inquiryId)).orderBy('position').execute()
  const inquiryOf = async (id: number | string) =>
    write.selectFrom('inquiry').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
  const log = async (kind: string, eventId: number) =>
    (
      await write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', `shift.${kind}`)
        .where('event_id', '=', eventId)
        .orderBy('id')
        .execute()
    ).map(({ changes }) => changes as Record<string, unknown>)
  const answer = async (person: Person, what: 'can' | 'cannot', reason = '') => {
    const row = await write
      .selectFrom('inquiry_person')
      .selectAll()
      .where('user_id', '=', person.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const { shift_id: shiftId } = await inquiryOf(row.inquiry_id)
    const token = makeAnswerToken(world.app.site.keyring, { id: row.id, userId: person.id, shiftId, expiresAt: row.expires_at! })
    return (await answerInquiry(job(HOUR_MS), { token, answer: what, reason }))?.kind
  }
  beforeEach(async () => {
    for (const table of ['inquiry', 'participation'] as const) await write.deleteFrom(table).execute()
    await write.deleteFrom('setting').where('name', '=', 'inquiries_per_day').execute()
  })

  test('all at once: who asked what, whom, until when', async () => {
    const { shift, eventId } = await addShift({ closes: '2031-05-19T08:00:00Z' })
    const id = await ask(shift, [ANN, BEN])
    const { created_by_id, created_at, message, wanted, was_short, wave_size, next_wave_at } = await inquiryOf(id)
    assert.deepEqual(
      [created_by_id, created_at, message, wanted, was_short, wave_size, next_wave_at],
      [PAUL.id, world.now, 'Please!', 2, true, null, null],
    )
    const rows = await rowsOf(id)
    for (const row of rows)
      assert.deepEqual([row.wave, row.asked_at, row.expires_at], [1, world.now, new Date('2031-05-19T08:00:00Z')])
    const until = '2031-05-19T08:00:00.000Z'
    assert.deepEqual(await log('asked', eventId), [{ inquiry: id, wave: 1, users: rows.map(({ user_id }) => user_id), until }])
  })

  test('until sign-up closes, and not at that moment', async () => {
    const { shift } = await addShift({ closes: '2031-05-19T08:00:00Z' })
    const closes = Date.parse('2031-05-19T08:00:00Z') - world.now.getTime()
    assert.equal(await ask(shift, [ANN], { ms: closes }), 'not_open')
    assert.equal(typeof (await ask(shift, [ANN], { ms: closes - 1 })), 'number')
  })

  test('in waves: the next one at its time, without people who answered otherwise or cannot be asked', async () => {
    await write.insertInto('setting').values({ name: 'inquiries_per_day', value: '1' }).execute()
    const { shift, eventId } = await addShift()
    const id = await ask(shift, [ANN, BEN, cem, dora, eve], { waves: { size: 1, hours: 2 } })
    const order = (await rowsOf(id)).map(({ user_id }) => user_id)
    assert.deepEqual((await inquiryOf(id)).next_wave_at, at(2 * HOUR_MS))
    const [, second, third, fourth, fifth] = order as [number, number, number, number, number]
    const personOf = (userId: number) => [ANN, BEN, cem, dora, eve].find((person) => person.id === userId)!
    await world.addParticipation({ who: personOf(second), shift, state: 2 })
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', third).execute()
    const other = await addShift()
    assert.equal(typeof (await ask(other.shift, [personOf(fourth)])), 'number')
    await sendDueWaves(job(2 * HOUR_MS - 1))
    assert.equal((await inquiryOf(id)).wave, 1)
    await sendDueWaves(job(2 * HOUR_MS))
    await write.updateTable('user_profile').set({ is_active: true }).execute()
    const rows = await rowsOf(id)
    assert.deepEqual(
      rows.map(({ wave }) => wave),
      [1, null, null, null, 2],
    )
    assert.deepEqual(
      [rows[4]!.asked_at, rows[4]!.expires_at],
      [at(2 * HOUR_MS), new Date('2031-05-20T14:00:00Z')],
      'until the shift is over',
    )
    const { wave, next_wave_at } = await inquiryOf(id)
    assert.deepEqual([wave, next_wave_at], [2, at(4 * HOUR_MS)])
    assert.deepEqual((await log('asked', eventId))[1], {
      inquiry: id,
      wave: 2,
      users: [fifth],
      until: '2031-05-20T14:00:00.000Z',
    })
    // A day later the one who had been asked by others is next.
    await write
      .updateTable('inquiry')
      .set({ next_wave_at: at(DAY_MS) })
      .where('id', '=', Number(id))
      .execute()
    await sendDueWaves(job(DAY_MS))
    assert.deepEqual(
      (await rowsOf(id)).map(({ user_id, wave: each }) => (each === 3 ? user_id : 0)).filter(Boolean),
      [third],
      'who is active again comes first',
    )
  })

  test('waves of several inquiries end and go on, each in the log of its own event', async () => {
    const waves = { size: 1, hours: 2 }
    const [first, second] = [await addShift(), await addShift({ start: '2031-05-22T08:00:00Z' })]
    const asked = [await ask(first.shift, [ANN, BEN], { waves }), await ask(second.shift, [cem, dora], { waves })]
    const cancelled = { cancelled_at: world.now, cancellation_reason: 'Storm' }
    await write.updateTable('event').set(cancelled).where('id', '=', second.eventId).execute()
    await sendDueWaves(job(2 * HOUR_MS))
    const [going, ended] = [await inquiryOf(asked[0]!), await inquiryOf(asked[1]!)]
    assert.deepEqual([going.wave, going.ended_at, ended.wave, ended.ended_at], [2, null, 1, at(2 * HOUR_MS)])
    assert.deepEqual(
      (await log('asked', first.eventId)).map(({ inquiry, wave }) => [inquiry, wave]),
      [
        [asked[0], 1],
        [asked[0], 2],
      ],
    )
    assert.deepEqual((await log('asked', second.eventId)).length, 1)
    const { rows } = await sql<{ shift: number }>`select subject_id as shift from journal
      where event_id = any (${[first.eventId, second.eventId]}) and kind <> 'shift.asked' order by id`.execute(write)
    assert.deepEqual(
      rows.map(({ shift }) => shift),
      [second.shift],
    )
  })

  test('is stopped by planners of the shift: open links end, answers stay', async () => {
    const { shift, eventId } = await addShift()
    const other = await addShift()
    const id = Number(await ask(shift, [ANN, BEN, cem], { waves: { size: 2, hours: 2 } }))
    const asked = (await rowsOf(id)).map(({ user_id }) => [ANN, BEN, cem].find((person) => person.id === user_id)!)
    assert.equal(await answer(asked[0]!, 'cannot'), 'done')
    const stop = (person: Person, shiftId: number) => stopInquiry(as(person), { shiftId, inquiryId: id })
    assert.deepEqual([await stop(ANN, shift), await stop(PAUL, other.shift)], [false, false])
    assert.equal((await inquiryOf(id)).ended_at, null)
    assert.deepEqual([await stop(PAUL, shift), await stop(PAUL, shift)], [true, false])
    const { ended_at, end_reason, next_wave_at } = await inquiryOf(id)
    assert.deepEqual([ended_at, end_reason, next_wave_at], [world.now, 'stopped', null])
    assert.deepEqual(
      (await rowsOf(id)).map(({ withdrawn_at }) => withdrawn_at),
      [null, world.now, world.now],
    )
    assert.deepEqual(await log('asking_stopped', eventId), [{ inquiry: id, reason: 'stopped' }])
    await sendDueWaves(job(DAY_MS))
    assert.equal((await inquiryOf(id)).wave, 1)
  })

  test('answers are stored with their reason and time; the shift says how many are open', async () => {
    const { shift, eventId } = await addShift({ places: 1 })
    const elsewhere = await addShift({ start: '2031-05-25T08:00:00Z' })
    await ask(elsewhere.shift, [ANN])
    const id = await ask(shift, [ANN, BEN, cem, dora, eve])
    const counts = async () => (await findInquiryCounts({ db: write, site: world.app.site }, [shift])).get(shift)
    assert.deepEqual(await counts(), { open: 5, cannot: 0 })
    assert.equal(await answer(ANN, 'cannot', 'on holiday'), 'done')
    assert.equal(await answer(BEN, 'can'), 'done')
    assert.equal(await answer(cem, 'can'), 'too_late')
    await world.addParticipation({ who: dora, shift, state: 2 })
    assert.deepEqual(await counts(), { open: 1, cannot: 2 }, 'Dora declined on the page')
    const row = (await rowsOf(id)).find(({ user_id }) => user_id === ANN.id)!
    assert.deepEqual([row.answer, row.reason, row.answered_at], ['cannot', 'on holiday', at(HOUR_MS)])
    assert.deepEqual(
      (await log('answered', eventId)).map(({ answer: each }) => each),
      ['cannot', 'can', 'too_late'],
    )
    const [inquiry, ...more] = await findInquiries(write, shift)
    assert.deepEqual([inquiry!.createdBy, inquiry!.message, more], [PAUL.name, 'Please!', []])
    const answers = Object.fromEntries(inquiry!.people.map((person) => [person.name, person.answer]))
    assert.deepEqual(answers, { [ANN.name]: 'cannot', [BEN.name]: 'can', Cem: 'too_late', Dora: 'cannot', Eve: null })
    await stopInquiry(as(PAUL), { shiftId: shift, inquiryId: Number(id) })
    assert.deepEqual(await counts(), { open: 0, cannot: 2 })
  })

  test('the deletion of a person deletes that they were asked, and nobody else', async () => {
    const { shift } = await addShift()
    const id = await ask(shift, [ANN, BEN])
    await transact(write, (tx) => deleteInquiriesOf(tx, ANN.id))
    assert.deepEqual(
      (await rowsOf(id)).map(({ user_id }) => user_id),
      [BEN.id],
    )
  })

  test('people are ranked by how often they were asked in thirty days, then by their hours of the month', async () => {
    const { shift } = await addShift()
    const namesAt = async (ms: number) =>
      (await findCandidates(job(ms), shift, { perDay: 9 })).people
        .map(({ name }) => name)
        .filter((name) => ['Cem', 'Dora', 'Eve'].includes(name))
    const drawn = await namesAt(0)
    assert.deepEqual(drawn.toSorted(), ['Cem', 'Dora', 'Eve'])
    /** Those who are equal, as they were drawn. */
    const equals = (...names: string[]) => drawn.filter((name) => names.includes(name))
    const inMonth = await addShift({ start: '2031-05-31T15:00:00Z' })
    const later = await addShift({ start: '2031-05-31T22:00:00Z' })
    await world.addParticipation({ who: cem, shift: inMonth.shift, state: 1 })
    await world.addParticipation({ who: dora, shift: later.shift, state: 1 })
    assert.deepEqual(await namesAt(0), [...equals('Dora', 'Eve'), 'Cem'], 'in June by the clock of the organisation')
    const other = await addShift({ start: '2031-05-26T08:00:00Z' })
    await ask(other.shift, [dora])
    assert.deepEqual(await namesAt(DAY_MS), ['Eve', 'Cem', 'Dora'])
    await write
      .updateTable('inquiry_person')
      .set({ asked_at: at(-29 * DAY_MS) })
      .execute()
    assert.deepEqual(await namesAt(DAY_MS - 1), ['Eve', 'Cem', 'Dora'])
    assert.deepEqual(await namesAt(DAY_MS), [...equals('Dora', 'Eve'), 'Cem'], 'thirty days ago')
  })
})
