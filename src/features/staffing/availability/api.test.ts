import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const PATH = '/api/users/me/availability/'

describe('own availability by the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const morning = { kind: 'cannot', weekday: 1, from: '08:00', until: '12:00' }
  const evening = { kind: 'can', weekday: 5, from: '18:00', until: '24:00' }
  const holidays = { kind: 'cannot', first: '2031-07-01', last: '2031-07-14' }
  const ids = async () => (await world.db.read.selectFrom('weekly_time').select('id').orderBy('id').execute()).map(({ id }) => id)

  test('a list replaces what was said, and keeps what is in both', async () => {
    assert.deepEqual((await ann.get(PATH)).body, { weekly: [], days: [] })
    const first = await ann.patch(PATH, { weekly: [morning, morning], days: [holidays] }, '*')
    assert.deepEqual([first.status, first.body], [200, { weekly: [morning], days: [holidays] }])
    assert.deepEqual((await ann.get(PATH)).body, first.body)
    const [kept] = await ids()
    const second = await ann.patch(PATH, { weekly: [evening, morning] }, first.headers.etag!)
    assert.deepEqual(second.body, { weekly: [morning, evening], days: [holidays] })
    assert.equal((await ids())[0], kept)
    const third = await ann.patch(PATH, { weekly: [evening], days: [] }, second.headers.etag!)
    assert.deepEqual(third.body, { weekly: [evening], days: [] })
    assert.equal((await ann.patch(PATH, { weekly: [] }, second.headers.etag!)).status, 412)
    assert.deepEqual((await world.as(BEN, 'ME_READ').get(PATH)).body, { weekly: [], days: [] })
  })

  test('mistakes are listed with their place, and nothing is written', async () => {
    const before = (await ann.get(PATH)).body
    const wrong = await ann.patch(
      PATH,
      {
        weekly: [morning, { ...morning, until: '08:00' }],
        days: [
          { kind: 'can', first: '2031-07-02', last: '2031-07-01' },
          { kind: 'can', first: '2031-04-01', last: '2031-04-02' },
        ],
      },
      '*',
    )
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
      ['/weekly/1/until order', '/days/0/last order', '/days/1/last past'],
    )
    assert.deepEqual((await ann.get(PATH)).body, before)
    assert.equal((await ann.patch(PATH, { weekly: [{ ...morning, from: '8 am' }] }, '*')).status, 400)
    const early = await ann.patch(PATH, { days: [{ kind: 'can', first: '1899-12-31', last: '2031-07-01' }] }, '*')
    assert.deepEqual(early.body.errors, [
      { pointer: '/days/0/first', code: 'custom', detail: 'Invalid date: the years 1900 to 2199 are possible' },
    ])
  })
})
