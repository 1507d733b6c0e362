import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OLGA } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const EVENT_FIELDS = ['start_time', 'end_time', 'title']
const SHIFT_FIELDS = [
  ...['id', 'label', 'event_id', 'event__title', 'meeting_time', 'start_time', 'end_time', 'signup_flow_slug'],
  ...['structure_slug', 'signup_flow_configuration', 'structure_configuration'],
]

describe('lists by cursor are the lists by number, in every order', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'PUBLIC_READ')
  for (let n = 0; n < 6; n++) {
    const day = `2031-05-0${1 + (n % 3)}`
    const flow = n % 2 ? 'manual' : 'instant_confirmation'
    const configuration = { maximum_number_of_participants: n % 3 }
    await world.addEvent({
      title: `${'BADCAB'[n]} run`,
      shifts: [
        { label: `L${n % 2}`, start: `${day}T08:00:00Z`, end: `${day}T1${n}:00:00Z`, flow, configuration },
        { label: `K${5 - n}`, start: `${day}T09:00:00Z`, end: `${day}T18:00:00Z` },
      ],
    })
  }
  // An event without times.
  await world.addEvent({ title: 'Alone' })
  const idsOf = (results: { id: number }[]) => results.map(({ id }) => id)

  for (const [path, fields] of [
    ['/api/events/', EVENT_FIELDS],
    ['/api/shifts/', SHIFT_FIELDS],
  ] as const)
    for (const field of fields)
      for (const ordering of [field, `-${field}`])
        test(`${path}?ordering=${ordering}`, async () => {
          const expected = idsOf((await olga.get(path, { query: { ordering, limit: 100 } })).body.results)
          assert.ok(expected.length >= 7)
          const found: number[] = []
          for (let next: string | null = `${path}?ordering=${ordering}&limit=5&cursor=`; next; ) {
            const { status, body } = await olga.get(next)
            assert.equal(status, 200, next)
            found.push(...idsOf(body.results))
            next = body.next?.slice(SITE_URL.length) ?? null
          }
          assert.deepEqual(found, expected)
        })
})
