import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { storeShift } from '#features/planning/removed-shifts/commands/store.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions, ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import type { EventFilter } from './filters.ts'
import {
  countShiftsToDecide,
  findCalendarShifts,
  findEventFeedShifts,
  findFeedShifts,
  findOwnShifts,
  findShiftsToJoin,
} from './shifts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ALL: EventFilter = { terms: [], typeIds: [], state: undefined, needsPeople: false, fitsMe: false, whose: 'all' }

describe('lists of shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person): RequestContext => ({ ...contextAs(world, person), words: wordsFor('en', 'UTC') })
  const at = (ms: number) => new Date(world.now.getTime() + ms)
  const iso = (ms: number) => at(ms).toISOString()
  const add = async (label: string, from: number, shift: ShiftOptions = {}, event: EventOptions = {}) =>
    (
      await world.addEvent({
        title: `Event of ${label}`,
        seenBy: [HELPERS],
        shifts: [{ label, start: iso(from), end: iso(from + HOUR_MS), ...shift }],
        ...event,
      })
    ).shifts[0]!
  const cancel = async (shiftId: number, reason: string | undefined) => {
    await transact(write, (tx) => storeShift(tx, contextAs(world, PAUL), { shiftId, reason, copies: sql`false` }))
    await write.deleteFrom('shift').where('id', '=', shiftId).execute()
  }
  const labels = (rows: readonly { label: string }[]) => rows.map(({ label }) => label)
  beforeEach(async () => {
    for (const table of ['participation', 'removed_shift', 'event'] as const) await write.deleteFrom(table).execute()
  })

  test('to decide: those of planned events that have requests and go on, each once', async () => {
    const ask = async (from: number, event: EventOptions, shift: ShiftOptions = {}, state: 0 | 1 = 0) => {
      const id = await add('asked', from, shift, event)
      await world.addParticipation({ who: BEN, shift: id, state })
      return id
    }
    const both = { seenBy: [HELPERS], responsible: [PAUL, PLANNERS] }
    const counts = async () => [
      await countShiftsToDecide(as(PAUL)),
      await countShiftsToDecide(as(OLGA)),
      await countShiftsToDecide(as(ANN)),
      await countShiftsToDecide(as(VERA)),
    ]
    const expected = [0, 0, 0, 0]
    for (const [what, who, wish] of [
      ['of a group and a person', [1, 1, 0, 0], () => ask(HOUR_MS, both)],
      ['of a person', [1, 1, 0, 0], () => ask(HOUR_MS, { seenBy: [HELPERS], responsible: [PAUL] })],
      ['of a group', [1, 1, 0, 0], () => ask(HOUR_MS, { seenBy: [HELPERS], responsible: [PLANNERS] })],
      ['ends now', [1, 1, 0, 0], () => ask(-HOUR_MS, both)],
      ['has ended', [0, 0, 0, 0], () => ask(-HOUR_MS - 1, both)],
      ['of others', [0, 1, 0, 0], () => ask(HOUR_MS, { seenBy: [PLANNERS], responsible: [OLGA] })],
      ['only seen', [0, 1, 0, 0], () => ask(HOUR_MS, { seenBy: [PAUL, PLANNERS] })],
      ['of a person among those seen by helpers', [0, 1, 1, 0], () => ask(HOUR_MS, { seenBy: [HELPERS], responsible: [ANN] })],
      ['coupled', [0, 0, 0, 0], () => ask(HOUR_MS, both, { flow: 'coupled' })],
      ['confirmed', [0, 0, 0, 0], () => ask(HOUR_MS, both, {}, 1)],
      ['cancelled', [0, 0, 0, 0], () => ask(HOUR_MS, { ...both, cancelled: true })],
      ['a draft', [0, 0, 0, 0], () => ask(HOUR_MS, { ...both, draft: true })],
      ['deleted', [0, 0, 0, 0], () => ask(HOUR_MS, { ...both, deleted: true })],
    ] as const) {
      await wish()
      for (const [index, more] of who.entries()) expected[index]! += more
      assert.deepEqual(await counts(), expected, what)
    }
  })

  test('to join: those that lack people and that the caller sees, without a form first, then the soonest', async () => {
    const short = { stats: { missing: 1 } }
    const find = async (person: Person, limit = 50, also: number[] = []) => {
      const { toJoin, eligibility } = await findShiftsToJoin(as(person), limit, also)
      return [labels(toJoin), [...eligibility.keys()].length] as const
    }
    const teams = ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 1, max_count: 2 }))
    await add('late', 5 * HOUR_MS, short)
    await add('early', 4 * HOUR_MS, short)
    await add('form', HOUR_MS, { ...short, structure: 'named_teams', configuration: { teams, choose_preferred_team: true } })
    const full = await add('full', 2 * HOUR_MS)
    await add('personal', 6 * HOUR_MS, short, { seenBy: [ANN] })
    await add('hidden', 2 * HOUR_MS, short, { seenBy: [PLANNERS] })
    await add('over', -HOUR_MS - 1, short)
    await add('no self-service', 2 * HOUR_MS, { ...short, flow: 'manual' })
    for (const gone of [{ draft: true }, { cancelled: true }, { deleted: true }]) await add('gone', 2 * HOUR_MS, short, gone)
    for (const state of [0, 1, 2, 3, 4] as const)
      await world.addParticipation({ who: ANN, shift: await add(`answered ${state}`, (20 + state) * HOUR_MS, short), state })
    await world.addParticipation({ who: BEN, shift: full, state: 1 })
    assert.deepEqual((await find(ANN))[0], ['early', 'late', 'personal', 'form'])
    assert.deepEqual((await find(ANN, 2))[0], ['early', 'late'])
    assert.equal((await find(ANN, 1, [full]))[1], (await find(ANN))[1] + 1, 'judged with the others')
    assert.deepEqual((await find(VERA))[0], [])
    assert.deepEqual(
      (await find(OLGA))[0].filter((label) => !label.startsWith('answered')),
      ['hidden', 'early', 'late', 'personal', 'form'],
    )
    assert.deepEqual((await find(BEN))[0].at(-1), 'form')
  })

  test('to join: looks further if the first ones need a form, and shows these if there are no others', async () => {
    const choosy = await world.addPerson({ name: 'Choosy' })
    const teams = ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 1, max_count: 2 }))
    const asking = { structure: 'named_teams', configuration: { teams, choose_preferred_team: true } } as const
    const addFor = (label: string, hours: number, more = {}) =>
      add(label, hours * HOUR_MS, { stats: { missing: 1 }, ...more }, { seenBy: [choosy] })
    for (let index = 0; index < 13; index++) await addFor(`form ${index}`, index + 1, asking)
    const find = async (limit: number) => labels((await findShiftsToJoin(as(choosy), limit)).toJoin)
    assert.deepEqual(await find(2), ['form 0', 'form 1'])
    await addFor('simple', 40)
    assert.deepEqual(await find(2), ['simple', 'form 0'])
    assert.deepEqual(await find(1), ['simple'])
  })

  test('of a calendar: with the own state, and the own times of those who want or have a place', async () => {
    const shift = await add('all day', DAY_MS, { end: iso(DAY_MS + 8 * HOUR_MS) })
    await add('stormy', DAY_MS, { end: iso(DAY_MS + 9 * HOUR_MS) }, { cancelled: true })
    await add('draft', DAY_MS, {}, { draft: true })
    const filled = await add('elsewhere', DAY_MS + 2 * HOUR_MS, {}, { seenBy: [PLANNERS] })
    for (const [who, state] of [[ANN, 1], [BEN, 2], [VERA, 0]] as const) // biome-ignore format: a table
      await world.addParticipation({ who, shift, state, start: iso(DAY_MS + HOUR_MS), end: iso(DAY_MS + 2 * HOUR_MS) })
    await world.addParticipation({ who: PAUL, shift: filled, state: 4 })
    const find = async (person: Person, filter: Partial<EventFilter> = {}, from = DAY_MS, until = 2 * DAY_MS) => {
      const { shifts, isTruncated } = await findCalendarShifts(
        as(person),
        { ...ALL, ...filter },
        { from: at(from), until: at(until) },
      )
      assert.equal(isTruncated, false)
      return shifts.map(({ label, own, start, end }) => [
        label,
        own,
        (start.getTime() - at(DAY_MS).getTime()) / HOUR_MS,
        (end.getTime() - at(DAY_MS).getTime()) / HOUR_MS,
      ])
    }
    assert.deepEqual(await find(ANN), [
      ['all day', 1, 1, 2],
      ['stormy', null, 0, 9],
    ])
    assert.deepEqual((await find(BEN))[0], ['all day', 2, 0, 8])
    assert.deepEqual(await find(VERA), [['all day', 0, 1, 2]])
    assert.deepEqual(await find(PAUL), [['elsewhere', 4, 2, 3]])
    assert.deepEqual(await find(BEN, { fitsMe: true }), [['all day', 2, 0, 8]], 'not the cancelled one')
    const free = await world.addPerson({ name: 'Free' })
    await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: free.id }).execute()
    const context = as(free)
    const seen = { ...context, actor: { ...as(ANN).actor, userId: free.id } as typeof context.actor }
    const fitting = async (until: number) =>
      labels((await findCalendarShifts(seen, { ...ALL, fitsMe: true }, { from: at(DAY_MS), until: at(until) })).shifts)
    assert.deepEqual(await fitting(2 * DAY_MS), ['all day'])
    assert.deepEqual(await fitting(DAY_MS), [])
    await add('same end', DAY_MS - HOUR_MS, { end: iso(DAY_MS + HOUR_MS) })
    await add('second', DAY_MS, { end: iso(DAY_MS + HOUR_MS) })
    assert.deepEqual(
      (await find(OLGA)).map(([label]) => label),
      ['same end', 'second', 'all day', 'stormy', 'elsewhere'],
      'by start, then end',
    )
    assert.deepEqual(await find(ANN, { whose: 'others' }), [])
  })

  test('of a feed: of one person in these states, up to 400 days old, cancelled ones with a higher revision', async () => {
    const join = async (label: string, from: number, event: EventOptions = {}, state: 0 | 1 | 2 = 1, who: Person = ANN) => {
      const id = await add(label, from, {}, event)
      await world.addParticipation({ who, shift: id, state })
      return id
    }
    await join('second', 2 * HOUR_MS, { description: 'Bring boots' })
    await join('first', HOUR_MS)
    await join('asked', 3 * HOUR_MS, {}, 0)
    await join('rejected', 3 * HOUR_MS, {}, 2)
    await join('stormy', 4 * HOUR_MS, { cancelled: true })
    await join('draft', HOUR_MS, { draft: true })
    await join('deleted', HOUR_MS, { deleted: true })
    await join('old', -400 * DAY_MS - HOUR_MS)
    await join('too old', -400 * DAY_MS - HOUR_MS - 1)
    await join('of Ben', HOUR_MS, {}, 1, BEN)
    const find = async (states: (0 | 1 | 2)[], person: Person = ANN) => findFeedShifts(as(person), person.id, states)
    assert.deepEqual(labels(await find([1])), ['old', 'first', 'second', 'stormy'])
    assert.deepEqual(labels(await find([0])), ['asked'])
    assert.deepEqual(labels(await find([0, 2])).toSorted(), ['asked', 'rejected'])
    assert.deepEqual(labels(await find([1], BEN)), ['of Ben'])
    const facts = (rows: Awaited<ReturnType<typeof find>>) =>
      Object.fromEntries(
        rows.map(({ label, revision, cancellationReason, description, state }) => [
          label,
          [revision, cancellationReason, description, state],
        ]),
      )
    const before = facts(await find([1]))
    const { first } = before
    const revision = first![0] as number
    assert.deepEqual(before, {
      old: [revision, null, null, 1],
      first: [revision, null, null, 1],
      second: [revision, null, 'Bring boots', 1],
      stormy: [revision + 1, 'storm', null, 1],
    })
    const rain = await add('rain', 90 * 60_000, { meeting: iso(HOUR_MS) })
    const late = await add('late rain', 5 * HOUR_MS)
    for (const shift of [rain, late])
      await world.addParticipation({
        who: ANN,
        shift,
        start: iso((shift === late ? 5.5 : 5) * HOUR_MS),
        end: iso(6 * HOUR_MS),
      })
    await world.addParticipation({ who: BEN, shift: rain, state: 0 })
    const removed = await join('removed', 2 * HOUR_MS)
    const hidden = await join('of a draft', 2 * HOUR_MS, { draft: true })
    const over = await join('long over', -400 * DAY_MS - HOUR_MS - 1)
    for (const shift of [rain, late, hidden, over]) await cancel(shift, 'Rain')
    await cancel(removed, undefined)
    const found = await find([1])
    assert.deepEqual(labels(found), ['old', 'first', 'second', 'stormy', 'rain', 'late rain'])
    assert.deepEqual(facts(found).rain, [revision + 1, 'Rain', null, 1])
    assert.deepEqual(
      found.slice(-2).map(({ meeting, start, end }) => [meeting, start, end]),
      [
        [at(HOUR_MS), at(5 * HOUR_MS), at(6 * HOUR_MS)],
        [at(5.5 * HOUR_MS), at(5.5 * HOUR_MS), at(6 * HOUR_MS)],
      ],
      'the own times, and when people meet',
    )
    assert.deepEqual(labels(await find([0], BEN)), ['rain'])
    const own = await findOwnShifts(as(ANN), 50)
    assert.deepEqual(
      own.confirmed.rows.map(({ label, cancellationReason }) => [label, cancellationReason]),
      [
        ['first', null],
        ['second', null],
        ['stormy', 'storm'],
        ['rain', 'Rain'],
        ['late rain', 'Rain'],
      ],
    )
    assert.deepEqual([own.confirmed.count, labels(own.requested.rows), own.requested.count, own.openCount], [5, ['asked'], 1, 1])
    const { missing, free, minCount, requestedCount } = own.confirmed.rows.find(({ label }) => label === 'rain')!
    assert.deepEqual([missing, free, minCount, requestedCount], [0, 0, 0, 0])
    assert.deepEqual(labels((await findOwnShifts(as(BEN), 50)).confirmed.rows), ['of Ben', 'rain'])
    assert.deepEqual(labels((await findOwnShifts(as(ANN), 2)).confirmed.rows), ['first', 'second'])
    await write
      .updateTable('removed_participation')
      .set({ end_time: at(-1) })
      .execute()
    assert.equal((await findOwnShifts(as(ANN), 50)).confirmed.count, 3)
  })

  for (const [state, isShown] of [[0, true], [1, true], [2, false], [3, false], [4, false]] as const) // biome-ignore format: a table
    test(`own: a cancelled shift ${isShown ? 'stays' : 'does not appear'} for a person in state ${state}`, async () => {
      const [shift, other] = [await add('storm', HOUR_MS), await add('elsewhere', HOUR_MS)]
      await world.addParticipation({ who: ANN, shift, state })
      await world.addParticipation({ who: BEN, shift: other, state: 1 })
      for (const id of [shift, other]) await cancel(id, 'Rain')
      const { confirmed, requested, openCount } = await findOwnShifts(as(ANN), 50)
      assert.deepEqual([labels(confirmed.rows), confirmed.count], isShown ? [['storm'], 1] : [[], 0])
      assert.deepEqual([requested.count, openCount], [0, 0])
    })

  test('of a feed: the latest, if there are too many, by their beginning', async () => {
    for (const [label, from] of [['third', 3], ['first', 1], ['second', 2]] as const) // biome-ignore format: a table
      await world.addParticipation({ who: ANN, shift: await add(label, from * HOUR_MS) })
    for (const [label, from] of [
      ['gone third', 3],
      ['gone first', 1],
      ['gone second', 2],
    ] as const) {
      const shift = await add(label, from * HOUR_MS + 1)
      await world.addParticipation({ who: ANN, shift })
      await cancel(shift, 'Rain')
    }
    const find = async (limit?: number) => labels(await findFeedShifts(as(ANN), ANN.id, [1], limit))
    assert.deepEqual(await find(2), ['second', 'gone second', 'third', 'gone third'])
    assert.deepEqual(await find(), ['first', 'gone first', 'second', 'gone second', 'third', 'gone third'])
  })

  test('name a person who plans the event: one who is named before members of groups, nobody who left', async () => {
    const [left, hidden, second] = [
      await world.addPerson({ name: 'Left', isActive: false }),
      await world.addPerson({ name: 'Hidden', isVisible: false }),
      await world.addPerson({ name: 'Second' }),
    ]
    const planners = await world.addGroup('Crew', [left, hidden, PAUL, BEN])
    const [formers, unseen] = [await world.addGroup('Formers', [left]), await world.addGroup('Unseen', [hidden])]
    const organizerOf = async (event: EventOptions) => {
      const made = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: iso(HOUR_MS) }], ...event })
      const [found] = await findEventFeedShifts(as(ANN), made.id)
      return found!.organizer
    }
    for (const [event, name] of [
      [{}, null],
      [{ seenBy: [HELPERS, PAUL] }, null],
      [{ responsible: [left, hidden] }, null],
      [{ responsible: [formers] }, null],
      [{ responsible: [unseen] }, null],
      [{ responsible: [left, hidden, second, VERA, planners] }, 'Vera'],
      [{ responsible: [second, planners] }, 'Second'],
      [{ responsible: [planners] }, 'Paul'],
      [{ responsible: [left, planners] }, 'Paul'],
    ] as const)
      assert.equal(await organizerOf(event as EventOptions), name, JSON.stringify(event))
  })

  test('of the feed of an event: all of its shifts by time, for those who see it', async () => {
    const made = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [
        { label: 'late', start: iso(3 * HOUR_MS), end: iso(9 * HOUR_MS) },
        { label: 'long', start: iso(HOUR_MS), end: iso(5 * HOUR_MS) },
        { label: 'short', start: iso(HOUR_MS), end: iso(2 * HOUR_MS) },
      ],
    })
    await world.addEvent({ seenBy: [HELPERS], shifts: [{ label: 'other' }] })
    const [late, long] = made.shifts as [number, number, number]
    await world.addParticipation({ who: ANN, shift: late, state: 0, start: iso(4 * HOUR_MS) })
    await world.addParticipation({ who: ANN, shift: long, state: 3, start: iso(2 * HOUR_MS) })
    await world.addParticipation({ who: BEN, shift: late, state: 1, start: iso(5 * HOUR_MS) })
    const find = async (person: Person) =>
      (await findEventFeedShifts(as(person), made.id)).map(({ label, state, start }) => [label, state, start])
    assert.deepEqual(await find(ANN), [
      ['short', null, at(HOUR_MS)],
      ['long', 3, at(HOUR_MS)],
      ['late', 0, at(4 * HOUR_MS)],
    ])
    assert.deepEqual((await find(BEN)).at(-1), ['late', 1, at(5 * HOUR_MS)])
    assert.deepEqual((await find(OLGA)).length, 3)
    assert.deepEqual(await find(VERA), [])
  })
})
