import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions, ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findFilterOptions, findShortShifts, findTrends, NO_SHORTAGE_FILTER } from './shortages.ts'

const HOUR_MS = 3_600_000
const DAY = 24

describe('short shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const at = (hours: number, ms = 0) => new Date(world.now.getTime() + hours * HOUR_MS + ms)
  const { id: drill } = await write
    .insertInto('event_type')
    .values({ title: 'A drill', color: '#112233' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') })
  /** An event with one shift that lacks people, unless told otherwise. */
  async function add(
    label: string,
    [start, end]: [Date, Date],
    event: EventOptions = {},
    figures: { missing?: number; shortfall?: number } = { missing: 1 },
    flow: Pick<ShiftOptions, 'flow' | 'flowConfiguration'> = { flow: 'request_confirm' },
  ): Promise<number> {
    const shift = { label, start: start.toISOString(), end: end.toISOString(), ...flow }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], ...event, shifts: [shift] })
    await write
      .updateTable('shift')
      .set({ missing: 0, shortfall: 0, ...figures })
      .where('id', '=', shifts[0]!)
      .execute()
    return shifts[0]!
  }
  const coming: [Date, Date] = [at(5), at(6)]
  const labels = async (
    person: Person,
    filter: Partial<typeof NO_SHORTAGE_FILTER> = {},
    [start, end]: [Date, Date] = [world.now, at(10 * DAY)],
  ) => (await findShortShifts(as(person), { start, end }, { ...NO_SHORTAGE_FILTER, ...filter })).shifts.map(({ label }) => label)

  await add('second', coming, { location: 'Pier' })
  await add('twin', coming, { location: 'Pier', type: drill })
  await add('for a time', [at(4), at(6)], { location: 'Anchor' }, { shortfall: 2 })
  await add('runs', [at(-7 * DAY), at(1)])
  await add('runs for longer', [at(-7 * DAY, -1), at(1)])
  await add('ends now', [at(-2), at(0)])
  await add('last', [at(10 * DAY, -1), at(11 * DAY)], { seenBy: [PLANNERS] })
  await add('too late', [at(10 * DAY), at(11 * DAY)])
  await add('full', coming, { location: 'Elsewhere' }, {})
  await add('draft', coming, { draft: true })
  await add('cancelled', coming, { cancelled: true })
  await add('deleted', coming, { deleted: true })
  await add('of others', coming, { responsible: [BEN], location: 'Hidden' })

  test('are those that the reader plans, that lack somebody and have not ended, by start and id', async () => {
    assert.deepEqual(await labels(PAUL), ['runs', 'for a time', 'second', 'twin', 'last'])
    assert.deepEqual(await labels(BEN), ['of others'])
    assert.deepEqual(await labels(ANN), [])
    assert.deepEqual(await labels(OLGA), ['runs', 'for a time', 'second', 'twin', 'of others', 'last'])
    assert.deepEqual(await labels(PAUL, {}, [at(5), at(10 * DAY)]), ['second', 'twin', 'last'], 'a later period')
    assert.deepEqual(await labels(PAUL, {}, [at(4, 1), at(5)]), [])
    assert.equal((await findShortShifts(as(PAUL), { start: world.now, end: at(1) }, NO_SHORTAGE_FILTER)).isCut, false)
  })

  test('are filtered by type, group and place; the options are those of the period, by title', async () => {
    assert.deepEqual(await labels(PAUL, { typeId: drill }), ['twin'])
    assert.deepEqual(await labels(PAUL, { place: 'Pier' }), ['second', 'twin'])
    assert.deepEqual(await labels(PAUL, { groupId: PLANNERS.id }), ['last'])
    assert.deepEqual(await labels(PAUL, { place: 'Pier', typeId: drill, groupId: HELPERS.id }), ['twin'])
    const options = await findFilterOptions(as(PAUL), { start: world.now, end: at(10 * DAY) })
    assert.deepEqual(
      [options.types.map(({ title }) => title), options.groups.map(({ title }) => title)],
      [
        ['A drill', 'Service'],
        ['Helpers', 'Planners'],
      ],
    )
    assert.deepEqual(
      options.places.filter((place) => ['Anchor', 'Pier', 'Elsewhere', 'Hidden', ''].includes(place)),
      ['Anchor', 'Pier'],
    )
    const few = await findFilterOptions(as(PAUL), { start: at(4), end: at(5) })
    assert.deepEqual([few.types.length, few.places], [1, ['Anchor']])
  })

  test('say how many are missing and until when people sign up themselves', async () => {
    const hours = { flow: 'request_confirm', flowConfiguration: { signup_until: at(19 * DAY).toISOString() } }
    await add('closes', [at(20 * DAY), at(21 * DAY)], {}, { missing: 1, shortfall: 3 }, hours)
    await add('by planners', [at(20 * DAY), at(21 * DAY)], {}, { missing: 2 }, { flow: 'no_selfservice' })
    const { shifts } = await findShortShifts(as(PAUL), { start: at(20 * DAY), end: at(21 * DAY) }, NO_SHORTAGE_FILTER)
    assert.deepEqual(
      shifts.map(({ label, lacking, isSelfService, closesAt, opensAt }) => [label, lacking, isSelfService, closesAt, opensAt]),
      [
        ['closes', 3, true, at(19 * DAY), null],
        ['by planners', 2, false, undefined, null],
      ],
    )
  })

  test('have a trend: what people themselves did since a time, by shift', async () => {
    const [one, two, quiet] = [await add('a', coming), await add('b', coming), await add('c', coming)]
    const since = at(-10)
    const note = async (shift: number, who: Person, kinds: [kind: string, at: Date][]) => {
      const subject_id = await world.addParticipation({ who, shift, state: 1 })
      const common = { actor_kind: 'user', actor_id: who.id, subject_kind: 'participation', subject_id, changes: '{}' }
      await write
        .insertInto('journal')
        .values(kinds.map(([kind, time]) => ({ ...common, kind, at: time })))
        .execute()
    }
    const SIGNED = 'participation.signed_up'
    const DECLINED = 'participation.declined'
    await note(one, ANN, [
      [SIGNED, at(-10, 1)],
      [DECLINED, at(-9)],
      [SIGNED, at(-8)],
    ])
    await note(one, BEN, [
      [SIGNED, since],
      ['participation.moved', at(-1)],
    ])
    await note(two, BEN, [[DECLINED, at(-1)]])
    assert.deepEqual(await findTrends(as(PAUL), [one, quiet], since), new Map([[one, { signedUp: 2, declined: 1 }]]))
    assert.deepEqual(await findTrends(as(PAUL), [two], since), new Map([[two, { signedUp: 0, declined: 1 }]]))
    assert.deepEqual(await findTrends(as(PAUL), [], since), new Map())
  })
})
