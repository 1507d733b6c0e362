import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type MatchInput, type MatchPerson, type MatchPosition, type MatchState, match } from './matching.ts'
import { compareSkillLevels, covers, type Inclusions, skillLevel } from './skills.ts'

const person = (id: number, state: MatchState, ...skills: number[]): MatchPerson => ({ id, state, skills: new Set(skills) })

function position(id: string, rank: number, more: Partial<MatchPosition> = {}): MatchPosition {
  return { id, rank, required: true, needs: [new Set()], designatedFor: new Set(), designationOnly: false, real: true, ...more }
}
const needing = (...skills: number[]) => ({ needs: [new Set(skills)] })
const pairs = (input: MatchInput) => Object.fromEntries(match(input).assignment)

/** The rules in words, pair by pair, tried on every matching there is. */
function bruteForce({ people, positions, previous = new Map(), inclusions }: MatchInput) {
  const byId = [...people].sort((a, b) => a.id - b.id)
  const byRank = [...positions].sort((a, b) => a.rank - b.rank)
  const allowed = (who: MatchPerson, where: MatchPosition) => {
    if (where.designatedFor.has(who.id)) return true
    if (where.designationOnly || positions.some((other) => other.designatedFor.has(who.id))) return false
    return where.needs.some((needed) => covers(who.skills, needed))
  }
  const keepers = new Map<number, string>()
  for (const who of byId) {
    const where = positions.find(({ id }) => id === previous.get(who.id))
    if (!where || !allowed(who, where)) continue
    if ([...keepers.values()].filter((id) => id === where.id).length < (where.places ?? 1)) keepers.set(who.id, where.id)
  }
  let best: { score: number[]; taken: (MatchPosition | undefined)[] } | undefined
  const taken: (MatchPosition | undefined)[] = []
  const visit = () => {
    const who = byId[taken.length]
    if (!who) {
      const score = scoreOf(byId, byRank, taken, keepers, inclusions)
      if (!best || compare(score, best.score) > 0) best = { score, taken: [...taken] }
      return
    }
    for (const where of [undefined, ...byRank]) {
      if (where && (!allowed(who, where) || taken.filter((one) => one === where).length >= (where.places ?? 1))) continue
      taken.push(where)
      visit()
      taken.pop()
    }
  }
  visit()
  return Object.fromEntries(byId.flatMap((who, i) => (best!.taken[i] ? [[who.id, best!.taken[i].id]] : [])))
}

function scoreOf(
  byId: MatchPerson[],
  byRank: MatchPosition[],
  taken: (MatchPosition | undefined)[],
  keepers: ReadonlyMap<number, string>,
  inclusions: Inclusions | undefined,
): number[] {
  const all = byId.flatMap((who, i) => (taken[i] ? [{ who, where: taken[i] }] : []))
  const confirmed = all.filter(({ who }) => who.state === 'confirmed')
  const requested = all.filter(({ who }) => who.state === 'requested')
  const designated = (list: typeof all) => list.filter(({ who, where }) => where.designatedFor.has(who.id)).length
  const required = (list: typeof all) => list.filter(({ where }) => where.required).length
  const real = (list: typeof all) => list.filter(({ where }) => where.real).length
  const wished = (list: typeof all) =>
    list.filter(({ who, where }) => where.preferredBy?.has(who.id) && !byRank.some((one) => one.designatedFor.has(who.id))).length
  const apt = all.filter(({ who, where }) => where.needs.some((needed) => covers(who.skills, needed))).length
  const keeps = byId.map((who, i) => (taken[i] && keepers.get(who.id) === taken[i].id ? 1 : 0))
  return [
    designated(confirmed),
    confirmed.length,
    required(confirmed),
    designated(requested),
    required(requested),
    requested.length,
    wished(confirmed),
    wished(all),
    real(confirmed),
    real(all),
    apt,
    inclusions ? economy(byId, byRank, all, inclusions) : 0,
    keeps.filter((kept) => kept).length,
    ...keeps,
    ...taken.map((where) => (where ? -byRank.indexOf(where) : -byRank.length)),
  ]
}

