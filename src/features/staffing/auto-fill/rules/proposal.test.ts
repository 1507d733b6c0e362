import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reason, ReasonCode, Warning } from '#features/staffing/staffing/rules/model.ts'
import { describeWork, type Limit } from '#features/staffing/working-time-limits/rules.ts'
import type { FillShift } from './problem.ts'
import { type Candidate, type Chance, type Obstacle, type OpenPlace, obstacleOf, propose } from './proposal.ts'

const ZONE = 'Europe/Berlin'
const HOUR_MS = 3_600_000
/** Hours from midnight of a Monday in Berlin. */
const at = (hour: number): Date => new Date(Date.parse('2030-01-07T00:00:00+01:00') + hour * HOUR_MS)
const shift = (id: number, from: number, until: number): FillShift => ({ id, start: at(from), end: at(until) })
/** `2a`: a place of shift 2. */
const place = (id: string, facts: Partial<OpenPlace> = {}): OpenPlace => ({
  id,
  shiftId: Number.parseInt(id, 10),
  count: 1,
  isRequired: true,
  label: { kind: 'shift' },
  place: null,
  needs: [],
  ...facts,
})
const chance = (facts: Partial<Chance> = {}): Chance => ({
  obstacle: undefined,
  qualifiedFor: [],
  isRequested: false,
  wished: undefined,
  hasOtherWish: false,
  isAvailable: false,
  warnings: [],
  ...facts,
})
/** A person who can take these places. */
function person(id: number, places: string[], facts: Partial<Candidate> = {}, about: Partial<Chance> = {}): Candidate {
  const byShift = Map.groupBy(places, (one) => Number.parseInt(one, 10))
  return {
    id,
    loadCost: 0,
    limits: [],
    minorOn: new Set(),
    engagements: [],
    chances: new Map([...byShift].map(([shiftId, qualifiedFor]) => [shiftId, chance({ qualifiedFor, ...about })])),
    ...facts,
  }
}
const blocking = (kind: Limit['kind'], value: number, blocks = true): Limit => ({ kind, value, blocks })
const MORNING = shift(1, 8, 14)

describe('what a place is worth', () => {
  const late: Warning = { code: 'qualification_expires' }
  const CASES: [
    what: string,
    total: number,
    candidate: Partial<Candidate>,
    about: Partial<Chance>,
    place?: Partial<OpenPlace>,
  ][] = [
    ['a required place', 1000, {}, {}],
    ['a place that need not be filled', 300, {}, {}, { isRequired: false }],
    ['a person who did a lot', 960, { loadCost: 40 }, {}],
    ['a person who requested the shift', 1150, {}, { isRequested: true }],
    ['a person who wished for the place', 1030, {}, { wished: '1a' }],
    ['a person who wished for another open place', 980, {}, { wished: '1b' }],
    ['a person who wished for something else', 980, {}, { hasOtherWish: true }],
    ['a person with this and another wish', 1030, {}, { wished: '1a', hasOtherWish: true }],
    ['a person whom the time suits', 1040, {}, { isAvailable: true }],
    ['a person with two warnings', 880, {}, { warnings: [late, { code: 'not_available' }] }],
    [
      'all of it',
      1000 - 40 + 150 - 20 + 40 - 60,
      { loadCost: 40 },
      { isRequested: true, wished: '1b', isAvailable: true, warnings: [late] },
    ],
  ]
  for (const [what, total, facts, about, open] of CASES)
    test(what, () => {
      const found = propose({
        shifts: [MORNING],
        places: [place('1a', open)],
        candidates: [person(1, ['1a'], facts, about)],
        timeZone: ZONE,
      })
      assert.equal(found.total, total)
      assert.equal(found.bound, total)
      assert.ok(found.isOptimal)
    })

  test('each further shift of a person costs more', () => {
    const shifts = [1, 2, 3].map((id) => shift(id, id * 24, id * 24 + 4))
    for (const [count, total] of [
      [1, 1000],
      [2, 2000 - 20],
      [3, 3000 - 20 - 40],
    ] as const) {
      const places = shifts.slice(0, count).map(({ id }) => place(`${id}a`))
      const candidates = [
        person(
          1,
          places.map(({ id }) => id),
        ),
      ]
      assert.equal(propose({ shifts, places, candidates, timeZone: ZONE }).total, total)
    }
  })

  describe('rest', () => {
    const day = [shift(1, 8, 14), shift(2, 14, 20)]
    const both = day.map(({ id }) => place(`${id}a`))
    const chosen = (candidates: Candidate[]) =>
      propose({ shifts: day, places: both, candidates, timeZone: ZONE }).places.map(({ choices }) => choices[0]?.candidate.id)
    const ann = person(1, ['1a', '2a'])

    test('is left to people if others are free, even if these did more', () => {
      const busier = person(2, ['1a', '2a'], { loadCost: 75 })
      assert.deepEqual(chosen([ann, busier]).toSorted(), [1, 2])
    })

    test('is less important than a filled place', () => assert.deepEqual(chosen([ann]), [1, 1]))

    for (const [hours, from, until, total] of [
      ['ten hours after', 24, 30, 940],
      ['eleven hours after', 25, 31, 1000],
      ['ten hours before', -10, -2, 940],
      ['eleven hours before', -10, -3, 1000],
      ['an hour before, which makes eight hours,', 5, 7, 1000],
      ['an hour before, which makes more than eight hours,', 4.9, 7, 940],
    ] as const)
      test(`counts between the shift and a confirmed one ${hours} it`, () => {
        const engaged = { engagements: [describeWork({ start: at(from), end: at(until) }, ZONE)] }
        const candidates = [person(1, ['1a'], engaged)]
        assert.equal(propose({ shifts: [MORNING], places: [place('1a')], candidates, timeZone: ZONE }).total, total)
      })
  })

  test('people with an obstacle are not proposed', () => {
    const candidates = [person(1, ['1a'], {}, { obstacle: 'declined' })]
    assert.deepEqual(propose({ shifts: [MORNING], places: [place('1a')], candidates, timeZone: ZONE }).places[0]!.choices, [])
  })
})

