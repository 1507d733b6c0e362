import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { BEN, HELPERS, NORD, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const day = (n: number) => `2031-05-0${n}T08:00:00Z`

describe('ordering of events', async () => {
  const world = await openWorld()
  const ids: Record<string, number> = {}
  const add = async (key: string, title: string, start?: number, end?: number) => {
    const shifts = start === undefined ? [] : [{ start: day(start), end: day(end!) }]
    ids[key] = (await world.addEvent({ title, seenBy: [HELPERS], sharedWith: [NORD], shifts })).id
  }
  await add('a', 'beta', 3, 4)
  await add('b', 'Alpha', 1, 5)
  await add('c', 'alpha', 1, 2)
  await add('d', 'Äpfel', 2, 3)
  await add('e', 'zeta', 2, 3)
  await add('f', 'Zeta', undefined)
  await add('g', '_under', undefined)
  await add('h', 'äpfel', 3, 9)
  const spelled = (found: number[]) => found.map((id) => Object.keys(ids).find((key) => ids[key] === id)).join('')

  const DEFAULT = 'cbdeahfg'
  const CASES: [ordering: string, expected: string][] = [
    ['', DEFAULT],
    ['start_time', 'bcdeahfg'],
    ['-start_time', 'fgahdebc'],
    ['end_time', 'cdeabhfg'],
    ['-end_time', 'fghbadec'],
    // By lower-cased title in byte order: "_" before letters, "ä" behind them; ties by id.
    ['title', 'gbcaefdh'],
    ['-title', 'dhefabcg'],
    ['start_time,end_time', DEFAULT],
    ['start_time,-end_time', 'bcdehafg'],
    ['-start_time,title', 'gfahedbc'],
    ['-start_time,-title', 'fghadebc'],
    ['title,-start_time', 'gbcafehd'],
    [' title , -start_time ', 'gbcafehd'],
    ['title,title', 'gbcaefdh'],
    ['nonsense', DEFAULT],
    ['-nonsense,', DEFAULT],
    ['id', DEFAULT],
    ['-id', DEFAULT],
    ['location', DEFAULT],
    ['TITLE', DEFAULT],
    ['--title', DEFAULT],
    ['nonsense,title', 'gbcaefdh'],
    ['title;drop table event', DEFAULT],
    ['signup_stats,-title', 'dhefabcg'],
    [',,', DEFAULT],
    ['\u0000', DEFAULT],
  ]
  for (const [who, person] of [
    ['Olga', OLGA],
    ['Ben', BEN],
  ] as const)
    for (const [ordering, expected] of CASES)
      test(`${JSON.stringify(ordering)} returns ${expected} for ${who}`, async () => {
        const caller = world.as(person, 'PUBLIC_READ')
        assert.equal(spelled(await caller.ids('/api/events/', ordering === '' ? {} : { ordering })), expected)
        // The order is the same with one record per page.
        const paged: number[] = []
        for (let offset = 0; offset < 8; offset++)
          paged.push(...(await caller.ids('/api/events/', { ordering, limit: 1, offset })))
        assert.equal(spelled(paged), expected)
      })
  test('the last value of a repeated parameter applies', async () => {
    const olga = world.as(OLGA, 'PUBLIC_READ')
    assert.equal(spelled(await olga.ids('/api/events/', { ordering: ['title', '-end_time'] })), 'fghbadec')
    assert.equal(spelled(await olga.ids('/api/events/', { ordering: ['title', ''] })), DEFAULT)
  })
  test('partners get events ordered by start; the parameter is ignored', async () => {
    for (const query of ['', 'ordering=-title', 'ordering=x&search=alpha'])
      assert.equal(
        spelled(await world.partner(NORD).ids('/api/federation/events/', query))
          .slice(0, 6)
          .split('')
          .sort()
          .join(''),
        'abcdeh',
      )
    const starts = (await world.partner(NORD).get('/api/federation/events/')).body.results.map(
      (event: { start_time: string | null }) => event.start_time,
    )
    assert.deepEqual(starts, [...starts.filter(Boolean).sort(), null, null])
  })
})

describe('ordering of shifts', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  const first = await world.addEvent({
    title: 'Run',
    seenBy: [HELPERS],
    shifts: [
      { label: 'b', meeting: day(1), start: day(3), end: day(4), flow: 'manual', structure: 'uniform', configuration: { a: 2 } },
      { label: 'a', meeting: day(1), start: day(2), end: day(5), flow: 'coupled', structure: 'complex', configuration: { a: 1 } },
    ],
  })
  const second = await world.addEvent({
    title: 'Fair',
    seenBy: [HELPERS],
    shifts: [
      {
        label: '',
        meeting: day(1),
        start: day(1),
        end: day(6),
        flow: 'manual',
        structure: 'named_teams',
        flowConfiguration: { a: 1 },
      },
    ],
  })
  const [p, q, r] = [first.shifts[0]!, first.shifts[1]!, second.shifts[0]!]
  const DEFAULT = [r, q, p]
  const CASES: [ordering: string, expected: number[]][] = [
    ['', DEFAULT],
    ['id', [p, q, r]],
    ['-id', [r, q, p]],
    ['label', [r, q, p]],
    ['-label', [p, q, r]],
    ['event_id', [p, q, r]],
    ['-event_id', [r, p, q]],
    ['event__title', [r, p, q]],
    ['-event__title', [p, q, r]],
    ['meeting_time', [p, q, r]],
    ['start_time', [r, q, p]],
    ['-start_time', [p, q, r]],
    ['end_time', [p, q, r]],
    ['-end_time', [r, q, p]],
    ['signup_flow_slug', [q, p, r]],
    ['-signup_flow_slug', [p, r, q]],
    ['structure_slug', [q, r, p]],
    ['structure_configuration', [r, q, p]],
    ['signup_flow_configuration', [p, q, r]],
    ['signup_flow_slug,-id', [q, r, p]],
    ['event_title', DEFAULT],
    ['event', DEFAULT],
    ['signup_stats', DEFAULT],
    ['title', DEFAULT],
    ['event__title__x', DEFAULT],
    ['event__description', DEFAULT],
  ]
  for (const [ordering, expected] of CASES)
    test(`${JSON.stringify(ordering)}, by offset and by cursor`, async () => {
      assert.deepEqual(await olga.ids('/api/shifts/', { ordering }), expected)
      const walked: number[] = []
      for (let next: string | null = `/api/shifts/?limit=1&cursor=&ordering=${ordering}`; next; ) {
        const { body } = await olga.get(next)
        walked.push(...body.results.map(({ id }: { id: number }) => id))
        next = body.next?.slice('https://a.example'.length)
      }
      assert.deepEqual(walked, expected)
    })

  test('other lists are ordered by id; the parameter is ignored', async () => {
    for (const shift of [r, p, q]) await world.addParticipation({ who: OLGA, shift })
    for (const path of [
      '/api/participations/',
      '/api/participations-userinfo/',
      '/api/users/me/participations/',
      `/api/users/${OLGA.id}/participations/`,
      '/api/users/',
      '/api/buildingblocks/',
    ]) {
      const found = await olga.ids(path, 'ordering=-id')
      assert.deepEqual(
        found,
        [...found].sort((a, b) => a - b),
        path,
      )
    }
  })
})
