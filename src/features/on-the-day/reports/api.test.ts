import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('reports by the API', async () => {
  const world = await openWorld()
  const type = await world.addType({ title: 'Fair' })
  const shift = { start: '2031-03-04T08:00:00Z', end: '2031-03-04T12:00:00Z' }
  const { shifts } = await world.addEvent({ type, seenBy: [HELPERS], responsible: [PAUL], shifts: [shift] })
  await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
  const period = '?first_day=2031-03-01&last_day=2031-03-31'
  const read = async (who: Person, query = period) => (await world.as(who, 'CONFIDENTIAL_READ').get(`/api/reports/${query}`)).body

  test('have the figures of the events that the caller plans, by month and type', async () => {
    const { first_day, last_day, shifts: figures, work, reliability } = await read(PAUL)
    assert.deepEqual([first_day, last_day], ['2031-03-01', '2031-03-31'])
    assert.deepEqual(
      work.map((row: Record<string, unknown>) => [row.month, row.type, row.hours, row.people]).sort(),
      [
        [null, null, 4, 1],
        [null, type, 4, 1],
        ['2031-03-01', null, 4, 1],
        ['2031-03-01', type, 4, 1],
      ].sort(),
    )
    assert.equal(figures.find((row: Record<string, unknown>) => row.month === null && row.type === null).shifts, 1)
    assert.equal(reliability[0].kept, 1)
    assert.deepEqual((await read(BEN)).work, [])
    assert.deepEqual((await read(PAUL, `${period}&type=99999`)).work, [])
  })

  test('list people only whose hours the caller sees', async () => {
    assert.deepEqual((await read(PAUL)).people, [])
  })

  test('refuse what is no day and no id', async () => {
    const paul = world.as(PAUL, 'CONFIDENTIAL_READ')
    const { status, body } = await paul.get('/api/reports/?first_day=today&last_day=2031-02-30&type=0&group=x')
    assert.deepEqual(
      [status, body.errors.map(({ parameter }: { parameter: string }) => parameter)],
      [400, ['first_day', 'last_day', 'type', 'group']],
    )
  })

  for (const [query, expected] of [
    ['first_day=2031-03-02&last_day=2031-03-01', ['last_day end_before_start']],
    ['first_day=2031-03-01&last_day=2031-03-01', ['2031-03-01', '2031-03-01']],
    ['first_day=2031-05-02', ['first_day date_future']],
    ['first_day=2031-05-02&last_day=2031-06-01', ['first_day date_future']],
    ['first_day=2031-05-01&last_day=2031-06-01', ['2031-05-01', '2031-05-01']],
  ] as const)
    test(`${query}: ${expected.join()}`, async () => {
      const { status, body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(`/api/reports/?${query}`)
      const errors = body.errors?.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`)
      assert.deepEqual(status === 200 ? [body.first_day, body.last_day] : errors, [...expected])
    })
})