describe('shifts that one person takes together', () => {
  const minorOnFirst = new Set([1])
  const CASES: [what: string, second: [from: number, until: number], facts: Partial<Candidate>, taken: number[]][] = [
    ['one after the other', [14, 20], {}, [1, 2]],
    ['at the same time', [13, 20], {}, [1]],
    ['at the same time, with limits', [13, 20], { limits: [blocking('hours_per_week', 40)] }, [1]],
    ['with enough rest', [25, 30], { limits: [blocking('rest_hours', 11)] }, [1, 2]],
    ['with too little rest', [24, 30], { limits: [blocking('rest_hours', 11)] }, [1]],
    ['with too little rest, which is a warning', [24, 30], { limits: [blocking('rest_hours', 11, false)] }, [1, 2]],
    ['within the hours of a week', [32, 38], { limits: [blocking('hours_per_week', 12)] }, [1, 2]],
    ['beyond the hours of a week', [32, 38], { limits: [blocking('hours_per_week', 11)] }, [1]],
    [
      'beyond the hours of a week with those of another shift',
      [32, 38],
      { limits: [blocking('hours_per_week', 12)], engagements: [describeWork(shift(9, 56, 57), ZONE)] },
      [1],
    ],
    [
      'too near to another shift',
      [32, 38],
      { limits: [blocking('rest_hours', 11)], engagements: [describeWork(shift(9, 0, 2), ZONE)] },
      [2],
    ],
    ['as a minor on the first, too long', [32, 38], { limits: [blocking('minor_hours_per_day', 5)], minorOn: minorOnFirst }, [2]],
    [
      'as a minor on the first, short enough',
      [32, 38],
      { limits: [blocking('minor_hours_per_day', 6)], minorOn: minorOnFirst },
      [1, 2],
    ],
    ['as an adult', [32, 38], { limits: [blocking('minor_hours_per_day', 5)] }, [1, 2]],
    ['as a minor who needs an adult', [32, 38], { limits: [blocking('minor_accompanied', 1)], minorOn: new Set([1, 2]) }, [1, 2]],
  ]
  for (const [what, [from, until], facts, taken] of CASES)
    test(what, () => {
      const shifts = [MORNING, shift(2, from, until)]
      // The first shift is worth more, so that it is kept if the person can take one.
      const candidate = person(1, ['1a', '2a'], facts)
      const chances = new Map(candidate.chances).set(1, chance({ qualifiedFor: ['1a'], isAvailable: true }))
      const places = [place('1a'), place('2a')]
      const found = propose({ shifts, places, candidates: [{ ...candidate, chances }], timeZone: ZONE })
      assert.deepEqual(
        found.places.filter(({ choices }) => choices.length > 0).map(({ place: { shiftId } }) => shiftId),
        taken,
      )
      assert.ok(found.bound >= found.total)
    })

  /** Sixteen places are too many to try all assignments, so the bound is that of the relaxed problem. */
  const MORNINGS_AND_EVENINGS = Array.from({ length: 16 }, (_, index) => {
    const start = 24 * Math.floor(index / 2) + (index % 2 === 0 ? 6 : 14)
    return shift(index + 1, start, start + 1)
  })
  const ONE_AFTER_ANOTHER = Array.from({ length: 16 }, (_, index) => shift(index + 1, index, index + 1))
  const ALL_PLACES = MORNINGS_AND_EVENINGS.map(({ id }) => place(`${id}a`))
  const everywhere = (id: number, ...limits: Limit[]) =>
    person(
      id,
      ALL_PLACES.map((one) => one.id),
      { limits },
    )
  const fillAll = (candidates: Candidate[], shifts = MORNINGS_AND_EVENINGS) =>
    propose({ shifts, places: ALL_PLACES, candidates, timeZone: ZONE })
  const worthOf = (count: number) => 1000 * count - (20 * count * (count - 1)) / 2
  const rest = blocking('rest_hours', 11)
  const week = blocking('hours_per_week', 50)
  const BOUNDS: [what: string, bound: number, candidates: Candidate[], shifts?: FillShift[]][] = [
    ['without limits', worthOf(16), [everywhere(1)]],
    ['without limits, one after another', worthOf(16), [everywhere(1)], ONE_AFTER_ANOTHER],
    ['with the rest of all people', worthOf(8), [everywhere(1, rest)]],
    ['with rest beside another limit', worthOf(8), [everywhere(1, week, rest)]],
    ['with another limit, which is not rest', worthOf(16), [everywhere(1, week)]],
    [
      'with the rest of one of two people, which does not bind the other',
      1000 + worthOf(15),
      [person(1, ['1a'], { limits: [rest] }), everywhere(2)],
    ],
  ]
  for (const [what, bound, candidates, shifts] of BOUNDS)
    test(`are bounded ${what}`, () => {
      const found = fillAll(candidates, shifts)
      assert.equal(found.bound, bound)
      assert.equal(found.total, bound)
    })
})

