import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

/** Values and their instants in UTC, for an instance in Berlin. */
const ACCEPTED: [value: string, instant: string][] = [
  ['2031-05-04', '2031-05-03T22:00:00Z'],
  ['2031-01-04', '2031-01-03T23:00:00Z'],
  ['2031-05-04T08:00', '2031-05-04T06:00:00Z'],
  ['2031-05-04 08:00', '2031-05-04T06:00:00Z'],
  ['2031-05-04T08:00:30', '2031-05-04T06:00:30Z'],
  ['2031-05-04T08:00:30.5', '2031-05-04T06:00:30.5Z'],
  ['2031-05-04T08:00:30.123456', '2031-05-04T06:00:30.123456Z'],
  ['2031-05-04T08:00:30.123456789', '2031-05-04T06:00:30.123456Z'],
  ['2031-05-04T08:00:30.1234569999999', '2031-05-04T06:00:30.123456Z'],
  ['2031-05-04T08:00Z', '2031-05-04T08:00:00Z'],
  ['2031-05-04T08:00:00Z', '2031-05-04T08:00:00Z'],
  ['2031-05-04 08:00:00Z', '2031-05-04T08:00:00Z'],
  ['2031-05-04T08:00:00+02', '2031-05-04T06:00:00Z'],
  ['2031-05-04T08:00:00+0200', '2031-05-04T06:00:00Z'],
  ['2031-05-04T08:00:00+02:00', '2031-05-04T06:00:00Z'],
  ['2031-05-04T08:00:00-05:30', '2031-05-04T13:30:00Z'],
  ['2031-05-04T08:00+05:45', '2031-05-04T02:15:00Z'],
  ['2031-05-04T08:00:00.25-0300', '2031-05-04T11:00:00.25Z'],
  ['20310504', '2031-05-03T22:00:00Z'],
  ['20310504T0800', '2031-05-04T06:00:00Z'],
  ['20310504T080030', '2031-05-04T06:00:30Z'],
  ['20310504T080000Z', '2031-05-04T08:00:00Z'],
  ['2031-W18-7', '2031-05-03T22:00:00Z'],
  ['2031-W18-7T08:00', '2031-05-04T06:00:00Z'],
  ['2031-W01-1', '2030-12-29T23:00:00Z'],
  ['2032-W53-7', '2033-01-01T23:00:00Z'],
  [' 2031-05-04 ', '2031-05-03T22:00:00Z'],
  ['\t2031-05-04T08:00Z\n', '2031-05-04T08:00:00Z'],
  ['2032-02-29', '2032-02-28T23:00:00Z'],
  // Daylight saving time starts at 02:00 on 30 March and ends at 03:00 on 26 October.
  ['2031-03-30T01:59:59', '2031-03-30T00:59:59Z'],
  ['2031-03-30T03:00:00', '2031-03-30T01:00:00Z'],
  ['2031-10-26T01:59:59', '2031-10-25T23:59:59Z'],
  ['2031-10-26T03:00:00', '2031-10-26T02:00:00Z'],
  ['2031-10-26T02:30:00+02:00', '2031-10-26T00:30:00Z'],
  ['2031-10-26T02:30:00+01:00', '2031-10-26T01:30:00Z'],
]

const REJECTED = [
  '2031-05-04t08:00:00',
  '2031-05-04T08:00:00z',
  '1935878400',
  '1935878400.5',
  '2031-05-04T24:00',
  '2031-05-04T24:00:00',
  '2031-05-04T08:60',
  '2031-05-04T08:00:60',
  '2031-02-29',
  '2031-02-30',
  '2031-13-01',
  '2031-00-10',
  '2031-05-00',
  '0000-01-01',
  '2031-W54-1',
  '2031-W53-1',
  '2031-W00-1',
  '2031-W18-8',
  '04.05.2031',
  '04/05/2031',
  '05/04/2031 08:00',
  'May 4, 2031',
  '2031-05-04T08:00:00 02:00',
  '2031-05-04T08:00:00+2',
  '2031-05-04T08:00:00+25:00',
  '2031-05-04T08:00:00+02:60',
  '2031-05-04T08:00:00.',
  '2031-05-04T',
  '2031-05-04  08:00',
  '2031-5-4',
  '31-05-04',
  '+2031-05-04',
  '-2031-05-04',
  '12031-05-04',
  '2031-05',
  '2031',
  'tomorrow',
  'null',
  '0',
  '२०३१-०५-०४',
  '2031-05-04\u0000',
]

