import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('shifts that need people, by the API', async () => {
  const world = await openWorld()
  const type = await world.addType({ title: 'Fair' })
  const at = (day: number, hour = 8) => new Date(world.now.getTime() + (day * 24 + hour) * 3_600_000).toISOString()
  const add = async (title: string, day: number, more: object = {}) => {
    const shift = { start: at(day), end: at(day, 12), flow: 'instant_confirmation' }
    const { id, shifts } = await world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], ...more, shifts: [shift] })
    await world.db.write.updateTable('shift').set({ missing: 2, shortfall: 0 }).where('id', '=', shifts[0]!).execute()
    return { id, shift: shifts[0]! }
  }
  const soon = await add('Soon', 2, { type })
  const later = await add('Later', 9)
  await add('In a month', 30)
  await add('Of others', 3, { responsible: [OLGA] })
  const read = async (who: Person, query = '') =>
    (await world.as(who, 'PUBLIC_READ').get(`/api/shortages/${query}`)).body as {
      has_more: boolean
      shortages: Record<string, unknown>[]
    }
  const titles = async (who: Person, query = '') => (await read(who, query)).shortages.map(({ event_title }) => event_title)

  test('are those of the next two weeks that the caller plans', async () => {
    const { has_more, shortages } = await read(PAUL)
    const [first] = shortages
    assert.deepEqual(
      [has_more, shortages.map(({ shift }) => shift), first!.event, first!.missing, first!.signs_up],
      [false, [soon.shift, later.shift], soon.id, 2, true],
    )
    assert.equal(Date.parse(String(first!.start_time)), Date.parse(at(2)))
    assert.equal(Date.parse(String(first!.closes_at)), Date.parse(at(2, 12)))
    assert.deepEqual(await titles(ANN), [])
    assert.ok((await titles(OLGA)).includes('Of others'))
  })

  test('have the forecast of those that have one', async () => {
    const figures = { usual_percent: 80, low: 5, middle: 6, high: 7, stays_short: true, compared_with: 9 }
    const row = { shift_id: later.shift, ...figures, made_at: world.now }
    await world.db.write.insertInto('shift_forecast').values(row).execute()
    assert.deepEqual(
      (await read(PAUL)).shortages.map(({ forecast }) => forecast),
      [null, { will_stay_short: true, usual_percent: 80, low: 5, middle: 6, high: 7, compared_with: 9 }],
    )
  })

  test('are filtered by time, bounds included, and by type', async () => {
    assert.deepEqual(await titles(PAUL, `?start_time_after=${at(9)}&start_time_before=${at(30)}`), ['Later', 'In a month'])
    assert.deepEqual(await titles(PAUL, `?start_time_before=${at(2)}`), ['Soon'])
    assert.deepEqual(await titles(PAUL, `?type=${type}`), ['Soon'])
    assert.equal(await world.as(PAUL, 'PUBLIC_READ').status('/api/shortages/?type=99999'), 400)
  })
})
