import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import type { BuildingBlock } from '#features/staffing/staffing/rules/units.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import {
  arrangeSections,
  type BoardCard,
  type BoardSection,
  firstTarget,
  isAboutPerson,
  isQualifiedFor,
  placesOf,
  propose,
  toSubmittedCard,
} from './board.ts'
import { cardKey, readCardKey } from './cards.ts'

const MEDIC = 1
const DRIVER = 2
const qualifications = new Map([MEDIC, DRIVER].map((id) => [id, new Set([id])]))
const SPAN = { start: new Date('2031-05-04T08:00:00Z'), end: new Date('2031-05-04T12:00:00Z') }
const BUSY: Reason = { code: 'conflict', with: { ...SPAN, shiftId: 9, eventId: 8, eventTitle: 'Fair' } }

const card = (id: number, more: Partial<BoardCard> = {}): BoardCard => ({
  key: cardKey({ kind: 'local', id }),
  who: { kind: 'local', id },
  name: `Person ${id}`,
  broughtBy: undefined,
  phone: null,
  id,
  before: { version: 1, to: '1', start: '2031-05-04T08:00', end: '2031-05-04T12:00' },
  to: '1',
  state: STATE.confirmed,
  start: '2031-05-04T08:00',
  end: '2031-05-04T12:00',
  which: { start: '', end: '' },
  span: SPAN,
  hasOwnTimes: false,
  areTimesOutside: false,
  lapse: undefined,
  comment: '',
  isHidden: false,
  isChanged: false,
  comments: [],
  answers: [],
  skills: new Set(),
  held: [],
  expiring: [],
  isMinor: false,
  hints: [],
  warnings: [],
  structureData: {},
  wish: undefined,
  stale: undefined,
  reasons: [],
  advice: undefined,
  ...more,
})
const medic = (id: number, more: Partial<BoardCard> = {}) => card(id, { skills: new Set([MEDIC]), ...more })
const driver = (id: number, more: Partial<BoardCard> = {}) => card(id, { skills: new Set([DRIVER]), ...more })
const requested = { state: STATE.requested }
const inTeam = (uuid: string) => ({ structureData: { dispatched_team_uuid: uuid } })
const wishes = (uuid: string) => ({ structureData: { preferred_team_uuid: uuid } })

const team = (uuid: string, min_count: number, max_count: number | null, qualification: number | null = null) => ({
  uuid,
  title: uuid.toUpperCase(),
  qualification,
  min_count,
  max_count,
})
const teams = (...some: object[]) => ({ slug: 'named_teams', configuration: { teams: some } })
const ambulance: BuildingBlock = {
  id: 1,
  uuid: 'block',
  name: 'Ambulance',
  blockType: 'atomic',
  allowMore: false,
  compositions: [],
  requirements: [],
  positions: [
    { id: 1, label: 'Medic', optional: false, qualificationIds: [MEDIC] },
    { id: 2, label: 'Driver', optional: true, qualificationIds: [DRIVER] },
  ],
}
const UNIT = {
  slug: 'complex',
  configuration: { starting_blocks: [{ uuid: 'a', building_block: 1, label: '', optional: false }] },
}
const MIX = {
  slug: 'qualification_mix',
  configuration: { qualification_requirements: [{ qualification: MEDIC, min_count: 1, max_count: 1 }] },
}

type Plan = { slug: string; configuration: object }
const seatsOf = ({ slug, configuration }: Plan, cards: readonly BoardCard[]) =>
  getStructure(slug)!.seats(configuration, {
    people: cards.map(({ id, state, skills, structureData, lapse }) => ({
      participationId: id,
      state,
      skills,
      structureData,
      lapse,
    })),
    blocks: new Map([[1, ambulance]]),
    qualifications,
  })!
const sectionsOf = (plan: Plan, cards: BoardCard[]) => arrangeSections(cards, seatsOf(plan, cards), qualifications)