/** How far the positions come up to the people who take them, by the place of each in one order of skill levels. */
function economy(
  byId: MatchPerson[],
  byRank: MatchPosition[],
  all: { who: MatchPerson; where: MatchPosition }[],
  inclusions: Inclusions,
): number {
  const asked = new Set(byRank.flatMap(({ needs }) => needs.flatMap((needed) => [...needed])))
  type Level = ReturnType<typeof skillLevel>
  const inOrder = (a: Level, b: Level) => compareSkillLevels(a, b) || a.below - b.below
  const nothing = { below: 0, related: 0 }
  const ofPerson = ({ skills }: MatchPerson) =>
    skillLevel(
      [...skills].filter((id) => asked.has(id)),
      inclusions,
    )
  const ofPosition = ({ needs }: MatchPosition) =>
    needs.map((needed) => skillLevel(needed, inclusions)).sort(inOrder)[0] ?? nothing
  const levels = [
    nothing,
    ...byId.map(ofPerson),
    ...byRank.flatMap(({ needs }) => needs.map((needed) => skillLevel(needed, inclusions))),
  ]
  const placeOf = (level: Level) =>
    new Set(levels.filter((one) => inOrder(one, level) < 0).map((one) => `${one.below / (one.related || 1)} ${one.below}`)).size
  return all.reduce((sum, { who, where }) => sum + placeOf(ofPosition(where)) - placeOf(ofPerson(who)), 0)
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, i) => value !== b[i])
  return at === -1 ? 0 : a[at]! - b[at]!
}

const someSkills = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }).map((ids) => new Set(ids))
function inclusionsOf(pairs: readonly string[]): Inclusions {
  const [has12, has13, has23] = ['1>2', '1>3', '2>3'].map((pair) => pairs.includes(pair))
  return new Map([
    [1, new Set([1, ...(has12 ? [2] : []), ...(has13 || (has12 && has23) ? [3] : [])])],
    [2, new Set([2, ...(has23 ? [3] : [])])],
    [3, new Set([3])],
  ])
}
const someInput: fc.Arbitrary<MatchInput> = fc
  .record({
    people: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 20 }),
        state: fc.constantFrom<MatchState>('confirmed', 'requested'),
        skills: someSkills,
      }),
      { maxLength: 5, selector: ({ id }) => id },
    ),
    drafts: fc.array(
      fc.record({
        places: fc.constantFrom(1, 1, 1, 0, 2),
        required: fc.boolean(),
        needs: fc.oneof(
          fc.constant([new Set<number>()]),
          someSkills.map((skills) => [skills]),
          fc.tuple(someSkills, someSkills),
        ),
        designated: fc.oneof({ weight: 3, arbitrary: fc.constant<number[]>([]) }, fc.array(fc.nat({ max: 6 }), { maxLength: 2 })),
        designationOnly: fc.constantFrom(false, false, false, true),
        real: fc.constantFrom(true, true, false),
        wishers: fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, fc.array(fc.nat({ max: 6 }), { maxLength: 3 })),
      }),
      { maxLength: 4 },
    ),
    includes: fc.uniqueArray(fc.constantFrom('1>2', '1>3', '2>3'), { maxLength: 3 }),
    before: fc.array(fc.option(fc.nat({ max: 4 })), { minLength: 5, maxLength: 5 }),
  })
  .map(({ people, drafts, before, includes }) => ({
    people,
    inclusions: inclusionsOf(includes),
    positions: drafts.map(({ designated, wishers, ...draft }, i) => ({
      ...draft,
      id: `p${i}`,
      rank: i,
      designatedFor: new Set(designated.map((index) => people[index]?.id ?? 99)),
      preferredBy: new Set(wishers.map((index) => people[index]?.id ?? 99)),
    })),
    previous: new Map(people.flatMap(({ id }, i) => (before[i] == null ? [] : [[id, `p${before[i]}`] as const]))),
  }))

describe('match', () => {
  test('finds the one best matching of all there are', () => {
    fc.assert(
      fc.property(someInput, (input) => assert.deepEqual(pairs(input), bruteForce(input))),
      { numRuns: 1500 },
    )
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

  test('gives classes the same result as people and positions taken one by one', () => {
    fc.assert(
      fc.property(someInput, ({ inclusions: _none, ...input }) => {
        // Skills and needs that tell everybody apart without changing who may take what.
        const people = input.people.map((one) => ({ ...one, skills: new Set([...one.skills, 100 + one.id]) }))
        const positions = input.positions.map((one, i) => ({ ...one, needs: [...one.needs, new Set([200 + i])] }))
        const markers = people.map(({ id }) => position(`marker ${id}`, 1000 + id, { ...needing(100 + id), places: 0 }))
        assert.deepEqual(pairs({ ...input, people, positions: [...positions, ...markers] }), pairs(input))
      }),
    )
  })

  test('fills as many positions with confirmed people, whoever else asks', () => {
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
    { title: 'nobody and nothing', input: { people: [], positions: [] }, expected: {} },
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