const IMPOSSIBLE: [value: string, printed: string][] = [
  ['2031-03-30T02:30', '2031-03-30 02:30:00'],
  ['2031-03-30T02:00:00', '2031-03-30 02:00:00'],
  ['2031-03-30 02:59:59', '2031-03-30 02:59:59'],
  ['2031-10-26T02:30:00', '2031-10-26 02:30:00'],
  ['2031-10-26T02:00', '2031-10-26 02:00:00'],
  ['20311026T025959', '2031-10-26 02:59:59'],
]

const LISTS = [
  '/api/events/',
  '/api/shifts/',
  '/api/participations/',
  '/api/participations-userinfo/',
  `/api/users/${OLGA.id}/participations/`,
  '/api/users/me/participations/',
  '/api/federation/events/',
]
const NAMES = [
  'start_time_after',
  'start_time_before',
  'end_time_after',
  'end_time_before',
  'start_gte',
  'start_lte',
  'end_gte',
  'end_lte',
]
const OLD_NAMES: Record<string, string> = {
  start_gte: 'start_time_after',
  start_lte: 'start_time_before',
  end_gte: 'end_time_after',
  end_lte: 'end_time_before',
}

/** An event, a shift and a participation at exactly this time: a filter one microsecond off must change the result. */
describe('values of time filters', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  const byInstant = new Map<string, number>()
  for (const instant of new Set(ACCEPTED.map(([, each]) => each))) {
    const { id } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: instant }] })
    byInstant.set(instant, id)
  }
  const all = [...byInstant].sort(([a], [b]) => (instantKey(a) < instantKey(b) ? -1 : 1)).map(([, id]) => id)

  for (const [value, instant] of ACCEPTED)
    test(`${JSON.stringify(value)} is ${instant}, inclusive`, async () => {
      const own = byInstant.get(instant)!
      const at = all.indexOf(own)
      assert.deepEqual(await olga.ids('/api/events/', { start_time_after: value }), all.slice(at))
      assert.deepEqual(await olga.ids('/api/events/', { start_time_before: value }), all.slice(0, at + 1))
      assert.deepEqual(await olga.ids('/api/events/', { start_gte: value, start_lte: value }), [own])
    })
  for (const value of REJECTED)
    test(`refuses ${JSON.stringify(value)}`, async () => {
      const { status, body } = await olga.get('/api/events/', { query: { start_time_after: value } })
      assert.equal(status, 400)
      const expected = { parameter: 'start_time_after', code: 'invalid_time', detail: 'Enter a valid date/time.' }
      assert.deepEqual(body.errors, [expected])
    })
  test('an unescaped plus is read as a space, not as an offset', async () => {
    assert.equal(await olga.status('/api/events/?start_time_after=2031-05-04T08:00:00+02:00'), 400)
    assert.equal(await olga.status('/api/events/?start_time_after=2031-05-04T08:00:00%2B02:00'), 200)
  })
  for (const [value, printed] of IMPOSSIBLE)
    test(`refuses ${value}, which is skipped or repeated in Berlin`, async () => {
      const { status, body } = await olga.get('/api/events/', { query: { end_time_before: value } })
      assert.equal(status, 400)
      const detail = `${printed} couldn’t be interpreted in time zone Europe/Berlin; it may be ambiguous or it may not exist.`
      assert.deepEqual(body.errors, [{ parameter: 'end_time_before', code: 'ambiguous_time', detail }])
    })
  for (const path of LISTS)
    test(`${path} accepts every filter name, and names the filter when it refuses a value`, async () => {
      const caller = path.includes('federation') ? world.partner(NORD) : olga
      for (const name of NAMES) {
        assert.equal(await caller.status(path, { query: { [name]: '2031-05-04' } }), 200)
        const { status, body } = await caller.get(path, { query: { [name]: 'x' } })
        assert.deepEqual([status, body.errors.map(({ parameter }: { parameter: string }) => parameter)], [400, [name]])
      }
      for (const name of [
        'start_time',
        'end_time',
        'start_time_min',
        'start_time_max',
        'end_time_min',
        'start_time_gte',
        'start_after',
      ])
        assert.equal(await caller.status(path, { query: { [name]: 'x' } }), 200)
    })
})

