import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions, ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type EventFilter, eventConditions, mightFit, OWN_STATES, shiftConditions } from './filters.ts'

const ALL: EventFilter = { terms: [], typeIds: [], state: undefined, needsPeople: false, fitsMe: false, whose: 'all' }

describe('filters of events and shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person): RequestContext => ({ ...contextAs(world, person), words: wordsFor('en', 'UTC') })
  const joined = sql`shift s join event e on e.id = s.event_id`
  const isEvent = async (id: number, filter: Partial<EventFilter>, person = ANN) =>
    (
      await sql`select from event e where e.id = ${id}${andAll(eventConditions(as(person), { ...ALL, ...filter }))}`.execute(
        write,
      )
    ).rows.length > 0
  const isShift = async (id: number, filter: Partial<EventFilter>, person = ANN) =>
    (
      await sql`select from ${joined} left join participation p on p.shift_id = s.id and p.user_id = ${person.id}
        where s.id = ${id}${andAll(shiftConditions(as(person), { ...ALL, ...filter }))}`.execute(write)
    ).rows.length > 0
  const fits = async (id: number, needsPeople = false) =>
    (await sql`select from ${joined} where s.id = ${id} and ${mightFit(as(ANN), { needsPeople })}`.execute(write)).rows.length > 0
  const add = async (shift: ShiftOptions = {}, event: EventOptions = {}) => {
    const made = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [shift], ...event })
    return { id: made.id, shift: made.shifts[0]! }
  }
  const ends = (ms: number) => ({
    start: new Date(world.now.getTime() - 3_600_000).toISOString(),
    end: new Date(world.now.getTime() + ms).toISOString(),
  })
  const statesOf = async (person: Person, { id, shift }: { id: number; shift: number }) => {
    const found: [string[], string[]] = [[], []]
    for (const state of OWN_STATES) {
      if (await isEvent(id, { state }, person)) found[0].push(state)
      if (await isShift(shift, { state }, person)) found[1].push(state)
    }
    return found.map((names) => names.join(' '))
  }

  const OWN: [state: 0 | 1 | 2 | 3 | 4 | undefined, names: string, ifCancelled: string][] = [
    [undefined, 'none', 'none'],
    [0, 'requested in', 'in'],
    [1, 'confirmed in', 'confirmed in'],
    [2, '', ''],
    [3, '', ''],
    [4, 'none', 'none'],
  ]
  for (const [state, names, ifCancelled] of OWN)
    test(`a person in state ${state} finds it as ${names || 'answered'}`, async () => {
      const made = await add()
      const cancelled = await add({}, { cancelled: true })
      if (state !== undefined) for (const { shift } of [made, cancelled]) await world.addParticipation({ who: ANN, shift, state })
      assert.deepEqual(await statesOf(ANN, made), [names, names])
      assert.deepEqual(await statesOf(ANN, cancelled), [ifCancelled, ifCancelled])
      assert.deepEqual(await statesOf(BEN, made), ['none', 'none'], 'of another person')
    })

  const DECIDE: [what: string, requests: number, shift: ShiftOptions, event: EventOptions, person: Person, decides: boolean][] = [
    ['a request', 1, {}, {}, PAUL, true],
    ['no request', 0, {}, {}, PAUL, false],
    ['a request for a shift that follows another', 1, { flow: 'coupled' }, {}, PAUL, false],
    ['a request that somebody else decides', 1, {}, {}, BEN, false],
    ['a request for a cancelled event', 1, {}, { cancelled: true }, PAUL, false],
    ['a request for a shift that ends now', 1, ends(0), {}, PAUL, true],
    ['a request for a shift that is over', 1, ends(-1), {}, PAUL, false],
  ]
  for (const [what, requests, shift, event, person, decides] of DECIDE)
    test(`${what} is ${decides ? '' : 'not '}to be decided`, async () => {
      const made = await add(shift, event)
      await write.updateTable('shift').set({ requested_count: requests }).where('id', '=', made.shift).execute()
      const found = [await isEvent(made.id, { state: 'decide' }, person), await isShift(made.shift, { state: 'decide' }, person)]
      assert.deepEqual(found, [decides, decides])
    })

  test('an event whose only open shift needs nobody does not need people because of one that is over', async () => {
    const short = { stats: { missing: 1 } }
    const needs = async (wish: EventOptions) => {
      const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], ...wish })
      return [await isEvent(id, { needsPeople: true }), await isShift(shifts[0]!, { needsPeople: true })]
    }
    assert.deepEqual(await needs({ shifts: [short] }), [true, true])
    assert.deepEqual(await needs({ shifts: [{}] }), [false, false])
    assert.deepEqual(await needs({ shifts: [{ ...short, ...ends(0) }] }), [true, true])
    assert.deepEqual(await needs({ shifts: [{ ...short, ...ends(-1) }, {}] }), [false, false])
    assert.deepEqual(await needs({ shifts: [short], cancelled: true }), [false, false])
  })

  test('every word must be in title, place or description, and the type be one of those', async () => {
    const type = await world.addType({ title: 'Drill' })
    const { id, shift } = await add({}, { title: 'Boat race', location: 'Pier 3', description: 'Bring tents', type })
    const both = async (filter: Partial<EventFilter>) => [await isEvent(id, filter), await isShift(shift, filter)]
    for (const [terms, found] of [
      [['boat'], true],
      [['pier'], true],
      [['tents'], true],
      [['boat', 'tents'], true],
      [['boat', 'car'], false],
    ] as const)
      assert.deepEqual(await both({ terms }), [found, found], terms.join())
    assert.deepEqual(await both({ typeIds: [1, type] }), [true, true])
    assert.deepEqual(await both({ typeIds: [1] }), [false, false])
  })

  describe('what might fit', () => {
    const CASES: [what: string, shift: ShiftOptions, might: boolean][] = [
      ['with requests', {}, true],
      ['with places', { flow: 'instant_confirmation', stats: { free: 1 } }, true],
      ['without a limit', { flow: 'instant_confirmation', stats: { free: null } }, true],
      ['that is full', { flow: 'instant_confirmation', stats: { free: 0 } }, false],
      ['that is full, with requests', { flow: 'request_confirm', stats: { free: 0 } }, true],
      ['without sign-up', { flow: 'manual' }, false],
      ['that follows another', { flow: 'coupled' }, false],
      ['that ends now', ends(0), true],
      ['that is over', ends(-1), false],
    ]
    for (const [what, shift, might] of CASES)
      test(`a shift ${what}: ${might}`, async () => assert.equal(await fits((await add(shift)).shift), might))

    for (const [state, might] of [
      [0, false],
      [1, false],
      [2, true],
      [3, true],
    ] as const)
      test(`a shift of a person in state ${state}: ${might}`, async () => {
        const { shift } = await add()
        await world.addParticipation({ who: ANN, shift, state })
        await world.addParticipation({ who: BEN, shift: (await add()).shift, state: 1 })
        assert.equal(await fits(shift), might)
      })

    test('a shift that lacks nobody, only if that does not matter', async () => {
      const [short, enough] = [await add({ stats: { missing: 1 } }), await add()]
      assert.deepEqual(await Promise.all([fits(short.shift, true), fits(enough.shift, true), fits(enough.shift)]), [
        true,
        false,
        true,
      ])
    })

    test('a shift of a type that requires what the person holds, or what includes it', async () => {
      const medic = await world.addQualification('Medic')
      const doctor = await world.addQualification('Doctor', [medic])
      const type = await world.addType({ title: 'Ward' })
      await write
        .insertInto('event_type_required_qualification')
        .values({ event_type_id: type, qualification_id: medic.id })
        .execute()
      const { shift } = await add({}, { type })
      await world.holds(BEN, medic)
      assert.equal(await fits(shift), false)
      await world.holds(ANN, doctor)
      assert.equal(await fits(shift), true)
      await write.deleteFrom('qualification_grant').where('user_id', '=', ANN.id).execute()
      await world.holds(ANN, medic)
      assert.equal(await fits(shift), true)
      await write
        .insertInto('event_type_required_qualification')
        .values({ event_type_id: type, qualification_id: doctor.id })
        .execute()
      assert.equal(await fits(shift), false, 'each of them is required')
    })
  })
})
