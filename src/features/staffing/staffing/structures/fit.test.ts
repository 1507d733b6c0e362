import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildingBlock } from '../rules/units.ts'
import { getStructure, STRUCTURES } from './registry.ts'
import type { Applicant, StructureInput, StructurePerson } from './structure.ts'

const MEDIC = 1
const DRIVER = 2
const inclusions = new Map([
  [MEDIC, new Set([MEDIC])],
  [DRIVER, new Set([DRIVER])],
])
const block = (id: number, needs: number[][]): BuildingBlock => ({
  id,
  uuid: `block ${id}`,
  name: `Block ${id}`,
  blockType: 'atomic',
  allowMore: false,
  compositions: [],
  requirements: [],
  positions: needs.map((qualificationIds, index) => ({ id: 10 * id + index, label: '', optional: false, qualificationIds })),
})
const blocks = new Map([
  [1, block(1, [[MEDIC], []])],
  [2, block(2, [[DRIVER]])],
])

const CONFIGURATIONS: Record<string, object> = {
  uniform: { maximum_number_of_participants: 2, required_qualification_ids: [MEDIC] },
  named_teams: {
    teams: [
      { uuid: 'm', title: 'Medics', qualification: MEDIC, min_count: 0, max_count: 1 },
      { uuid: 'd', title: 'Drivers', qualification: DRIVER, min_count: 1, max_count: 1 },
    ],
  },
  qualification_mix: {
    qualification_requirements: [
      { qualification: MEDIC, min_count: 1, max_count: 1 },
      { qualification: DRIVER, min_count: 1, max_count: 1 },
    ],
  },
  complex: { starting_blocks: [{ uuid: 'a', building_block: 2 }] },
}

const someone = (id: number, skills: number[], data: object = {}): StructurePerson => ({
  participationId: id,
  state: 1,
  skills: new Set(skills),
  structureData: data,
})
const applicant = (skills: number[], rest: Partial<Applicant> = {}): Applicant => ({
  participationId: undefined,
  state: undefined,
  skills: new Set(skills),
  structureData: {},
  ...rest,
})
const input = (...people: StructurePerson[]): StructureInput => ({ people, blocks, qualifications: inclusions })
function fit(slug: string, people: StructurePerson[], who: Applicant, instant: boolean, configuration = CONFIGURATIONS[slug]) {
  return getStructure(slug)!.fit(configuration, input(...people), who, { instant })
}
const codes = (...args: Parameters<typeof fit>) => fit(...args)?.reasons.map(({ code }) => code)

/** People who take every place of the configuration above, skills that fit, and skills that do not. */
const FULL: Record<string, { taken: StructurePerson[]; fits: number[]; unfit: number[] }> = {
  uniform: { taken: [someone(1, [MEDIC]), someone(2, [MEDIC])], fits: [MEDIC], unfit: [DRIVER] },
  named_teams: {
    taken: [someone(1, [MEDIC], { dispatched_team_uuid: 'm' }), someone(2, [DRIVER], { preferred_team_uuid: 'd' })],
    fits: [DRIVER],
    unfit: [],
  },
  qualification_mix: { taken: [someone(1, [MEDIC]), someone(2, [DRIVER])], fits: [DRIVER], unfit: [] },
  complex: { taken: [someone(1, [DRIVER])], fits: [DRIVER], unfit: [MEDIC] },
}

describe('who fits', () => {
  for (const { slug } of STRUCTURES) {
    const { taken, fits, unfit } = FULL[slug]!
    test(`${slug}: a qualified person fits while there is a free place`, () => {
      assert.deepEqual(codes(slug, [], applicant(fits), true), [])
    })
    test(`${slug}: full and not qualified are different reasons`, () => {
      assert.deepEqual(codes(slug, taken, applicant(fits), true), ['full'])
      assert.deepEqual(codes(slug, [], applicant(unfit), true), ['not_qualified'])
    })
    test(`${slug}: requests are not limited by places, and still need the qualification`, () => {
      assert.deepEqual(codes(slug, taken, applicant(fits), false), [])
      assert.deepEqual(codes(slug, taken, applicant(unfit), false), ['not_qualified'])
    })
    test(`${slug}: the own participation does not take a place`, () => {
      const own = taken.at(-1)!
      const who = applicant([...own.skills], { participationId: own.participationId, state: 1, structureData: own.structureData })
      assert.deepEqual(codes(slug, taken, who, true), [])
    })
    test(`${slug}: returns the minimum age, and undefined for an invalid configuration`, () => {
      assert.equal(fit(slug, [], applicant(fits), true, { ...CONFIGURATIONS[slug], minimum_age: 16 })?.minimumAge, 16)
      assert.equal(fit(slug, [], applicant(fits), true, { minimum_age: 'old', teams: 0, starting_blocks: 0 }), undefined)
    })
  }

  test('qualification_mix: a confirmed person can change the place to make room', () => {
    const both = someone(1, [MEDIC, DRIVER])
    assert.deepEqual(codes('qualification_mix', [both], applicant([MEDIC]), true), [])
    assert.deepEqual(codes('qualification_mix', [both], applicant([DRIVER]), true), [])
    assert.deepEqual(codes('qualification_mix', [both, someone(2, [MEDIC])], applicant([MEDIC]), true), ['full'])
  })
})