describe('confirmed people by place', () => {
  /** `id (required/places): people; gaps`. */
  const print = ({ id, required, places, rows, gaps }: BoardSection) => {
    const people = rows.map((row) => `${row.card.id}${row.position ? ` as ${row.position}` : ''}`).join(', ')
    const lacks = gaps.map(({ count, needs }) => ` lacks ${count} of [${needs}]`).join('')
    return `${id} (${required}/${places ?? 'any'}): ${people}${lacks}`
  }
  const CASES: [what: string, plan: Plan, cards: BoardCard[], expected: string[]][] = [
    [
      'each team has its people and its gaps; requests are not listed',
      teams(team('m', 3, 4, MEDIC), team('t', 1, 2)),
      [medic(1, inTeam('m')), card(2, inTeam('t')), card(3, requested)],
      ['m (3/4): 1 lacks 2 of [1]', 't (1/2): 2'],
    ],
    [
      'every team shows what it lacks itself',
      teams(team('m', 1, 1, MEDIC), team('d', 2, 2, DRIVER)),
      [],
      ['m (1/1):  lacks 1 of [1]', 'd (2/2):  lacks 2 of [2]'],
    ],
    ['a team without a maximum', teams(team('t', 2, null)), [card(1, inTeam('t'))], ['t (2/any): 1 lacks 1 of []']],
    [
      'people beyond the maximum stay in their team, which has as many places as before',
      teams(team('t', 0, 1)),
      [card(1, inTeam('t')), card(2, inTeam('t'))],
      ['t (0/1): 1, 2'],
    ],
    [
      'people who do not count any more are listed below and leave a gap',
      teams(team('m', 1, 1, MEDIC)),
      [medic(1, { ...inTeam('m'), lapse: 'left_group' })],
      ['m (1/1):  lacks 1 of [1]', 'rest (0/0): 1'],
    ],
    [
      'a unit lists people in the order of its positions; an optional position is no gap',
      UNIT,
      [driver(1), medic(2)],
      ['root.a. (1/2): 2 as Medic, 1 as Driver'],
    ],
    ['a unit without a driver', UNIT, [], ['root.a. (1/2):  lacks 1 of [1]']],
    [
      'a mix has one section per requirement',
      {
        slug: 'qualification_mix',
        configuration: {
          qualification_requirements: [
            { qualification: MEDIC, min_count: 1, max_count: 2 },
            { qualification: DRIVER, min_count: 1, max_count: 1 },
          ],
        },
      },
      [medic(1), medic(2)],
      ['0 (1/2): 1, 2', '1 (1/1):  lacks 1 of [2]'],
    ],
    ['people whom no place fits are listed below', MIX, [card(1), medic(2)], ['0 (1/1): 2', 'rest (0/0): 1']],
  ]
  for (const [what, plan, cards, expected] of CASES)
    test(what, () => assert.deepEqual(sectionsOf(plan, cards).map(print), expected))

  test('without places (the plan is invalid) all people are in one section, to which nobody can be moved', () => {
    assert.deepEqual(arrangeSections([card(1), card(2, requested)], [], qualifications), [
      { id: 'rest', label: undefined, place: null, rows: [{ card: card(1), position: null }], gaps: [], required: 0, places: 0 },
    ])
    assert.equal(arrangeSections([], [], qualifications).length, 1)
  })

  test('people can be moved to teams and units, not to a requirement of a mix', () => {
    const places = [teams(team('t', 1, 1)), UNIT, MIX].map((plan) => sectionsOf(plan, [])[0]!.place)
    assert.deepEqual(places, ['t', 'root.a.', null])
    assert.deepEqual(sectionsOf(teams(team('t', 1, 1)), [])[0]!.label, { kind: 'team', title: 'T' })
  })
})

