import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HELPERS, PAUL } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { LEAD_DAYS } from '../rules/pickup.ts'
import { learnPastShifts } from './learn.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('what past shifts teach', async () => {
  const world = await openWorld()
  const { write } = world.db
  const START = new Date(NOW.getTime() - 3 * DAY_MS)
  const before = (days: number, ms = 0) => new Date(START.getTime() - days * DAY_MS + ms)
  type Wish = {
    start?: Date
    hours?: number
    min?: number | null
    event?: { draft?: boolean; cancelled?: boolean; deleted?: boolean }
  }
  async function addShift({ start = START, hours = 2, min = 4, event = {} }: Wish = {}): Promise<number> {
    const end = new Date(start.getTime() + hours * HOUR_MS).toISOString()
    const shift = { start: start.toISOString(), end, stats: { min } }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], ...event, shifts: [shift] })
    return shifts[0]!
  }
  type Place = { state?: 0 | 1 | 2 | 3 | 4; joined: Date; entries?: Date[] }
  let nth = 0
  async function addPlace(shift: number, { state = 1, joined, entries = [] }: Place): Promise<void> {
    const id = await world.addParticipation({ who: { placeholder: `Person ${++nth}` }, shift, state })
    await write.updateTable('participation').set({ created_at: joined }).where('id', '=', id).execute()
    for (const at of entries)
      await write
        .insertInto('journal')
        .values({ at, kind: 'participation.moved', actor_kind: 'system', subject_kind: 'participation', subject_id: id })
        .execute()
  }
  const learn = () => learnPastShifts(write, NOW)
  const learned = (shift: number) => write.selectFrom('shift_pickup').selectAll().where('shift_id', '=', shift).executeTakeFirst()
  /** By the days before the start. */
  async function takenOf(shift: number): Promise<Record<number, number> | undefined> {
    await learn()
    const { taken } = (await learned(shift))!
    return taken ? Object.fromEntries(LEAD_DAYS.map((days, index) => [days, taken[index]!])) : undefined
  }

  test('is stored once, with type, start, needed and confirmed people', async () => {
    const shift = await addShift()
    await addPlace(shift, { joined: before(5) })
    await addPlace(shift, { joined: before(5) })
    await addPlace(shift, { joined: before(5), state: 0 })
    assert.equal(await learn(), 1)
    const { taken, ...row } = (await learned(shift))!
    assert.deepEqual(row, { shift_id: shift, type_id: 1, start_time: START, needed: 4, final: 2 })
    assert.equal(taken!.length, LEAD_DAYS.length)
    assert.equal(await learn(), 0)
  })

  test('are the places that were taken at each time, requests included', async () => {
    const shift = await addShift()
    await addPlace(shift, { joined: before(28) })
    await addPlace(shift, { joined: before(7) })
    await addPlace(shift, { joined: before(7, 1) })
    await addPlace(shift, { joined: before(2), state: 0 })
    const taken = (await takenOf(shift))!
    assert.deepEqual([taken[42], taken[28], taken[10], taken[7], taken[6], taken[2], taken[0]], [0, 1, 1, 2, 3, 4, 4])
  })

  test('are places until their people declined or were rejected', async () => {
    const shift = await addShift()
    await addPlace(shift, { joined: before(28), state: 2, entries: [before(10)] })
    await addPlace(shift, { joined: before(28), state: 3, entries: [before(5)] })
    await addPlace(shift, { joined: before(28), entries: [before(5)] })
    await addPlace(shift, { joined: before(28), state: 4 })
    // It is not known since when.
    await addPlace(shift, { joined: before(28), state: 2 })
    const taken = (await takenOf(shift))!
    assert.deepEqual([taken[42], taken[28], taken[14], taken[10], taken[6], taken[5], taken[0]], [0, 3, 3, 2, 2, 1, 1])
  })

  test('begin and end by the log, if it knows an earlier time', async () => {
    const shift = await addShift()
    await addPlace(shift, { joined: NOW, entries: [before(10), before(14), before(3)] })
    await addPlace(shift, { joined: NOW, state: 2, entries: [before(10), before(4)] })
    await addPlace(shift, { joined: before(10), entries: [before(5)] })
    const taken = (await takenOf(shift))!
    assert.deepEqual([taken[21], taken[14], taken[10], taken[5], taken[4], taken[0]], [0, 1, 3, 3, 2, 2])
  })

  test('have no figures if it is not known of most people when they signed up', async () => {
    const [half, less, nobody] = [await addShift(), await addShift(), await addShift()]
    for (const shift of [half, less]) {
      await addPlace(shift, { joined: before(1) })
      await addPlace(shift, { joined: NOW })
    }
    await addPlace(less, { joined: new Date(START.getTime() + 1) })
    assert.equal((await takenOf(half))?.[0], 1)
    assert.equal(await takenOf(less), undefined)
    assert.equal((await learned(less))!.final, 3)
    assert.equal((await takenOf(nobody))?.[0], 0)
  })

  test('come from shifts that have ended, within two years, that needed people and were not taken back', async () => {
    const twoYears = new Date(NOW)
    twoYears.setUTCFullYear(NOW.getUTCFullYear() - 2)
    const wishes: [what: string, wish: Wish, isLearned: boolean][] = [
      ['ended just now', { start: new Date(NOW.getTime() - HOUR_MS - 1), hours: 1 }, true],
      ['ends now', { start: new Date(NOW.getTime() - HOUR_MS), hours: 1 }, false],
      ['ended two years ago', { start: new Date(twoYears.getTime() - HOUR_MS), hours: 1 }, true],
      ['ended before', { start: new Date(twoYears.getTime() - HOUR_MS - 1), hours: 1 }, false],
      ['needed nobody', { min: 0 }, false],
      ['has no number', { min: null }, false],
      ['draft', { event: { draft: true } }, false],
      ['cancelled', { event: { cancelled: true } }, false],
      ['deleted', { event: { deleted: true } }, false],
    ]
    const ids: number[] = []
    for (const [, wish] of wishes) ids.push(await addShift(wish))
    await learn()
    const found = await Promise.all(ids.map(async (id) => (await learned(id)) !== undefined))
    assert.deepEqual(
      wishes.map(([what], index) => [what, found[index]]),
      wishes.map(([what, , isLearned]) => [what, isLearned]),
    )
  })

  test('are stored for more shifts than are read at once', async () => {
    const { id: event } = await world.addEvent({ seenBy: [HELPERS], shifts: [] })
    const end = new Date(START.getTime() + HOUR_MS)
    const row = { event_id: event, meeting_time: START, start_time: START, end_time: end, min_count: 1 }
    const rows = Array.from({ length: 401 }, () => ({ ...row, signup_flow_slug: 'no_selfservice', structure_slug: 'uniform' }))
    await write.insertInto('shift').values(rows).execute()
    assert.equal(await learn(), 401)
  })
})
