import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions, ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findEvents, findUpcomingEvents, loadListSettings } from './events.ts'
import type { EventFilter } from './filters.ts'
import { findOpenShifts } from './open-shifts.ts'

const FILTER: EventFilter = { terms: [], typeIds: [], state: undefined, needsPeople: false, fitsMe: false, whose: 'all' }
const INSTANT = 'instant_confirmation'
const SHORT = { structure: 'uniform', configuration: { minimum_number_of_participants: 2 } }

describe('the list of events', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { id: drill } = await write
    .insertInto('event_type')
    .values({ title: 'Drill', color: '#112233' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = (hours: number) => new Date(world.now.getTime() + hours * 3_600_000)
  const shift = (from: number, to: number, more: ShiftOptions = {}): ShiftOptions => ({
    start: at(from).toISOString(),
    end: at(to).toISOString(),
    ...more,
  })
  const add = (title: string, shifts: ShiftOptions[], more: EventOptions = {}) =>
    world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts, ...more })
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') })
  type Search = Partial<Parameters<typeof findEvents>[1]>
  const search = (person: Person, given: Search = {}, page = { limit: 50, offset: 0 }) =>
    findEvents(as(person), { ...FILTER, when: 'coming', from: undefined, until: undefined, ...given }, page, {
      hasPartners: false,
    })
  const titles = async (person: Person, given: Search = {}, page?: { limit: number; offset: number }) =>
    (await search(person, given, page)).events.map(({ title }) => title)
  beforeEach(async () => {
    await write.deleteFrom('participation').execute()
    await write.deleteFrom('event').execute()
  })

  test('has events that have not ended, or past ones the other way round, by start, end and id', async () => {
    await add('ends now', [shift(-2, 0)])
    await add('ended', [shift(-2, -0.001)])
    await add('ended sooner', [shift(-2, -1)])
    await add('long', [shift(-90, 1)])
    await add('long ago', [shift(-200, -100)])
    await add('twin a', [shift(5, 7)])
    await add('twin b', [shift(5, 7)])
    await add('shorter', [shift(5, 6)])
    await add('draft', [shift(5, 7)], { draft: true })
    await add('deleted', [shift(5, 7)], { deleted: true })
    await add('cancelled', [shift(6, 7)], { cancelled: true })
    await add('hidden', [shift(5, 7)], { seenBy: [PLANNERS] })
    await add('without shifts', [])
    assert.deepEqual(await titles(ANN), ['long', 'ends now', 'shorter', 'twin a', 'twin b', 'cancelled'])
    assert.deepEqual(await titles(ANN, { when: 'past' }), ['ended', 'ended sooner', 'long ago'])
    assert.deepEqual(await titles(ANN, { from: at(5.5), until: at(6) }), ['shorter', 'twin a', 'twin b'])
    assert.deepEqual(await titles(ANN, { from: at(6.5) }), ['twin a', 'twin b', 'cancelled'])
    assert.deepEqual(await titles(ANN, { until: at(5) }), ['long', 'ends now'])
    assert.deepEqual(await titles(ANN, { when: 'past', from: at(-1) }), ['ended', 'ended sooner'])
    assert.deepEqual(
      (await findUpcomingEvents(as(ANN), 4)).map(({ title }) => title),
      ['long', 'ends now', 'shorter', 'twin a'],
    )
    const upcoming = await findUpcomingEvents(as(ANN), 10)
    assert.deepEqual(upcoming.map(({ title }) => title).at(-1), 'twin b', 'without what is cancelled')
  })

  test('is read in pages, which know how many there are, also beyond the end', async () => {
    for (const n of [1, 2, 3]) await add(`${n}`, [shift(n, n + 1)])
    const page = async (offset: number, limit = 2) => {
      const { events, count, hasMore, searchedUntil } = await search(ANN, {}, { limit, offset })
      return [events.map(({ title }) => title), count, hasMore, searchedUntil]
    }
    assert.deepEqual(await page(0), [['1', '2'], 3, false, undefined])
    assert.deepEqual(await page(2), [['3'], 3, false, undefined])
    assert.deepEqual(await page(4), [[], 3, false, undefined])
    await write.deleteFrom('event').execute()
    assert.deepEqual(await page(0), [[], 0, false, undefined])
  })

  test('counts a thousand and says that there are more; pages beyond them are complete', async () => {
    const most = 1_060
    await sql`
      with made as (
        insert into event (title, location, type_id, active) select n::text, '', 1, true from generate_series(1, ${most}) n returning id)
      insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      select id, ${at(1)}::timestamptz, ${at(1)}::timestamptz, ${at(2)}::timestamptz, 'no_selfservice', 'uniform' from made`.execute(
      write,
    )
    const page = async (offset: number) => {
      const { events, count, hasMore } = await search(OLGA, {}, { limit: 50, offset })
      return [events.length, count, hasMore]
    }
    assert.deepEqual(await page(0), [50, 1_000, true])
    assert.deepEqual(await page(1_000), [50, 1_050, true])
    assert.deepEqual(await page(1_050), [10, most, false])
  })

  test('sums up the shifts of each event, with the state of the caller', async () => {
    const fair = await add('Fair', [shift(1, 2, SHORT), shift(3, 5, SHORT)], { location: 'Pier' })
    await world.addParticipation({ who: ANN, shift: fair.shifts[0]!, state: 0 })
    await world.addParticipation({ who: ANN, shift: fair.shifts[1]!, state: 1 })
    await world.addParticipation({ who: BEN, shift: fair.shifts[1]!, state: 2 })
    const [ofAnn] = (await search(ANN)).events
    const { id, location, start, end, shiftCount, own, typeTitle, cancellationReason } = ofAnn!
    assert.deepEqual([id, location, start, end, shiftCount, own, cancellationReason], [fair.id, 'Pier', at(1), at(5), 2, 1, null])
    assert.ok(typeTitle)
    assert.deepEqual((await search(BEN)).events[0]!.own, 2)
    assert.equal((await search(OLGA)).events[0]!.own, undefined)
  })

  test('is filtered by words, type, own state and need, each on its own', async () => {
    const coming = shift(1, 2)
    const drilled = await add('Harbour', [coming], { type: drill })
    await add('Forest', [coming], { location: 'Harbour side' })
    await add('Meadow', [coming], { description: 'near the harbour' })
    const plain = await add('Plain', [coming])
    const needy = await add('Needy', [shift(1, 2, SHORT)])
    const over = await add('Needy until now', [shift(-3, -1, SHORT), shift(1, 2)])
    const stopped = await add('Stopped', [shift(1, 2, SHORT)], { cancelled: true })
    await world.addParticipation({ who: ANN, shift: drilled.shifts[0]!, state: 0 })
    await world.addParticipation({ who: ANN, shift: plain.shifts[0]!, state: 1 })
    await world.addParticipation({ who: ANN, shift: needy.shifts[0]!, state: 2 })
    await world.addParticipation({ who: ANN, shift: stopped.shifts[0]!, state: 0 })
    await world.addParticipation({ who: BEN, shift: over.shifts[1]!, state: 0 })
    const CASES: [Search, string[]][] = [
      [{ terms: ['harbour'] }, ['Harbour', 'Forest', 'Meadow']],
      [{ terms: ['harbour', 'side'] }, ['Forest']],
      [{ typeIds: [drill] }, ['Harbour']],
      [{ state: 'none' }, ['Needy until now', 'Forest', 'Meadow']],
      [{ state: 'confirmed' }, ['Plain']],
      [{ state: 'requested' }, ['Harbour']],
      [{ state: 'in' }, ['Harbour', 'Plain', 'Stopped']],
      [{ whose: 'others' }, []],
      [{ whose: 'ours', typeIds: [drill] }, ['Harbour']],
    ]
    for (const [given, expected] of CASES) assert.deepEqual(await titles(ANN, given), expected, JSON.stringify(given))
    await write.updateTable('shift').set({ missing: 0, shortfall: 0, requested_count: 0 }).execute()
    const set = (
      id: number,
      values: { missing?: number; shortfall?: number; requested_count?: number; signup_flow_slug?: string },
    ) => write.updateTable('shift').set(values).where('id', '=', id).execute()
    await set(needy.shifts[0]!, { missing: 1 })
    await set(plain.shifts[0]!, { shortfall: 1 })
    await set(over.shifts[0]!, { missing: 1 })
    await set(stopped.shifts[0]!, { missing: 1 })
    assert.deepEqual(await titles(ANN, { needsPeople: true }), ['Plain', 'Needy'])
    await set(needy.shifts[0]!, { requested_count: 1 })
    await set(over.shifts[0]!, { requested_count: 1 })
    await set(stopped.shifts[0]!, { requested_count: 1 })
    await set(plain.shifts[0]!, { requested_count: 1, signup_flow_slug: 'coupled' })
    assert.deepEqual(await titles(PAUL, { state: 'decide' }), ['Needy'])
    assert.deepEqual(await titles(ANN, { state: 'decide' }), [])
  })

  const FLOW = { flow: INSTANT }
  /** One row per condition that excludes a shift from those that fit Ann. */
  const UNFIT: [what: string, shift: ShiftOptions, more: EventOptions, state?: 0 | 1 | 2 | 3][] = [
    ['over', shift(-2, -1, FLOW), {}],
    ['no sign-up', shift(1, 2, { flow: 'no_selfservice' }), {}],
    ['requested', shift(30, 31, FLOW), {}, 0],
    ['confirmed', shift(40, 41, FLOW), {}, 1],
    ['a draft', shift(1, 2, FLOW), { draft: true }],
    ['cancelled', shift(1, 2, FLOW), { cancelled: true }],
    ['deleted', shift(1, 2, FLOW), { deleted: true }],
    ['hidden', shift(1, 2, FLOW), { seenBy: [PLANNERS] }],
    ['of a type that needs a qualification', shift(14, 15, FLOW), { type: drill }],
  ]
  test('has what fits the caller: shifts that they can sign up for and do not take part in', async () => {
    const medic = await world.addQualification('Medic')
    await write
      .insertInto('event_type_required_qualification')
      .values({ event_type_id: drill, qualification_id: medic.id })
      .execute()
    for (const [what, one, more, state] of UNFIT) {
      const { shifts } = await add(what, [one], more)
      if (state !== undefined) await world.addParticipation({ who: ANN, shift: shifts[0]!, state })
    }
    const full = await add('full', [shift(1, 2, { ...FLOW, configuration: { maximum_number_of_participants: 1 } })])
    await world.addParticipation({ who: BEN, shift: full.shifts[0]!, state: 1 })
    await write.updateTable('shift').set({ free: 0 }).where('id', '=', full.shifts[0]!).execute()
    const two = await add('two', [shift(10, 11, { ...FLOW, label: 'B' }), shift(8, 9, { ...FLOW, label: 'A' })])
    const asks = await add('asks', [shift(12, 13, { flow: 'request_confirm' })])
    assert.deepEqual(await titles(ANN, { fitsMe: true }), ['two', 'asks'])
    const found = await search(ANN, { fitsMe: true })
    assert.deepEqual([found.count, found.hasMore, found.searchedUntil], [2, false, undefined])
    assert.deepEqual(
      found.events[0]!.fitting?.map(({ label, start, end }) => [label, start, end]),
      [
        ['A', at(8), at(9)],
        ['B', at(10), at(11)],
      ],
    )
    assert.deepEqual(await titles(ANN, { fitsMe: true }, { limit: 1, offset: 1 }), ['asks'])
    assert.deepEqual(await titles(ANN, { fitsMe: true, from: at(11.5) }), ['asks'])
    assert.deepEqual(await titles(ANN, { fitsMe: true, until: at(12) }), ['two'])
    await world.holds(BEN, medic)
    assert.ok((await titles(BEN, { fitsMe: true })).includes('of a type that needs a qualification'))
    const open = async (given: Partial<EventFilter> & { from?: Date; until?: Date } = {}, limit = 10) =>
      (await findOpenShifts(as(ANN), { ...FILTER, fitsMe: true, from: undefined, until: undefined, ...given }, limit)).shifts.map(
        ({ eventTitle, label }) => eventTitle + label,
      )
    assert.deepEqual(await open(), ['twoA', 'twoB', 'asks'])
    assert.deepEqual(await open({}, 2), ['twoA', 'twoB'])
    assert.deepEqual(await open({ from: at(10) }), ['twoB', 'asks'])
    assert.deepEqual(await open({ from: at(10.1) }), ['asks'])
    assert.deepEqual(await open({ until: at(10) }), ['twoA'])
    await write.updateTable('shift').set({ missing: 0, shortfall: 0 }).execute()
    await write.updateTable('shift').set({ missing: 1 }).where('id', '=', asks.shifts[0]!).execute()
    assert.deepEqual(await open({ needsPeople: true }), ['asks'])
    assert.deepEqual(await titles(ANN, { fitsMe: true, needsPeople: true }), ['asks'])
    await write.updateTable('shift').set({ missing: 1 }).where('id', '=', two.shifts[0]!).execute()
    const needed = await search(ANN, { fitsMe: true, needsPeople: true })
    assert.deepEqual(
      needed.events.map(({ title, fitting }) => [title, fitting?.map(({ label }) => label)]),
      [
        ['two', ['B']],
        ['asks', ['']],
      ],
      'of an event that needs people, the shifts that need them',
    )
    await write.updateTable('shift').set({ missing: 0 }).where('id', '=', two.shifts[0]!).execute()
    await world.addParticipation({ who: ANN, shift: two.shifts[1]!, state: 2 })
    assert.deepEqual(await open(), ['twoB', 'asks'], 'an answer is an answer')
    const unfiltered = await open({ fitsMe: false })
    assert.deepEqual([unfiltered.includes('twoA'), unfiltered.includes('confirmed')], [true, false])
  })

  test('knows who plans events that have not ended', async () => {
    const plans = () => Promise.all([PAUL, ANN, OLGA].map(async (person) => (await loadListSettings(as(person))).isPlanner))
    assert.deepEqual(await plans(), [false, false, false])
    await add('past', [shift(-3, -1)])
    await add('cancelled', [shift(1, 2)], { cancelled: true })
    await add('draft', [shift(1, 2)], { draft: true })
    assert.deepEqual(await plans(), [false, false, false])
    await add('now', [shift(-1, 0)])
    assert.deepEqual(await plans(), [true, false, true])
  })
})
