import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { LEAD_DAYS } from '../rules/pickup.ts'
import { forecastShortShifts } from './forecast.ts'

const DAY_MS = 24 * 3_600_000

describe('forecasts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const addType = async (title: string) =>
    (await write.insertInto('event_type').values({ title, color: '#112233' }).returning('id').executeTakeFirstOrThrow()).id
  const [patrol, fair, fresh] = [await addType('Patrol'), await addType('Fair'), await addType('New')]
  const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
  type Wish = {
    type?: number
    days?: number
    missing?: number
    shortfall?: number
    min?: number | null
    draft?: boolean
    cancelled?: boolean
  }
  /** Four of eight people have signed up, two of them by a request. */
  async function addShort({
    type = patrol,
    days = 14,
    missing = 6,
    shortfall = 0,
    min = 8,
    ...event
  }: Wish = {}): Promise<number> {
    const shift = { start: later(days).toISOString(), stats: { missing, min } }
    const { shifts } = await world.addEvent({ type, seenBy: [HELPERS], responsible: [PAUL], ...event, shifts: [shift] })
    const states = [1, 1, 0, 0] as const
    for (const [n, state] of states.entries())
      await world.addParticipation({ who: { placeholder: `Person ${n}` }, shift: shifts[0]!, state })
    await write.updateTable('shift').set({ missing, shortfall, min_count: min }).where('id', '=', shifts[0]!).execute()
    return shifts[0]!
  }
  /** Past shifts, one a week, on the day of the week of `weekday` days ago, of which half of the people come in the last days. */
  async function addPast(type: number, count: number, { final = 8, early = 4, ago = 7 } = {}): Promise<void> {
    for (let n = 0; n < count; n++) {
      const start = new Date(NOW.getTime() - (ago + 7 * n) * DAY_MS)
      const { shifts } = await world.addEvent({ type, shifts: [{ start: start.toISOString() }] })
      const taken = LEAD_DAYS.map((days) => (days > 1 ? early : final))
      const row = { shift_id: shifts[0]!, type_id: type, start_time: start, needed: 8, final, taken }
      await write.insertInto('shift_pickup').values(row).execute()
    }
  }
  const forecast = (now = NOW, timeZone = 'Europe/Berlin') => forecastShortShifts(write, { now, timeZone })
  const stored = () => write.selectFrom('shift_forecast').selectAll().orderBy('shift_id').execute()
  const forecastOf = async (shift: number) => (await stored()).find(({ shift_id }) => shift_id === shift)

  await addPast(patrol, 14, { final: 6 })

  test('are stored for shifts that lack people, with what they are based on', async () => {
    const shift = await addShort()
    await forecast()
    assert.deepEqual(await forecastOf(shift), {
      shift_id: shift,
      usual_percent: 50,
      low: 6,
      middle: 6,
      high: 6,
      stays_short: true,
      compared_with: 14,
      made_at: NOW,
    })
  })

  test('are for shifts from a day to six weeks ahead that lack somebody at some time and are in the lists', async () => {
    const wishes: [what: string, wish: Wish, isMade: boolean][] = [
      ['tomorrow', { days: 1 }, true],
      ['today', { days: 0.99 }, false],
      ['in six weeks', { days: 42 }, true],
      ['later', { days: 42.01 }, false],
      ['for a time only', { missing: 0, shortfall: 1 }, true],
      ['nobody is missing', { missing: 0 }, false],
      ['one place is open', { min: 5, missing: 1 }, true],
      ['people enough, too few qualified', { min: 4, missing: 1 }, false],
      ['without a number', { min: null }, false],
      ['a draft', { draft: true }, false],
      ['cancelled', { cancelled: true }, false],
      ['of a type without past shifts', { type: fresh }, false],
    ]
    const ids: number[] = []
    for (const [, wish] of wishes) ids.push(await addShort(wish))
    await forecast()
    const made = new Set((await stored()).map(({ shift_id }) => shift_id))
    assert.deepEqual(
      wishes.map(([what], index) => [what, made.has(ids[index]!)]),
      wishes.map(([what, , isMade]) => [what, isMade]),
    )
  })

  test('are not stored for types of which “as full as now” would have been as good; the errors are', async () => {
    await addPast(fair, 14, { final: 4 })
    const shift = await addShort({ type: fair })
    await forecast()
    assert.equal(await forecastOf(shift), undefined)
    const qualities = await write.selectFrom('forecast_quality').selectAll().orderBy('type_id').execute()
    assert.deepEqual(
      qualities.map(({ type_id, error, plain_error, judged_at }) => [type_id, error, plain_error, judged_at]),
      [
        [patrol, 0, 2, NOW],
        [fair, 0, 0, NOW],
        [fresh, 0, 0, NOW],
      ],
    )
    assert.deepEqual([qualities[0]!.tries > 0, qualities[2]!.tries], [true, 0])
  })

  test('count the day of the week in the zone of the organisation', async () => {
    // 23:30 on Sunday in UTC, Monday in Berlin, also in winter.
    const type = await addType('By weekday')
    const monday = new Date('2031-06-01T23:30:00Z')
    const daysUntil = (monday.getTime() - NOW.getTime()) / DAY_MS
    const ago = 28 - (daysUntil % 7)
    await addPast(type, 10, { final: 8, ago })
    await addPast(type, 10, { final: 5, ago: ago + 1 })
    const shift = await addShort({ type, days: daysUntil })
    await forecast(NOW, 'Europe/Berlin')
    const inBerlin = (await forecastOf(shift))?.compared_with
    await forecast(NOW, 'UTC')
    const inUtc = (await forecastOf(shift))?.compared_with
    assert.deepEqual([inBerlin, inUtc], [10, 20])
  })

  test('are replaced, end with the shortage, and are not written again while they say the same', async () => {
    const [same, full, other] = [await addShort(), await addShort(), await addShort()]
    await forecast()
    await write.updateTable('shift').set({ missing: 0 }).where('id', '=', full).execute()
    for (let n = 0; n < 2; n++) await world.addParticipation({ who: { placeholder: `More ${n}` }, shift: other, state: 1 })
    await write.updateTable('shift').set({ missing: 2 }).where('id', '=', other).execute()
    const soon = new Date(NOW.getTime() + 60_000)
    await forecast(soon)
    assert.deepEqual((await forecastOf(same))?.made_at, NOW)
    assert.equal(await forecastOf(full), undefined)
    const changed = await forecastOf(other)
    assert.deepEqual([changed?.made_at, changed?.middle, changed?.stays_short], [soon, 8, false])
  })

  test('are read by those who may change the event', async () => {
    const { shifts } = await world.addEvent({
      type: patrol,
      seenBy: [HELPERS],
      responsible: [BEN],
      shifts: [{ start: later(9).toISOString(), stats: { missing: 6, min: 8 } }],
    })
    const path = `/api/shifts/${shifts[0]}/forecast/`
    assert.deepEqual((await world.as(BEN, 'CONFIDENTIAL_READ').get(path)).body, { id: shifts[0], forecast: null })
    await forecast()
    const { forecast: read } = (await world.as(BEN, 'CONFIDENTIAL_READ').get(path)).body as { forecast: object }
    assert.deepEqual(read, { will_stay_short: true, usual_percent: 50, low: 2, middle: 2, high: 2, compared_with: 14 })
    assert.equal((await world.as(OLGA, 'CONFIDENTIAL_READ').get(path)).status, 200)
    assert.equal((await world.as(ANN, 'CONFIDENTIAL_READ').get(path)).status, 403)
    assert.equal((await world.as(PAUL, 'CONFIDENTIAL_READ').get(path)).status, 404)
    assert.equal((await world.as(BEN, 'PUBLIC_READ').get(path)).status, 403)
  })
})
