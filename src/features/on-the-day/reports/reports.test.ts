import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decline } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('reports', async () => {
  const world = await openWorld()
  const fair = await world.addType({ title: 'Fair; "big"' })
  const shift = (start: string, end: string, min: number) => ({
    start,
    end,
    flow: 'instant_confirmation',
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { minimum_number_of_participants: min },
  })
  const plan = { seenBy: [HELPERS], responsible: [PAUL] }
  const harbour = await world.addEvent({
    ...plan,
    title: 'Harbour',
    shifts: [
      shift('2031-04-10T08:00:00Z', '2031-04-10T12:00:00Z', 2),
      // April in Berlin, but not in UTC.
      shift('2031-03-31T22:30:00Z', '2031-04-01T00:30:00Z', 1),
      shift('2031-05-02T08:00:00Z', '2031-05-02T10:00:00Z', 1),
    ],
  })
  const market = await world.addEvent({
    ...plan,
    title: 'Market',
    type: fair,
    shifts: [shift('2031-05-20T08:00:00Z', '2031-05-20T09:30:00Z', 3)],
  })
  const later = await world.addEvent({
    ...plan,
    title: 'Later',
    shifts: [shift('2031-06-20T08:00:00Z', '2031-06-20T09:00:00Z', 9)],
  })
  const others = await world.addEvent({
    seenBy: [PLANNERS],
    responsible: [OLGA],
    shifts: [shift('2031-05-05T08:00:00Z', '2031-05-05T18:00:00Z', 1)],
  })
  const cancelled = await world.addEvent({
    ...plan,
    cancelled: true,
    shifts: [shift('2031-05-05T08:00:00Z', '2031-05-05T18:00:00Z', 1)],
  })
  const confirm = (who: Person, at: number, more: object = {}) => world.addParticipation({ who, shift: at, state: 1, ...more })
  const [first, night, second] = harbour.shifts as [number, number, number]
  await confirm(ANN, first)
  await confirm(ANN, night)
  await confirm(BEN, second)
  await confirm(ANN, second)
  await confirm(ANN, market.shifts[0]!)
  await confirm(BEN, market.shifts[0]!, { start: '2031-05-20T08:00:00Z', end: '2031-05-20T08:30:00Z' })
  await confirm(PAUL, market.shifts[0]!)
  await confirm(BEN, others.shifts[0]!)
  await confirm(BEN, cancelled.shifts[0]!)
  // Today is 1 May: one place is cancelled a day before the shift, the other weeks before.
  assert.ok((await decline(contextAs(world, ANN), { shiftId: second })).ok)
  assert.ok((await decline(contextAs(world, PAUL), { shiftId: market.shifts[0]! })).ok)
  for (const { shifts } of [harbour, market, later, others]) await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
  world.now = new Date('2031-06-10T10:00:00Z')

  const csv = async (who: Person, table: string, query = ''): Promise<string[]> => {
    const path = `/planning/reports/export/?table=${table}${query}`
    const { status, text } = await world.withSession(who).get(path, { unchecked: true })
    assert.equal(status, 200)
    return text.replace('\ufeff', '').trimEnd().split('\r\n')
  }
  const rowsOf = (lines: string[], ...months: string[]) => lines.filter((line) => months.some((month) => line.startsWith(month)))

  test('count needed places by the month in which a shift starts in the zone of the instance', async () => {
    const lines = await csv(PAUL, 'coverage')
    assert.equal(lines[0], 'Month,Shifts,Needed,Filled,Missing,Shifts with too few people,Filled in percent')
    assert.equal(lines.length, 14)
    assert.deepEqual(rowsOf(lines, 'March 2031', 'April 2031', 'May 2031', 'June 2031', 'Total'), [
      'March 2031,0,0,0,0,0,',
      'April 2031,2,3,2,1,1,66',
      'May 2031,2,4,2,2,1,50',
      'June 2031,0,0,0,0,0,',
      'Total,4,7,4,3,2,57',
    ])
  })

  test('count a shift from its beginning, and hours from the end of the place', async (t) => {
    const { now } = world
    t.after(() => {
      world.now = now
    })
    const may = async (table: string, at: string) => {
      world.now = new Date(at)
      return rowsOf(await csv(PAUL, table), 'May 2031')
    }
    assert.deepEqual(await may('coverage', '2031-05-20T07:59:59.999Z'), ['May 2031,1,1,1,0,0,100'])
    assert.deepEqual(await may('coverage', '2031-05-20T08:00:00Z'), ['May 2031,2,4,2,2,1,50'])
    assert.deepEqual(await may('hours', '2031-05-20T08:29:59.999Z'), ['May 2031,2,2'])
    assert.deepEqual(await may('hours', '2031-05-20T08:30:00Z'), ['May 2031,2,0.5,2.5'])
    assert.deepEqual(await may('hours', '2031-05-20T09:30:00Z'), ['May 2031,2,2,4'])
  })

  test('sum up hours by type, with the times of people', async () => {
    assert.deepEqual(rowsOf(await csv(PAUL, 'hours'), 'Month', 'April', 'May', 'Total'), [
      'Month,Service,"Fair; ""big""",Total',
      'April 2031,6,0,6',
      'May 2031,2,2,4',
      'Total,8,2,10',
    ])
    assert.deepEqual(rowsOf(await csv(PAUL, 'people'), 'April', 'May', 'Total'), [
      'April 2031,1,2,6',
      'May 2031,2,3,4',
      'Total,2,5,10',
    ])
    assert.deepEqual((await csv(PAUL, 'types')).slice(1), [
      '"Fair; ""big""",1,1,2,2,33',
      'Service,1,3,2,8,75',
      'Total,2,4,2,10,57',
    ])
  })

  test('tell who kept and who cancelled a confirmed place, and how late', async () => {
    assert.deepEqual(rowsOf(await csv(PAUL, 'reliability'), 'April', 'May', 'Total'), [
      'April 2031,2,0,0,0,100',
      'May 2031,3,2,1,0,60',
      'Total,5,2,1,0,71',
    ])
  })

  test('name people to those who may see their hours', async () => {
    assert.deepEqual(await csv(PAUL, 'members'), ['Person,Shifts,Hours,Declined,Declined late,No-shows,Took part in percent'])
    assert.deepEqual((await csv(OLGA, 'members')).slice(1), ['Ben,3,12.5,0,0,0,100', 'Ann,3,7.5,1,1,0,75', 'Paul,0,0,1,0,0,0'])
  })

  test('cover what the reader plans, or everything', async () => {
    assert.deepEqual(rowsOf(await csv(OLGA, 'people'), 'May'), ['May 2031,2,4,14'])
    assert.deepEqual(rowsOf(await csv(ANN, 'people'), 'Total'), ['Total,0,0,0'])
    assert.match(
      (await world.withSession(ANN).get('/planning/reports/', { unchecked: true })).text,
      /None of the events that you plan/,
    )
  })

  test('are narrowed to a period, a type and a group', async () => {
    assert.deepEqual((await csv(PAUL, 'people', '&from=2031-05-03&until=2031-05-31')).slice(1), ['May 2031,2,2,2', 'Total,2,2,2'])
    assert.deepEqual(rowsOf(await csv(PAUL, 'people', `&type=${fair}`), 'Total'), ['Total,2,2,2'])
    assert.deepEqual(rowsOf(await csv(OLGA, 'people', `&group=${PLANNERS.id}`), 'Total'), ['Total,1,1,10'])
  })

  for (const [language, title, name] of [
    ['en', 'Reports', 'Needed places'],
    ['de', 'Auswertungen', 'Benötigte Plätze'],
  ] as const)
    test(`show charts with tables, and the same to print (${language})`, async () => {
      await world.db.write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', PAUL.id).execute()
      const reader = world.withSession(PAUL)
      const options = { unchecked: true } as const
      for (const path of ['/planning/reports/?year=2031', '/planning/reports/print/?year=2031']) {
        const { status, text } = await reader.get(path, options)
        assert.equal(status, 200)
        assert.deepEqual(checkMarkup(text), [])
        assert.match(text, new RegExp(`<h2 id="report-coverage">${name}</h2>`))
        assert.equal(text.match(/<svg viewBox[^>]* role="img"/g)?.length, 4)
        assert.equal(text.includes('<details class="report-figures">'), !path.includes('print'))
      }
      assert.match((await reader.get('/planning/', options)).text, new RegExp(`href="/planning/reports/"[^>]*>.*?${title}`, 's'))
    })

  test('count people who were confirmed as no-shows as such, not as workers', async () => {
    const place = { participation_id: await confirm(OLGA, first), no_show: true, is_absent: true }
    await world.db.write.insertInto('attendance').values(place).execute()
    assert.match(rowsOf(await csv(PAUL, 'people'), 'April')[0]!, /^April 2031[;,]1[;,]2[;,]6$/)
    assert.match(rowsOf(await csv(PAUL, 'reliability'), 'April')[0]!, /^April 2031[;,]2[;,]0[;,]0[;,]1[;,]66$/)
    assert.deepEqual(rowsOf(await csv(OLGA, 'members'), 'Olga'), ['Olga,0,0,0,0,1,0'])
  })

  test('an unknown table is not found', async () => {
    assert.equal(
      (await world.withSession(PAUL).get('/planning/reports/export/?table=people;drop', { unchecked: true })).status,
      404,
    )
  })
})
