import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { undoAssignment } from '../commands.ts'
import { findOffers } from './offers.ts'
import { findGroups, findPeople, getPerson, mayPlan } from './people.ts'
import { findPlaces } from './places.ts'

const DAY_MS = 24 * 3_600_000
const at = (time: string, day = '20') => `2031-05-${day}T${time}:00Z`
const PERIOD = { start: new Date(at('00:00')), end: new Date(at('00:00', '21')) }

describe('people by days', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, permissions: Permission[] = [], groupIds: number[] = [], ms = 0): RequestContext => ({
    ...contextOf(world, actorOf(person, { permissions: new Set(permissions), groupIds })),
    now: new Date(world.now.getTime() + ms),
    words: wordsFor('en', 'UTC'),
  })
  const paul = as(PAUL)
  const addEvent = (shifts: object[], more: object = {}) =>
    world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts, ...more })
  beforeEach(async () => {
    for (const table of ['participation', 'event', 'qualification_grant'] as const) await write.deleteFrom(table).execute()
  })

  test('are seen by those who plan, or may begin to', async () => {
    assert.equal(await mayPlan(paul), false)
    for (const permission of ['add_event', 'change_event'] as const) assert.equal(await mayPlan(as(VERA, [permission])), true)
    assert.equal(await mayPlan(as(VERA, ['view_event'])), false)
    await addEvent([{}])
    assert.deepEqual([await mayPlan(paul), await mayPlan(as(VERA))], [true, false])
  })

  test('are those who are listed, found by name, group and qualification, in pages', async () => {
    const [closed, hidden, gone] = [
      await world.addPerson({ name: 'Closed', isActive: false }),
      await world.addPerson({ name: 'Hidden', isVisible: false }),
      await world.addPerson({ name: 'anton Bär' }),
    ]
    const medic = await world.addQualification('Medic')
    const doctor = await world.addQualification('Doctor', [medic])
    await world.holds(ANN, medic, PERIOD.start)
    await world.holds(BEN, medic, new Date(PERIOD.start.getTime() - 1))
    await world.holds(OLGA, doctor)
    for (const who of [closed, hidden]) await world.holds(who, medic)
    const find = async (filter: object = {}, page = 1, pageSize = 50) => {
      const all = { groupId: undefined, skillId: undefined, search: '', ...filter }
      const { people, count } = await findPeople(paul, all, { period: PERIOD, page, pageSize })
      return [people.map(({ name }) => name), count]
    }
    const everyone = ['Ann', 'anton Bär', 'Ben', 'Olga', 'Paul', 'Vera']
    assert.deepEqual(await find(), [everyone, 6])
    assert.deepEqual(await find({}, 1, 6), [everyone, 6])
    assert.deepEqual(await find({}, 1, 4), [everyone.slice(0, 4), 6])
    assert.deepEqual(await find({}, 2, 4), [everyone.slice(4), 6])
    assert.deepEqual(await find({}, 3, 4), [[], 6])
    assert.deepEqual(await find({ groupId: HELPERS.id }), [['Ann', 'Ben'], 2])
    assert.deepEqual(await find({ skillId: medic.id }), [['Ann', 'Olga'], 2])
    assert.deepEqual(await find({ skillId: doctor.id }), [['Olga'], 1])
    assert.deepEqual(await find({ search: '  bär anton ' }), [['anton Bär'], 1])
    assert.deepEqual(await find({ search: 'bär ben' }), [[], 0])
    await write.deleteFrom('user_profile').where('id', '=', gone.id).execute()
    await write
      .insertInto('day_period')
      .values({ user_id: ANN.id, kind: 'cannot', first_day: '2031-05-20', last_day: '2031-05-20' })
      .execute()
    await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: true }).execute()
    const found = await getPerson(paul, ANN.id, PERIOD)
    assert.deepEqual(found?.person, {
      id: ANN.id,
      name: 'Ann',
      dateOfBirth: ANN.dateOfBirth,
      groupIds: [HELPERS.id],
      availability: { weekly: [], periods: [{ kind: 'cannot', first: '2031-05-20', last: '2031-05-20' }], busy: [] },
    })
    assert.deepEqual(
      found.limits.map(({ kind, value }) => [kind, value]),
      [['rest_hours', 11]],
    )
    assert.deepEqual([await getPerson(paul, closed.id, PERIOD), await getPerson(paul, hidden.id, PERIOD)], [undefined, undefined])
    await write.deleteFrom('work_limit').execute()
    await write.deleteFrom('day_period').execute()
  })

  test('come from groups that the caller may know', async () => {
    const group = await world.addGroup('alpha', [])
    const titles = async (context: RequestContext) => (await findGroups(context)).map(({ title }) => title)
    const all = await titles(as(VERA, ['view_group']))
    assert.deepEqual(all, ['alpha', 'Helpers', 'Planners'])
    assert.deepEqual(await titles(as(VERA)), [])
    assert.deepEqual(await titles(as(VERA, [], [PLANNERS.id])), ['Planners'])
    assert.deepEqual(await titles(as(VERA, ['publish_event_for_group'])), all)
    await addEvent([{}], { seenBy: [group], responsible: [VERA] })
    assert.deepEqual(await findGroups(as(VERA)), [{ id: group.id, title: 'alpha' }])
    assert.deepEqual(await titles(paul), [])
    await write.updateTable('event').set({ active: false }).execute()
    assert.deepEqual(await titles(as(VERA)), [], 'of a draft')
  })

  test('have their places: confirmed ones, and requests that the caller decides, a day around the period', async () => {
    const put = async (who: Person, from: number, until: number, state: 0 | 1 | 2, more: object = {}, times: object = {}) => {
      const [start, end] = [from, until].map((ms) => new Date(ms).toISOString())
      const made = await addEvent([{ start, end, label: 'Desk' }], { title: 'Fair', ...more })
      await world.addParticipation({ who, shift: made.shifts[0]!, state, ...times })
      return made.shifts[0]!
    }
    const [from, until] = [PERIOD.start.getTime() - DAY_MS, PERIOD.end.getTime() + DAY_MS]
    const noon = Date.parse(at('12:00'))
    await put(ANN, from - DAY_MS, from, 1)
    const first = await put(ANN, from - DAY_MS, from + 1, 1)
    const request = await put(ANN, noon, noon + 1000, 0)
    await put(ANN, noon, noon + 1000, 0, { responsible: [VERA] })
    await put(ANN, noon, noon + 1000, 2)
    await put(ANN, noon, noon + 1000, 1, { cancelled: true })
    await put(BEN, noon, noon + 1000, 1)
    const hidden = await put(
      ANN,
      noon + 2000,
      noon + 9000,
      1,
      { seenBy: [], responsible: [VERA] },
      { start: new Date(noon + 3000).toISOString() },
    )
    const seen = await put(
      ANN,
      noon + 4000,
      noon + 9000,
      1,
      { seenBy: [PAUL], responsible: [] },
      { end: new Date(noon + 8000).toISOString() },
    )
    const last = await put(ANN, until - 1, until + DAY_MS, 1)
    await put(ANN, until, until + DAY_MS, 1)
    const found = await findPlaces(paul, [ANN.id], PERIOD, [])
    const place = (shiftId: number, state: number, start: number, end: number, more: object = {}) => ({
      shiftId,
      userId: ANN.id,
      state,
      hasOwnTimes: false,
      start: new Date(start),
      end: new Date(end),
      leaderShiftId: null,
      hasAdult: true,
      eventTitle: 'Fair',
      label: 'Desk',
      host: null,
      ...more,
    })
    assert.deepEqual(found, [
      place(first, 1, from - DAY_MS, from + 1),
      place(request, 0, noon, noon + 1000),
      place(hidden, 1, noon + 3000, noon + 9000, { hasOwnTimes: true, eventTitle: null, label: '' }),
      place(seen, 1, noon + 4000, noon + 8000, { hasOwnTimes: true }),
      place(last, 1, until - 1, until + DAY_MS),
    ])
    assert.deepEqual(await findPlaces(paul, [], PERIOD, []), [])
    assert.deepEqual(
      (await findPlaces(paul, [BEN.id], PERIOD, [])).map(({ userId }) => userId),
      [BEN.id],
    )
    const alone = [{ kind: 'minor_accompanied', value: 1, blocks: true }] as never
    assert.deepEqual(
      (await findPlaces(paul, [ANN.id], PERIOD, alone))
        .filter(({ shiftId }) => shiftId === first || shiftId === request)
        .map(({ hasAdult }) => hasAdult),
      [true, false],
      'nobody is confirmed where she asked',
    )
  })

  test('are offered shifts of the day that lack people first, except those that they have', async () => {
    const { shifts } = await addEvent([
      { start: PERIOD.start.toISOString(), label: 'midnight' },
      { start: at('10:00'), label: 'full', stats: { missing: 0, max: 1, free: 0 } },
      { start: at('12:00'), label: 'short', stats: { missing: 1 } },
      { start: at('11:00'), label: 'own' },
      { start: PERIOD.end.toISOString(), label: 'next day' },
      { start: new Date(PERIOD.start.getTime() - 1).toISOString(), label: 'before' },
    ])
    await write.updateTable('shift').set({ shortfall: 2 }).where('label', '=', 'midnight').execute()
    await world.addParticipation({ who: ANN, shift: shifts[3]!, state: 1 })
    await world.addParticipation({ who: ANN, shift: shifts[2]!, state: 0 })
    await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1 })
    await addEvent([{ start: at('10:00'), label: 'off' }], { cancelled: true })
    await addEvent([{ start: at('10:00'), label: 'of others' }], { responsible: [VERA] })
    const labels = async (who: Person, context = paul) => (await findOffers(context, who.id, PERIOD)).map(({ label }) => label)
    const offers = await findOffers(paul, ANN.id, PERIOD)
    assert.deepEqual(new Set(offers.map(({ label }) => label)), new Set(['midnight', 'short', 'full']))
    assert.equal(offers.at(-1)?.label, 'full')
    assert.deepEqual(
      offers.filter(({ label }) => label !== 'midnight').map(({ label, state, version }) => [label, state, version]),
      [
        ['short', 0, 1],
        ['full', undefined, null],
      ],
    )
    assert.deepEqual(new Set(await labels(BEN)), new Set(['midnight', 'own', 'short']))
    assert.deepEqual(await labels(ANN, as(ANN)), [])
    const end = Date.parse(at('11:00')) - world.now.getTime()
    assert.equal((await labels(ANN, as(PAUL, [], [], end - 1))).includes('full'), true)
    assert.equal((await labels(ANN, as(PAUL, [], [], end))).includes('full'), false)
    assert.deepEqual(await labels(ANN, as(PAUL, [], [], 90 * DAY_MS)), [])
  })

  describe('an assignment', () => {
    const assign = async () => {
      const { shifts } = await addEvent([{ start: at('10:00') }])
      const outcome = await moveOnBoard(paul as never, { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to: 1 })
      assert.ok(outcome.ok)
      const entry = await write
        .selectFrom('journal')
        .select('id')
        .where('kind', '=', 'participation.moved')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      return { entry: entry.id, participation: outcome.participationId, shift: shifts[0]! }
    }
    const undo = (entry: number, ms = 0, context = as(PAUL, [], [], ms)) => undoAssignment(context as never, entry)
    const isThere = async (id: number) =>
      (await write.selectFrom('participation').select('id').where('id', '=', id).execute()).length === 1

    test('is undone within a time, by the person who made it, once', async () => {
      const { entry, participation } = await assign()
      await assert.rejects(undo(entry, 0, as(OLGA, ['change_event'])), { code: 'not_found' })
      await assert.rejects(undo(entry + 1), { code: 'not_found' })
      assert.equal(await undo(entry, UNDO_SECONDS * 1000 + 1), 'late')
      assert.equal(await isThere(participation), true)
      assert.equal(await undo(entry, UNDO_SECONDS * 1000), 'undone')
      assert.equal(await isThere(participation), false)
      assert.equal(await undo(entry), 'undone', 'a second tap')
    })

    test('stays after somebody changed it, or deleted it', async () => {
      const { entry, participation, shift } = await assign()
      const moved = await moveOnBoard(paul as never, { shiftId: shift, who: { kind: 'local', id: ANN.id }, to: 3 })
      assert.ok(moved.ok)
      assert.equal(await undo(entry), 'changed')
      assert.equal(await isThere(participation), true)
      const second = await assign()
      await write.deleteFrom('participation').where('id', '=', second.participation).execute()
      assert.equal(await undo(second.entry), 'changed')
    })

    test('stays if the planner may not change the event any more', async () => {
      const { entry, participation } = await assign()
      await write.deleteFrom('event_user_grant').where('user_id', '=', PAUL.id).execute()
      await assert.rejects(undo(entry), { code: 'not_found' })
      assert.equal(await isThere(participation), true)
    })
  })
})
