import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayOf } from '#features/accounts/users/rules.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { EMPTY_LEDGER } from '../rules/ledger.ts'
import { getWeights, loadLedgers } from './ledger.ts'

const HOUR_MS = 3_600_000

describe('what people did and promised', async () => {
  const world = await openWorld()
  const { write } = world.db
  /** A shift of one hour. */
  const addShift = async (startMs: number, more: object = {}) => {
    const [start, end] = [0, HOUR_MS].map((ms) => new Date(startMs + ms).toISOString())
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: start!, end: end! }],
      ...more,
    })
    return shifts[0]!
  }
  const ledgerOf = async (asked: Person[], person: Person) => {
    const context = { ...contextAs(world, PAUL), words: wordsFor('en', 'UTC') }
    const of = await loadLedgers(
      context,
      asked.map(({ id }) => ({ kind: 'local' as const, id })),
    )
    return of({ kind: 'local', id: person.id })
  }
  const next = Date.parse('2031-05-06T08:00:00Z')
  /** Hours count by days. */
  const from = addDays(dayOf(world.now, world.app.site.timeZone), -365)
  const firstDay = startOfDay(from, world.app.site.timeZone).getTime()
  for (const [startMs, more] of [
    [next, {}],
    [world.now.getTime() - HOUR_MS, {}],
    [world.now.getTime() - HOUR_MS / 2, {}],
    [firstDay, {}],
    [firstDay - 1, {}],
    [next + 24 * HOUR_MS, { draft: true }],
    [world.now.getTime() - 72 * HOUR_MS, { cancelled: true }],
  ] as const)
    await world.addParticipation({ who: ANN, shift: await addShift(startMs, more), state: 1 })
  const absent = await world.addParticipation({ who: ANN, shift: await addShift(world.now.getTime() - 48 * HOUR_MS), state: 1 })
  await write.insertInto('attendance').values({ participation_id: absent, no_show: true, is_absent: true }).execute()
  await write
    .insertInto('working_hours')
    .values({ user_id: ANN.id, hours: '2.50', reason: 'Stocktaking', date: '2031-01-02' })
    .execute()
  const another = await addShift(next + 48 * HOUR_MS)
  await world.addParticipation({ who: BEN, shift: another, state: 1 })
  await world.addParticipation({ who: ANN, shift: another, state: 3 })
  await world.addParticipation({ who: ANN, shift: await addShift(firstDay), state: 3 })
  await world.addParticipation({ who: ANN, shift: await addShift(firstDay - 1), state: 3 })
  for (const state of [0, 2] as const)
    await world.addParticipation({ who: ANN, shift: await addShift(next + 72 * HOUR_MS), state })

  test('are what the page of hours says, shifts that are still to end, and rejected requests', async () => {
    const { doneHours, promisedHours, refusals } = await ledgerOf([ANN], ANN)
    assert.deepEqual([doneHours, promisedHours, refusals], [1 + 1 + 2.5, 1 + 1, 2])
    const page = await world.withSession(ANN).get(`/my-shifts/?from=${from}&to=2031-12-31`, { unchecked: true })
    assert.match(page.text, /Total: 4\.5 hours/)
  })
  test('belong to the person, whoever else is asked for', async () => {
    const { doneHours, promisedHours, refusals } = await ledgerOf([ANN, BEN], BEN)
    assert.deepEqual([doneHours, promisedHours, refusals], [0, 1, 0])
    assert.deepEqual(await ledgerOf([ANN], BEN), EMPTY_LEDGER)
    assert.deepEqual(await ledgerOf([PAUL], PAUL), EMPTY_LEDGER)
  })
  test('weigh as the organisation wants', async () => {
    const usual = await getWeights(write)
    await write.insertInto('fill_weight').values({ name: 'nights', value: 7 }).execute()
    assert.deepEqual(await getWeights(write), { ...usual, nights: 7 })
  })
})
