import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupForMatching, mayTake } from './match-groups.ts'
import type { Inclusions, MatchPerson, MatchPosition } from './model.ts'

const person = (id: number, ...skills: number[]): MatchPerson => ({ id, state: 'confirmed', skills: new Set(skills) })
const position = (id: string, more: Partial<MatchPosition> = {}): MatchPosition => ({
  id,
  rank: 0,
  required: true,
  needs: [new Set()],
  designatedFor: new Set(),
  designationOnly: false,
  real: true,
  ...more,
})
const needing = (...sets: number[][]) => ({ needs: sets.map((ids) => new Set(ids)) })
const NOBODY: readonly MatchPerson[] = []

describe('groups of positions', () => {
  const people = [person(1), person(2)]
  const countGroups = (...positions: Partial<MatchPosition>[]) =>
    groupForMatching(
      people,
      positions.map((more, n) => position(`p${n}`, more)),
      undefined,
    ).positions.length

  const SAME: [what: string, a: Partial<MatchPosition>, b: Partial<MatchPosition>][] = [
    ['the order of qualifications', needing([2, 10]), needing([10, 2])],
    ['the order of alternatives', needing([1], [2]), needing([2], [1])],
    ['an alternative that comes twice', needing([1]), needing([1], [1])],
    ['people who are not there', { designatedFor: new Set([9]) }, { preferredBy: new Set([8]) }],
    ['rank and number of places', { rank: 1, places: 2 }, { rank: 2 }],
  ]
  for (const [what, a, b] of SAME) test(`do not depend on ${what}`, () => assert.equal(countGroups(a, b), 1))

  const DIFFERENT: [what: string, a: Partial<MatchPosition>, b: Partial<MatchPosition>][] = [
    ['need', needing([1]), needing([2])],
    ['need: all or any', needing([1, 2]), needing([1], [2])],
    ['need: 1 and 2, or 12', needing([1, 2]), needing([12])],
    ['required', {}, { required: false }],
    ['real', {}, { real: false }],
    ['for assigned people only', {}, { designationOnly: true }],
    ['assigned or wished for', { designatedFor: new Set([1]) }, { preferredBy: new Set([1]) }],
    ['assigned to another person', { designatedFor: new Set([1]) }, { designatedFor: new Set([2]) }],
  ]
  for (const [what, a, b] of DIFFERENT) test(`differ: ${what}`, () => assert.equal(countGroups(a, b), 2))

  test('have as many places as there are people at most, and never fewer than none', () => {
    const placesOf = (...places: (number | undefined)[]) =>
      groupForMatching(
        people,
        places.map((each, n) => position(`p${n}`, each === undefined ? {} : { places: each })),
        undefined,
      ).positions[0]!.places
    assert.deepEqual(
      [placesOf(undefined), placesOf(undefined, undefined), placesOf(1e12), placesOf(-5), placesOf(-5, 1), placesOf(0)],
      [1, 2, 2, 0, 1, 0],
    )
  })
})

describe('groups of people', () => {
  const sizes = (people: readonly MatchPerson[], ...positions: MatchPosition[]) =>
    groupForMatching(people, positions, undefined).people.map(({ members }) => members.map(({ id }) => id))

  test('hold the same qualifications, as far as a position needs them', () => {
    const people = [person(1, 5, 10), person(2, 10, 5), person(3, 5, 10, 99), person(4, 5)]
    assert.deepEqual(sizes(people, position('a', needing([5, 10])), position('b', needing([5]))), [[1, 2, 3], [4]])
    assert.deepEqual(sizes(people, position('a')), [[1, 2, 3, 4]])
  })

  test('have the same state', () => {
    assert.deepEqual(sizes([person(1), { ...person(2), state: 'requested' }], position('a')), [[1], [2]])
  })

  test('are assigned to the same positions, wish for the same, and are qualified for the same of them', () => {
    const assigned = position('a', { ...needing([5]), designatedFor: new Set([1, 2, 3]) })
    assert.deepEqual(sizes([person(1, 5), person(2), person(3, 5), person(4, 5)], assigned), [[1, 3], [2], [4]])
    const either = position('a', { ...needing([5], [6]), designatedFor: new Set([1, 2]) })
    assert.deepEqual(sizes([person(1, 5), person(2)], either), [[1], [2]])
    const wished = position('a', { preferredBy: new Set([1]) })
    assert.deepEqual(sizes([person(1), person(2)], wished, position('b')), [[1], [2]])
  })

  test('have only wishes that they may take', () => {
    const wishesOf = (more: Partial<MatchPosition>) =>
      groupForMatching([person(1)], [position('a', { preferredBy: new Set([1]), ...more })], undefined).people[0]!.wishes.length
    assert.deepEqual([wishesOf({}), wishesOf({ designationOnly: true }), wishesOf(needing([5]))], [1, 0, 0])
  })
})