/** Sorts `…30.5Z` after `…30Z`. */
function instantKey(text: string): string {
  return text.replace(/(?:\.(\d+))?Z$/, (_all, fraction: string | undefined) => `.${(fraction ?? '').padEnd(6, '0')}`)
}

describe('time filters', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  const day = (n: number, clock = '08:00:00') => `2031-05-${String(n).padStart(2, '0')}T${clock}Z`
  const seenBy = [HELPERS]
  const one = await world.addEvent({ seenBy, sharedWith: [NORD], shifts: [{ start: day(1), end: day(2) }] })
  const two = await world.addEvent({
    seenBy,
    sharedWith: [NORD],
    shifts: [
      { start: day(3), end: day(4) },
      { start: day(5), end: day(6) },
    ],
  })
  const none = await world.addEvent({ seenBy, sharedWith: [NORD] })
  const plain = await world.addParticipation({ who: OLGA, shift: two.shifts[0]! })
  const shifted = await world.addParticipation({
    who: OLGA,
    shift: two.shifts[1]!,
    start: day(5, '10:00:00'),
    end: day(5, '12:00:00'),
  })

  type Case = [query: Record<string, string>, events: number[], shifts: number[], participations: number[]]
  const [first, second, third] = [one.shifts[0]!, two.shifts[0]!, two.shifts[1]!]
  const CASES: Case[] = [
    [{}, [one.id, two.id, none.id], [first, second, third], [plain, shifted]],
    [{ start_time_after: day(1) }, [one.id, two.id], [first, second, third], [plain, shifted]],
    [{ start_time_after: day(1, '08:00:00.000001') }, [two.id], [second, third], [plain, shifted]],
    [{ start_time_before: day(1) }, [one.id], [first], []],
    [{ start_time_before: day(1, '07:59:59.999999') }, [], [], []],
    [{ end_time_after: day(2) }, [one.id, two.id], [first, second, third], [plain, shifted]],
    [{ end_time_after: day(2, '08:00:00.000001') }, [two.id], [second, third], [plain, shifted]],
    [{ end_time_before: day(4) }, [one.id], [first, second], [plain]],
    [{ end_time_before: day(6) }, [one.id, two.id], [first, second, third], [plain, shifted]],
    // Events use their earliest start and latest end, shifts and participations their own times.
    [{ start_time_after: day(5) }, [], [third], [shifted]],
    [{ start_time_after: day(5, '09:00:00') }, [], [], [shifted]],
    [{ start_time_after: day(5, '10:00:00.000001') }, [], [], []],
    [{ end_time_after: day(5, '12:00:00') }, [two.id], [third], [shifted]],
    [{ end_time_after: day(5, '12:00:00.000001') }, [two.id], [third], []],
    // Both bounds, and an empty range.
    [{ start_time_after: day(1), start_time_before: day(3) }, [one.id, two.id], [first, second], [plain]],
    [{ start_time_after: day(3), start_time_before: day(1) }, [], [], []],
    [{ start_time_after: day(2), end_time_before: day(5) }, [], [second], [plain]],
    // Deprecated names mean the same; all filters must match.
    [{ start_gte: day(3) }, [two.id], [second, third], [plain, shifted]],
    [{ start_lte: day(1) }, [one.id], [first], []],
    [{ end_gte: day(4, '08:00:01') }, [two.id], [third], [shifted]],
    [{ end_lte: day(2) }, [one.id], [first], []],
    [{ start_gte: day(1), start_time_after: day(3) }, [two.id], [second, third], [plain, shifted]],
    [{ start_gte: day(3), start_time_after: day(1) }, [two.id], [second, third], [plain, shifted]],
    [{ start_lte: day(1), start_time_before: day(9) }, [one.id], [first], []],
    [{ end_gte: day(9), end_time_after: day(1) }, [], [], []],
    [{ end_lte: day(4), end_gte: day(4) }, [], [second], [plain]],
    // An empty value is ignored, alone and with other filters.
    [{ start_time_after: '', start_gte: ' ', end_lte: '' }, [one.id, two.id, none.id], [first, second, third], [plain, shifted]],
    [{ start_time_after: '', start_time_before: day(1) }, [one.id], [first], []],
    // Extreme values.
    [{ start_time_after: '0001-01-02' }, [one.id, two.id], [first, second, third], [plain, shifted]],
    [{ start_time_before: '9999-12-30T23:59:59Z' }, [one.id, two.id], [first, second, third], [plain, shifted]],
  ]
  for (const [query, events, shifts, participations] of CASES)
    test(`${new URLSearchParams(query)} finds ${events.length} events, ${shifts.length} shifts, ${participations.length} participations`, async () => {
      assert.deepEqual(await olga.ids('/api/events/', query), events)
      assert.deepEqual(await olga.ids('/api/shifts/', query), shifts)
      for (const path of LISTS.slice(2, 6)) assert.deepEqual(await olga.ids(path, query), participations, path)
      assert.deepEqual(await world.partner(NORD).ids('/api/federation/events/', query), events)
    })

  test('the last value of a repeated parameter applies', async () => {
    assert.deepEqual(await olga.ids('/api/events/', { start_time_after: ['x', day(3)] }), [two.id])
    assert.equal(await olga.status('/api/events/', { query: { start_time_after: [day(3), 'x'] } }), 400)
    assert.deepEqual(await olga.ids('/api/events/', { start_time_after: [day(9), ''] }), [one.id, two.id, none.id])
  })

  for (const [old, name] of Object.entries(OLD_NAMES))
    test(`${old} is answered with deprecation headers`, async () => {
      for (const path of LISTS) {
        const caller = path.includes('federation') ? world.partner(NORD) : olga
        for (const value of [day(1), 'x']) {
          const { headers } = await caller.get(path, { query: { [old]: value } })
          assert.match(headers.deprecation ?? '', /^@\d+$/)
          const since = Number(headers.deprecation!.slice(1)) * 1000
          const sunset = new Date(headers.sunset ?? '')
          assert.equal(sunset.getUTCFullYear() - new Date(since).getUTCFullYear(), 2)
          assert.equal(headers.sunset, sunset.toUTCString())
          assert.match(headers.link ?? '', new RegExp(`^<${SITE_URL}/[^>]*>; rel="deprecation"`))
        }
        const fresh = await caller.get(path, { query: { [name]: day(1), [old]: '' } })
        assert.deepEqual([fresh.headers.deprecation, fresh.headers.sunset], [undefined, undefined])
      }
    })
  test('sends pagination links and the deprecation link', async () => {
    const { headers, body } = await olga.get('/api/shifts/', { query: { start_gte: day(1), limit: 1, offset: 1 } })
    assert.match(headers.link ?? '', /rel="deprecation".*, <[^>]+>; rel="next", <[^>]+>; rel="prev"$/)
    assert.equal(body.next, `${SITE_URL}/api/shifts/?limit=1&offset=2&start_gte=2031-05-01T08%3A00%3A00Z`)
  })
})

describe('time filters of an instance in Kathmandu', async () => {
  const world = await openWorld({ timeZone: 'Asia/Kathmandu' })
  const { id } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: '2031-05-04T00:00:00+05:45' }] })
  const olga = world.as(OLGA, 'PUBLIC_READ')
  test('days begin in its time zone', async () => {
    assert.deepEqual(await olga.ids('/api/events/', { start_time_after: '2031-05-04', start_time_before: '2031-05-04' }), [id])
    assert.deepEqual(await olga.ids('/api/events/', { start_time_after: '2031-05-03T18:15:00Z' }), [id])
    assert.deepEqual(await olga.ids('/api/events/', { start_time_after: '2031-05-03T18:15:01Z' }), [])
  })
  test('has no daylight saving time', async () => {
    assert.equal(await olga.status('/api/events/?start_time_after=2031-03-30T02:30'), 200)
  })
})
