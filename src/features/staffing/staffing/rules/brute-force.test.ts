import fc from 'fast-check'
import type { MatchInput } from './matching.ts'
import type { Inclusions, MatchPerson, MatchPosition, MatchState } from './model.ts'
import { compareSkillLevels, covers, skillLevel } from './skills.ts'

/** Reference implementation: evaluates the levels for every possible matching. */
export function bruteForce({ people, positions, previous = new Map(), inclusions }: MatchInput) {
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

/** Sum of position rank minus person rank over all pairs, in one order of skill levels. */
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
export const someInput: fc.Arbitrary<MatchInput> = fc
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