describe('who may take a position', () => {
  const CASES: [what: string, skills: number[], more: Partial<MatchPosition>, other: Partial<MatchPosition>, may: boolean][] = [
    ['a qualified person', [5], needing([5]), {}, true],
    ['a person with one of the alternatives', [6], needing([5], [6]), {}, true],
    ['a person with a part of the qualifications', [5], needing([5, 6]), {}, false],
    ['a person who is not assigned to a position for assigned people', [], { designationOnly: true }, {}, false],
    ['the same if another position with this need is open', [], { designationOnly: true }, { required: false }, false],
    ['an assigned person without the qualification', [], { ...needing([5]), designatedFor: new Set([1]) }, {}, true],
    ['a person who is assigned elsewhere', [5], needing([5]), { designatedFor: new Set([1]) }, false],
  ]
  for (const [what, skills, more, other, may] of CASES)
    test(`${what}: ${may ? 'yes' : 'no'}`, () => {
      const { groupOfPerson, groupOfPosition } = groupForMatching(
        [person(1, ...skills)],
        [position('a', more), position('b', other)],
        undefined,
      )
      assert.equal(mayTake(groupOfPerson.get(1)!, groupOfPosition.get('a')!), may)
    })
})

describe('ranks', () => {
  /** 3 includes 2 includes 1; 8 includes 9; 18 includes 19. */
  const inclusions: Inclusions = new Map([
    [1, new Set([1])],
    [2, new Set([1, 2])],
    [3, new Set([1, 2, 3])],
    [8, new Set([8, 9])],
    [9, new Set([9])],
    [18, new Set([18, 19])],
    [19, new Set([19])],
  ])
  const all = [position('none'), ...[1, 2, 3, 8, 9, 18, 19].map((id) => position(`needs ${id}`, needing([id])))]

  test('of positions are ordered by level, then by the number of qualifications; equal levels share a rank', () => {
    const positions = [
      ...all,
      position('easier of two', needing([3], [1])),
      position('unknown', needing([77])),
      position('for nobody', { needs: [] }),
    ]
    const { groupOfPosition } = groupForMatching(NOBODY, positions, inclusions)
    const ranks = Object.fromEntries([...groupOfPosition].map(([id, { rank }]) => [id, rank]))
    assert.deepEqual(ranks, {
      none: 0,
      'for nobody': 0,
      'needs 1': 1,
      'needs 9': 2,
      'needs 19': 2,
      'needs 2': 3,
      unknown: 4,
      'needs 8': 5,
      'needs 18': 5,
      'needs 3': 6,
      'easier of two': 1,
    })
  })

  test('of people are in the same order, by what positions need', () => {
    const people = [person(1), person(2, 1), person(3, 1, 2, 3), person(4, 8, 9), person(5, 1, 77)]
    const { groupOfPerson, groupOfPosition } = groupForMatching(people, all, inclusions)
    const rankOf = (id: number) => groupOfPerson.get(id)!.rank
    assert.deepEqual([rankOf(1), rankOf(2), rankOf(5)], [0, groupOfPosition.get('needs 1')!.rank, rankOf(2)])
    assert.equal(rankOf(3), groupOfPosition.get('needs 3')!.rank)
    assert.equal(rankOf(4), groupOfPosition.get('needs 8')!.rank)
  })

  test('are all 0 without inclusions', () => {
    const { people, positions } = groupForMatching([person(1), person(2, 1, 2, 3)], all, undefined)
    assert.deepEqual(new Set([...people, ...positions].map(({ rank }) => rank)), new Set([0]))
  })
})
