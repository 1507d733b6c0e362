import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { bruteForce, someInput } from './brute-force.test.ts'
import { type MatchInput, match } from './matching.ts'
import type { MatchPerson, MatchPosition, MatchState } from './model.ts'

const person = (id: number, state: MatchState, ...skills: number[]): MatchPerson => ({ id, state, skills: new Set(skills) })

function position(id: string, rank: number, more: Partial<MatchPosition> = {}): MatchPosition {
  return { id, rank, required: true, needs: [new Set()], designatedFor: new Set(), designationOnly: false, real: true, ...more }
}
const needing = (...skills: number[]) => ({ needs: [new Set(skills)] })
const pairs = (input: MatchInput) => Object.fromEntries(match(input).assignment)

describe('match', () => {
  test('finds the unique best of all possible matchings', () => {
    fc.assert(
      fc.property(someInput, (input) => assert.deepEqual(pairs(input), bruteForce(input))),
      { numRuns: 1500 },
    )
  })

  test('a position has one place unless it says otherwise', () => {
    const people = [person(1, 'confirmed'), person(2, 'confirmed')]
    assert.deepEqual(pairs({ people, positions: [position('a', 0)] }), { 1: 'a' })
    assert.deepEqual(pairs({ people, positions: [position('a', 0, { places: 2 })] }), { 1: 'a', 2: 'a' })
    const previous = new Map(people.map(({ id }) => [id, 'a']))
    assert.deepEqual(pairs({ people, previous, positions: [position('a', 0)] }), { 1: 'a' })
    const equal = [position('a', 0), position('b', 1)]
    assert.deepEqual(pairs({ people, positions: equal }), { 1: 'a', 2: 'b' })
    assert.deepEqual(pairs({ people, previous, positions: equal }), { 1: 'a', 2: 'b' })
  })

  test('does not depend on the order of rows', () => {
    const shuffled = someInput.chain((input) =>
      fc.record({
        input: fc.constant(input),
        people: fc.shuffledSubarray([...input.people], { minLength: input.people.length }),
        positions: fc.shuffledSubarray([...input.positions], { minLength: input.positions.length }),
        previous: fc.shuffledSubarray([...input.previous!], { minLength: input.previous!.size }).map((rows) => new Map(rows)),
      }),
    )
    fc.assert(fc.property(shuffled, ({ input, ...other }) => assert.deepEqual(pairs({ ...input, ...other }), pairs(input))))
  })

  test('repeats its own result when that is the previous one', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const first = match(input).assignment
        assert.deepEqual(match({ ...input, previous: first }).assignment, first)
      }),
    )
  })

  test('gives the same result with and without groups', () => {
    fc.assert(
      fc.property(someInput, ({ inclusions: _none, ...input }) => {
        // Unique skills and needs put each person in a group of their own without changing who may take which position.
        const people = input.people.map((one) => ({ ...one, skills: new Set([...one.skills, 100 + one.id]) }))
        const positions = input.positions.map((one, i) => ({ ...one, needs: [...one.needs, new Set([200 + i])] }))
        const markers = people.map(({ id }) => position(`marker ${id}`, 1000 + id, { ...needing(100 + id), places: 0 }))
        assert.deepEqual(pairs({ ...input, people, positions: [...positions, ...markers] }), pairs(input))
      }),
    )
  })

  test('fills as many positions with confirmed people, independent of requests', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const people = input.people.filter(({ state }) => state === 'confirmed')
        const filled = (assignment: ReadonlyMap<number, string>) =>
          input.positions
            .filter(({ required }) => required)
            .reduce((sum, { id }) => sum + people.filter((who) => assignment.get(who.id) === id).length, 0)
        const alone = match({ ...input, people }).assignment
        const together = match(input).assignment
        assert.equal(filled(together), filled(alone))
        assert.equal(people.filter(({ id }) => together.has(id)).length, alone.size)
      }),
    )
  })

  const ann = person(1, 'confirmed', 1)
  const paul = person(2, 'confirmed')
  const olga = person(3, 'requested', 1)
  const cases: { title: string; input: MatchInput; expected: Record<number, string> }[] = [
    { title: 'no people and no positions', input: { people: [], positions: [] }, expected: {} },
    {
      title: 'lets a designated person in without the qualification',
      input: { people: [paul], positions: [position('a', 0, { ...needing(1), designatedFor: new Set([2]) })] },
      expected: { 2: 'a' },
    },
    {
      title: 'gives a designated person nothing else',
      input: {
        people: [ann, paul],
        positions: [position('a', 0, { places: 2 }), position('b', 1, { designatedFor: new Set([1, 2]) })],
      },
      expected: { 1: 'b' },
    },
    {
      title: 'keeps positions for designated people only',
      input: { people: [ann], positions: [position('a', 0, { designationOnly: true })] },
      expected: {},
    },
    {
      title: 'puts a confirmed person in a required position before an optional one',
      input: { people: [ann], positions: [position('a', 0, { required: false }), position('b', 1)] },
      expected: { 1: 'b' },
    },
    {
      title: 'moves a confirmed person over so that a requester fits',
      input: { people: [ann, person(4, 'requested')], positions: [position('a', 0), position('b', 1, needing(1))] },
      expected: { 1: 'b', 4: 'a' },
    },
    {
      title: 'does not let a requester, even a designated one, displace a confirmed person',
      input: { people: [ann, olga], positions: [position('a', 0, { ...needing(1), designatedFor: new Set([3]) })] },
      expected: { 1: 'a' },
    },
    {
      title: 'prefers real positions to additional ones',
      input: {
        people: [ann],
        positions: [position('more', 0, { required: false, real: false }), position('real', 1, { required: false })],
      },
      expected: { 1: 'real' },
    },
    {
      title: 'places as many requesters as it can, on additional positions too',
      input: {
        people: [olga, person(4, 'requested')],
        positions: [0, 1].map((i) => position(`more ${i}`, i, { required: false, real: false, ...(i ? needing(1) : {}) })),
      },
      expected: { 3: 'more 1', 4: 'more 0' },
    },
    {
      title: 'gives people what they wish for where nothing else is lost',
      input: { people: [paul], positions: [position('a', 0), position('b', 1, { preferredBy: new Set([2]) })] },
      expected: { 2: 'b' },
    },
    {
      title: 'does not let the wish of a requester displace a confirmed person',
      input: { people: [ann, olga], positions: [position('a', 0, { ...needing(1), preferredBy: new Set([3]) })] },
      expected: { 1: 'a' },
    },
    {
      title: 'hears the wish of a confirmed person before that of a requester',
      input: {
        people: [paul, person(1, 'requested')],
        positions: [position('a', 0, { preferredBy: new Set([1, 2]) }), position('b', 1)],
      },
      expected: { 1: 'b', 2: 'a' },
    },
    {
      title: 'does not leave a required position empty for a wish',
      input: { people: [paul], positions: [position('a', 0, { required: false, preferredBy: new Set([2]) }), position('b', 1)] },
      expected: { 2: 'b' },
    },
    {
      title: 'does not spend a rare qualification on a position that anybody can take',
      input: {
        people: [person(1, 'requested', 1), person(2, 'requested')],
        positions: [position('a', 0), position('b', 1, { ...needing(1), places: 0 })],
        inclusions: new Map([[1, new Set([1])]]),
      },
      expected: { 2: 'a' },
    },
    {
      title: 'puts a designated person where they are qualified',
      input: {
        people: [ann, paul],
        positions: [
          position('a', 0, { designatedFor: new Set([1, 2]) }),
          position('b', 1, { ...needing(1), designatedFor: new Set([1, 2]) }),
        ],
      },
      expected: { 1: 'b', 2: 'a' },
    },
    {
      title: 'accepts any one of several needs',
      input: { people: [ann, paul], positions: [position('a', 0, { places: 2, needs: [new Set([1]), new Set([2])] })] },
      expected: { 1: 'a' },
    },
    {
      title: 'stays with the previous person though a lower id could have the place',
      input: { people: [ann, person(4, 'confirmed', 1)], positions: [position('a', 0)], previous: new Map([[4, 'a']]) },
      expected: { 4: 'a' },
    },
    {
      title: 'keeps two previous pairs rather than one of a lower id',
      input: {
        people: [
          [1, 4],
          [2, 4],
          [2, 3],
          [1, 3],
        ].map((skills, i) => person(i + 1, 'confirmed', ...skills)),
        positions: [
          position('a', 0, needing(1)),
          position('b', 1, needing(2)),
          position('c', 2, needing(3)),
          position('d', 3, needing(4)),
        ],
        previous: new Map([
          [1, 'a'],
          [2, 'b'],
          [3, 'c'],
        ]),
      },
      expected: { 1: 'd', 2: 'b', 3: 'c', 4: 'a' },
    },
    {
      title: 'drops a previous pair that is no longer allowed or no longer there',
      input: {
        people: [ann, paul],
        positions: [position('a', 0), position('b', 1, needing(1))],
        previous: new Map([
          [2, 'b'],
          [1, 'gone'],
          [9, 'a'],
        ]),
      },
      expected: { 1: 'b', 2: 'a' },
    },
  ]
  for (const { title, input, expected } of cases) {
    test(title, () => {
      assert.deepEqual(pairs(input), expected)
      assert.deepEqual(bruteForce(input), expected)
    })
  }
})