describe('named teams at sign-up', () => {
  const stored = CONFIGURATIONS.named_teams
  const place = (
    people: StructurePerson[],
    who: Applicant,
    wish: string | undefined,
    instant = true,
    configuration: unknown = stored,
  ) => {
    const placed = getStructure('named_teams')!.place(configuration, input(...people), who, { instant, wish })
    return placed.ok ? placed.structureData : placed.reason.code
  }
  const both = applicant([MEDIC, DRIVER])

  test('offer teams with a free place that the person is qualified for, and name the others', () => {
    const taken = [someone(1, [MEDIC], { dispatched_team_uuid: 'm' })]
    const { options, full, unqualified } = fit('named_teams', taken, both, true)!.wish!
    assert.deepEqual([options, full, unqualified], [[{ value: 'd', title: 'Drivers' }], ['Medics'], []])
    assert.deepEqual(fit('named_teams', taken, applicant([MEDIC]), false)!.wish!.unqualified, ['Drivers'])
  })

  test('always offer the person’s own team', () => {
    const own = someone(1, [], { dispatched_team_uuid: 'm' })
    const who = applicant([], { participationId: 1, state: 1, structureData: own.structureData })
    assert.deepEqual(fit('named_teams', [own], who, true)!.wish!.options, [{ value: 'm', title: 'Medics' }])
  })

  test('accept a wish for an offered team only', () => {
    assert.deepEqual(place([], both, 'm'), { preferred_team_uuid: 'm' })
    assert.equal(place([someone(1, [], { dispatched_team_uuid: 'm' })], both, 'm'), 'wish_not_offered')
    assert.equal(place([], applicant([MEDIC]), 'd'), 'wish_not_offered')
    assert.equal(place([], both, 'x'), 'wish_not_offered')
  })

  test('assign a team without a wish, first below the minimum, so that maximums hold', () => {
    assert.deepEqual(place([], both, ''), { dispatched_team_uuid: 'd' })
    assert.deepEqual(place([someone(1, [], { preferred_team_uuid: 'd' })], both, undefined), { dispatched_team_uuid: 'm' })
    assert.deepEqual(place([], both, '', false), {}, 'with a request stage the responsible chooses the team')
  })

  test('require a wish if it is mandatory, unless there is only one option', () => {
    const must = { ...stored, choose_preferred_team: true }
    assert.equal(place([], both, '', true, must), 'wish_needed')
    assert.equal(place([], both, undefined, false, must), 'wish_needed')
    assert.deepEqual(place([], applicant([MEDIC]), undefined, true, must), { preferred_team_uuid: 'm' })
  })

  test('count a person in one team only when they change their wish', () => {
    const who = applicant([MEDIC, DRIVER], {
      participationId: 1,
      state: 1,
      structureData: { dispatched_team_uuid: 'd', other: 1 },
    })
    const people = [someone(1, [MEDIC, DRIVER], { dispatched_team_uuid: 'd' })]
    assert.deepEqual(place(people, who, 'm'), { preferred_team_uuid: 'm', other: 1 })
    assert.deepEqual(place(people, who, 'd'), { dispatched_team_uuid: 'd', other: 1 })
  })
})

test('complex offers the units that the person is qualified for', () => {
  const configuration = {
    choose_preferred_unit: true,
    starting_blocks: [
      { uuid: 'a', building_block: 1, label: 'North' },
      { uuid: 'b', building_block: 1 },
      { uuid: 'c', building_block: 2 },
    ],
  }
  const { wish } = fit('complex', [], applicant([]), true, configuration)!
  assert.deepEqual(
    [wish?.isRequired, wish?.options, wish?.unqualified],
    [
      true,
      [
        { value: 'root.a.', title: 'Block 1 #1 (North)' },
        { value: 'root.b.', title: 'Block 1 #2' },
      ],
      ['Block 2'],
    ],
  )
})

test('complex reads paths of units with and without the last dot, and writes them with it', () => {
  const configuration = {
    choose_preferred_unit: true,
    starting_blocks: [
      { uuid: 'a', building_block: 1 },
      { uuid: 'b', building_block: 1 },
    ],
  }
  const structure = getStructure('complex')!
  const nobody = { people: [], blocks, qualifications: inclusions }
  for (const dot of ['', '.']) {
    const structureData = { preferred_unit_path: `root.a${dot}`, dispatched_unit_path: `root.b${dot}` }
    const who = { ...applicant([]), structureData }
    const expected = { preferred_unit_path: 'root.a.', dispatched_unit_path: 'root.b.' }
    assert.equal(structure.fit(configuration, nobody, who, { instant: false })!.wish!.current, 'root.a.')
    for (const wish of [undefined, 'root.a.'])
      assert.deepEqual(structure.place(configuration, nobody, who, { instant: false, wish }), {
        ok: true,
        structureData: expected,
      })
    const dispatch = (place: string | undefined) => structure.dispatch(configuration, who, { place, isConfirming: true })
    assert.deepEqual(dispatch(undefined), { ok: true, structureData: expected })
    assert.deepEqual(dispatch(`root.a${dot}`), {
      ok: true,
      structureData: { preferred_unit_path: 'root.a.', dispatched_unit_path: 'root.a.' },
    })
  }
})