describe('the explanation', () => {
  const explain = (candidates: Candidate[], places = [place('1a')], shifts = [MORNING]) =>
    propose({ shifts, places, candidates, timeZone: ZONE }).places

  test('names the chance of the person who is chosen, and whether nobody else can', () => {
    const only = person(1, ['1a'], {}, { isRequested: true })
    const [alone] = explain([only])
    assert.equal(alone!.choices[0]!.candidate, only)
    assert.equal(alone!.choices[0]!.chance, only.chances.get(1))
    assert.equal(alone!.choices[0]!.isOnly, true)
    assert.deepEqual(alone!.choices[0]!.alternatives, [])
    assert.equal(explain([only, person(2, ['1a'])])[0]!.choices[0]!.isOnly, false)
  })

  test('lists five others, those with the lowest cost first, then by number', () => {
    const loads = [50, 10, 30, 30, 5, 0, 70, 80]
    const [filled] = explain(loads.map((loadCost, index) => person(index + 1, ['1a'], { loadCost })).reverse())
    assert.equal(filled!.choices[0]!.candidate.id, 6)
    assert.deepEqual(
      filled!.choices[0]!.alternatives.map(({ candidate }) => candidate.id),
      [5, 2, 3, 4, 1],
    )
  })

  test('leaves out people on another place of the shift, and marks those who are needed at that time', () => {
    const shifts = [MORNING, shift(2, 10, 12), shift(3, 15, 16)]
    const places = [place('1a'), place('1b'), place('2a'), place('3a')]
    const candidates = [
      person(1, ['1a'], {}, { isRequested: true }),
      person(2, ['1a', '1b']),
      person(3, ['1a', '2a'], { loadCost: 1 }),
      person(4, ['1a', '3a'], { loadCost: 2 }),
    ]
    const [filled] = explain(candidates, places, shifts)
    assert.equal(filled!.choices[0]!.candidate.id, 1)
    assert.deepEqual(
      filled!.choices[0]!.alternatives.map(({ candidate, isUsed }) => [candidate.id, isUsed]),
      [
        [3, true],
        [4, false],
      ],
    )
  })

  test('counts for each gap why nobody is left', () => {
    const shifts = [MORNING, shift(2, 10, 12)]
    const places = [place('1a', { count: 3 }), place('2a')]
    const against = (id: number, obstacle: Obstacle) => person(id, ['1a'], {}, { obstacle })
    const candidates = [
      person(1, ['1a']),
      person(2, ['1a', '2a']),
      person(3, ['2a']),
      person(4, ['1x']),
      against(5, 'declined'),
      against(6, 'declined'),
      against(7, 'busy'),
    ]
    const [first, second] = explain(candidates, places, shifts)
    assert.deepEqual(first!.gap, { count: 1, obstacles: { not_qualified: 1, declined: 2, busy: 1 }, used: 2 })
    assert.equal(second!.gap, undefined)
  })

  test('has no gap for places that are full or need not be filled', () => {
    assert.equal(explain([person(1, ['1a'])])[0]!.gap, undefined)
    assert.equal(explain([], [place('1a', { isRequired: false })])[0]!.gap, undefined)
    assert.deepEqual(explain([])[0]!.gap, { count: 1, obstacles: {}, used: 0 })
  })
})

test('the first reason that keeps a person from being proposed is the obstacle', () => {
  const CASES: [codes: ReasonCode[], obstacle: Obstacle | undefined][] = [
    [[], undefined],
    [['closed', 'not_open_yet', 'full', 'no_self_service', 'partial_conflict', 'wish_needed'], undefined],
    [['type_not_qualified'], 'not_qualified'],
    [['not_qualified'], 'not_qualified'],
    [['too_young'], 'too_young'],
    [['age_unknown'], 'too_young'],
    [['conflict'], 'busy'],
    [['limit_rest'], 'limit'],
    [['limit_week'], 'limit'],
    [['closed', 'conflict', 'not_qualified'], 'busy'],
    [['not_qualified', 'conflict'], 'not_qualified'],
  ]
  for (const [codes, obstacle] of CASES)
    assert.equal(obstacleOf(codes.map((code) => ({ code }) as Reason)), obstacle, codes.join())
})