describe('places that people can be moved to', () => {
  test('teams and units as a whole; none in a mix', () => {
    const [unit] = placesOf(seatsOf(UNIT, []))
    assert.equal(unit!.place, 'root.a.')
    assert.equal(unit!.label.kind === 'unit' && unit!.label.position, null)
    assert.deepEqual(placesOf(seatsOf(teams(team('m', 1, 2, MEDIC), team('t', 0, 1)), [])), [
      { place: 'm', label: { kind: 'team', title: 'M' }, needs: [new Set([MEDIC]), new Set([MEDIC])] },
      { place: 't', label: { kind: 'team', title: 'T' }, needs: [new Set()] },
    ])
    assert.deepEqual(placesOf(seatsOf(MIX, [])), [])
  })

  test('places beyond the maximum are only for people who have them', () => {
    const full = [card(1, inTeam('t')), card(2, inTeam('t'))]
    assert.deepEqual(
      placesOf(seatsOf(teams(team('t', 0, 1)), full)).map(({ needs }) => needs.length),
      [1],
    )
  })

  test('a person who fits one position of a unit is qualified for it', () => {
    const [unit] = placesOf(seatsOf(UNIT, []))
    assert.deepEqual(
      [[MEDIC], [DRIVER], []].map((skills) => isQualifiedFor(unit!, new Set(skills))),
      [true, true, false],
    )
  })
})

describe('suggested confirmations', () => {
  const PLAN = teams(team('m', 1, 1, MEDIC), team('t', 0, 2))
  const ask = (plan: Plan, cards: BoardCard[], extent: 'gaps' | 'all') => {
    const { proposals, open } = propose(cards, { seats: seatsOf(plan, cards), inclusions: qualifications, extent })
    return {
      proposals: proposals.map(({ key, place, advice, isSeated }) => {
        assert.equal(advice.code, isSeated ? 'seat' : 'nowhere')
        return `${key}: ${advice.code === 'seat' ? (place ?? 'confirmed') : advice.reason.code}`
      }),
      open: open.map(({ place, count }) => `${place}: ${count}`),
    }
  }
  const CASES: [what: string, plan: Plan, cards: BoardCard[], gaps: string[], all: string[]][] = [
    [
      'requests fill gaps, or all places',
      PLAN,
      [card(1, inTeam('t')), medic(2, requested), card(3, requested)],
      ['local-2: m'],
      ['local-2: m', 'local-3: t'],
    ],
    [
      'only the first requests fit; the others are told why not',
      PLAN,
      [medic(1, inTeam('m')), card(2, inTeam('t')), card(3, requested), medic(4, requested)],
      ['local-4: full'],
      ['local-3: t', 'local-4: full'],
    ],
    [
      'a person who is busy elsewhere gets no place',
      PLAN,
      [medic(1, { ...requested, hints: [BUSY] })],
      ['local-1: conflict'],
      ['local-1: conflict'],
    ],
    ['a person without the qualification', MIX, [card(1, requested)], ['local-1: not_qualified'], ['local-1: not_qualified']],
    [
      'people who declined or were rejected take no place',
      PLAN,
      [medic(1, { state: STATE.declinedByUser }), medic(2, { state: STATE.rejectedByResponsible }), medic(3, requested)],
      ['local-3: m'],
      ['local-3: m'],
    ],
    ['a confirmed person keeps the place', MIX, [medic(1, requested), medic(2)], ['local-1: full'], ['local-1: full']],
    [
      'a confirmed person keeps the place even if busy elsewhere',
      MIX,
      [medic(1, requested), medic(2, { hints: [BUSY] })],
      ['local-1: full'],
      ['local-1: full'],
    ],
    [
      'nobody says why a confirmed person has no place',
      MIX,
      [card(1), medic(2, requested)],
      ['local-2: confirmed'],
      ['local-2: confirmed'],
    ],
    [
      'the place of a person who does not count any more is free',
      MIX,
      [medic(1, { lapse: 'unqualified' }), medic(2, requested)],
      ['local-2: confirmed'],
      ['local-2: confirmed'],
    ],
  ]
  for (const [what, plan, cards, gaps, all] of CASES)
    test(what, () => {
      assert.deepEqual(ask(plan, cards, 'gaps').proposals, gaps)
      assert.deepEqual(ask(plan, cards, 'all').proposals, all)
    })

  test('required places that stay open are listed', () => {
    assert.deepEqual(ask(PLAN, [card(1, requested)], 'all').open, ['m: 1'])
    assert.deepEqual(ask(PLAN, [medic(1, requested)], 'all').open, [])
  })
})

