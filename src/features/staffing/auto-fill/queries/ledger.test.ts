import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { EMPTY_LEDGER } from '../rules/ledger.ts'
import { getWeights, loadLedgers } from './ledger.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

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
  const last = world.now.getTime() - YEAR_MS
  for (const [startMs, more] of [
    [next, {}],
    [last + 1, {}],
    [last, {}],
    [next + 24 * HOUR_MS, { draft: true }],
  ] as const)
    await world.addParticipation({ who: ANN, shift: await addShift(startMs, more), state: 1 })
  const another = await addShift(next + 48 * HOUR_MS)
  await world.addParticipation({ who: BEN, shift: another, state: 1 })
  await world.addParticipation({ who: ANN, shift: another, state: 3 })
  for (const state of [0, 2] as const)
    await world.addParticipation({ who: ANN, shift: await addShift(next + 72 * HOUR_MS), state })

  test('are confirmed shifts of the last twelve months, and rejected requests', async () => {
    const { hours, refusals } = await ledgerOf([ANN], ANN)
    assert.deepEqual([hours, refusals], [2, 1])
  })
  test('belong to the person, whoever else is asked for', async () => {
    const { hours, refusals } = await ledgerOf([ANN, BEN], BEN)
    assert.deepEqual([hours, refusals], [1, 0])
    assert.deepEqual(await ledgerOf([ANN], BEN), EMPTY_LEDGER)
    assert.deepEqual(await ledgerOf([PAUL], PAUL), EMPTY_LEDGER)
  })
  test('weigh as the organisation wants', async () => {
    const usual = await getWeights(write)
    await write.insertInto('fill_weight').values({ name: 'nights', value: 7 }).execute()
    assert.deepEqual(await getWeights(write), { ...usual, nights: 7 })
  })
})