describe('where a person goes who is confirmed', () => {
  const target = (plan: Plan, cards: BoardCard[], skills: number[], { id, isPlaceOptional = false }: Choice = {}) => {
    const seats = seatsOf(plan, cards)
    const sections = sectionsOf(
      plan,
      cards.filter(({ state }) => state === STATE.confirmed),
    )
    return firstTarget({ places: placesOf(seats), sections, seats, isPlaceOptional }, new Set(skills), id)
  }
  type Choice = { id?: number; isPlaceOptional?: boolean }
  const PLAN = teams(team('a', 0, 1), team('b', 1, 2), team('m', 2, 2, MEDIC))
  const CASES: [what: string, plan: Plan, cards: BoardCard[], skills: number[], expected: string, choice?: Choice][] = [
    ['a shift without places', MIX, [], [], '1'],
    ['a plan that chooses the place itself', UNIT, [], [], '1:', { isPlaceOptional: true }],
    ['the wish', PLAN, [card(5, { ...requested, ...wishes('a') })], [], '1:a', { id: 5 }],
    ['the wish of another person does not count', PLAN, [card(5, { ...requested, ...wishes('a') })], [], '1:b', { id: 6 }],
    ['a new person has no wish', PLAN, [card(5, { ...requested, ...wishes('a') })], [], '1:b'],
    ['the team that lacks people', PLAN, [], [], '1:b'],
    ['a team with a gap that the person is qualified for', PLAN, [card(1, inTeam('b'))], [MEDIC], '1:m'],
    ['a team with room, if none lacks people', PLAN, [card(1, inTeam('b')), card(2, inTeam('a'))], [], '1:b'],
    ['the first of two with room', PLAN, [card(1, inTeam('b'))], [], '1:a'],
    [
      'the first team, if all are full',
      teams(team('a', 0, 1), team('b', 0, 1)),
      [card(1, inTeam('a')), card(2, inTeam('b'))],
      [],
      '1:a',
    ],
    [
      'a team without a maximum has room',
      teams(team('a', 0, 1), team('b', 0, null)),
      [card(1, inTeam('a')), card(2, inTeam('b'))],
      [],
      '1:b',
    ],
    [
      'a person who is qualified for none: the team that lacks people',
      teams(team('d', 0, 1, DRIVER), team('m', 1, 1, MEDIC)),
      [],
      [],
      '1:m',
    ],
  ]
  for (const [what, plan, cards, skills, expected, choice] of CASES)
    test(what, () => assert.equal(target(plan, cards, skills, choice), expected))

  test('a place without a section comes last', () => {
    const seats = seatsOf(teams(team('a', 0, 1), team('b', 0, 1)), [])
    const sections = sectionsOf(teams(team('b', 0, 1)), [])
    assert.equal(firstTarget({ places: placesOf(seats), sections, seats, isPlaceOptional: false }, new Set()), '1:b')
  })
})

describe('a card of the board', () => {
  for (const [reason, expected] of [
    [{ code: 'not_qualified', missingAnyOf: [] }, true],
    [{ code: 'age_unknown', minimumAge: 16 }, true],
    [BUSY, true],
    [{ code: 'limit_week', limit: 48, actual: 50 }, true],
    [{ code: 'full' }, false],
    [{ code: 'closed', at: SPAN.end }, false],
  ] satisfies [Reason, boolean][])
    test(`${reason.code} is ${expected ? '' : 'not '}about the person`, () => assert.equal(isAboutPerson(reason), expected))

  test('is submitted as it is shown', () => {
    const shown = card(3, { to: '1:north', comment: 'late', isHidden: true, which: { start: 'later', end: '' } })
    const { key, before, to, start, end, which, comment, isHidden } = shown
    const who = readCardKey(key)
    assert.deepEqual(toSubmittedCard(shown, 7), { shiftId: 7, key, who, before, to, start, end, which, comment, isHidden })
  })
})
