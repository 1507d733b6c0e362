import type { Inclusions, MatchPerson, MatchPosition, MatchState, Skills } from './model.ts'
import { compareSkillLevels, covers, type SkillLevel, skillLevel } from './skills.ts'

export type PersonGroup = {
  state: MatchState
  members: MatchPerson[]
  fits: readonly number[]
  designated: readonly PositionGroup[]
  /** The designated positions that they are qualified for. */
  qualifiedFor: readonly PositionGroup[]
  /** Positions that they wish for and may take. */
  wishes: readonly PositionGroup[]
  /** Order of the skill level, 0 the lowest: people with a high rank should stay free for demanding positions. */
  rank: number
}
/** `rank`: skill level of the need, in the same order as that of people. */
export type PositionGroup = { members: MatchPosition[]; sample: MatchPosition; places: number; need: number; rank: number }
export type MatchGroups = {
  people: PersonGroup[]
  positions: PositionGroup[]
  groupOfPerson: Map<number, PersonGroup>
  groupOfPosition: Map<string, PositionGroup>
}

const intersect = (a: Skills, b: Skills): Skills => new Set([...a].filter((id) => b.has(id)))
const toKey = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b).join()

/** A requirement that positions have: any of these sets of skills. `isOpen`: a position without designation has it. */
type Need = { index: number; anyOf: readonly Skills[]; isOpen: boolean }
type GroupedPositions = { groups: PositionGroup[]; groupOfPosition: Map<string, PositionGroup>; needs: Need[] }

/**
 * Groups people who may take the same positions, and positions that the same people may take. No level distinguishes the members of
 * a group, so the network has one node per group. `need` and `fits` are indices of the distinct requirements. Without inclusions all
 * ranks are equal.
 */
export function groupForMatching(
  people: readonly MatchPerson[],
  positions: readonly MatchPosition[],
  inclusions: Inclusions | undefined,
): MatchGroups {
  const grouped = groupPositions(people, positions)
  const relevant = new Set(grouped.needs.flatMap(({ anyOf }) => anyOf.flatMap((skills) => [...skills])))
  const order = rankSkills(people, grouped.groups, relevant, inclusions)
  for (const group of grouped.groups) group.rank = order.ofPosition(group)
  const { groupOfPosition, groups } = grouped
  return { ...groupPeople(people, grouped, { relevant, order }), positions: groups, groupOfPosition }
}

function groupPositions(people: readonly MatchPerson[], positions: readonly MatchPosition[]): GroupedPositions {
  const present = new Set(people.map(({ id }) => id))
  const needs = new Map<string, Need>()
  const groups = new Map<string, PositionGroup>()
  const groupOfPosition = new Map<string, PositionGroup>()
  const idsOf = memoize((ids: Skills) => toKey(intersect(ids, present)))
  for (const position of positions) {
    const needKey = [...new Set(position.needs.map(toKey))].sort().join(';')
    const need = getOrCreate(needs, needKey, () => ({ index: needs.size, anyOf: position.needs, isOpen: false }))
    if (!position.designationOnly) need.isOpen = true
    const { required, real, designationOnly, designatedFor, preferredBy } = position
    const wishers = preferredBy ? idsOf(preferredBy) : ''
    const key = [required, real, designationOnly, idsOf(designatedFor), wishers, need.index].join('|')
    const group = getOrCreate(groups, key, () => ({ members: [], sample: position, places: 0, need: need.index, rank: 0 }))
    group.members.push(position)
    // More places than people make no difference, and imported numbers can be huge.
    group.places = Math.min(group.places + Math.max(position.places ?? 1, 0), people.length)
    groupOfPosition.set(position.id, group)
  }
  return { groups: [...groups.values()], groupOfPosition, needs: [...needs.values()] }
}

function groupPeople(
  people: readonly MatchPerson[],
  { groups, needs }: GroupedPositions,
  { relevant, order }: { relevant: Skills; order: SkillOrder },
): Pick<MatchGroups, 'people' | 'groupOfPerson'> {
  const designatedTo = listByPerson(groups, ({ designatedFor }) => designatedFor)
  const wishedBy = listByPerson(groups, ({ preferredBy }) => preferredBy)
  const openNeeds = needs.filter(({ isOpen }) => isOpen)
  const fitsOf = new Map<string, readonly number[]>()
  const personGroups = new Map<string, PersonGroup>()
  const groupOfPerson = new Map<number, PersonGroup>()
  for (const person of people) {
    const designated = designatedTo.get(person.id) ?? []
    const held = intersect(person.skills, relevant)
    const heldKey = toKey(held)
    const fits = designated.length
      ? []
      : getOrCreate(fitsOf, heldKey, () =>
          openNeeds.filter(({ anyOf }) => anyOf.some((needed) => covers(held, needed))).map(({ index }) => index),
        )
    const qualifiedFor = designated.filter((index) => groups[index]!.sample.needs.some((needed) => covers(held, needed)))
    const wishes = (wishedBy.get(person.id) ?? []).filter(
      (index) => !groups[index]!.sample.designationOnly && fits.includes(groups[index]!.need),
    )
    const rank = order.ofHeld(heldKey, held)
    const key = [person.state, fits.join(), designated.join(), qualifiedFor.join(), wishes.join(), rank].join('|')
    const group = getOrCreate(personGroups, key, () => ({
      state: person.state,
      members: [],
      fits,
      rank,
      designated: designated.map((index) => groups[index]!),
      qualifiedFor: qualifiedFor.map((index) => groups[index]!),
      wishes: wishes.map((index) => groups[index]!),
    }))
    group.members.push(person)
    groupOfPerson.set(person.id, group)
  }
  return { people: [...personGroups.values()], groupOfPerson }
}

/** The indices of the groups of positions that name a person, by the id of the person. */
function listByPerson(
  groups: readonly PositionGroup[],
  namedIn: (position: MatchPosition) => Skills | undefined,
): Map<number, number[]> {
  const found = new Map<number, number[]>()
  groups.forEach((group, index) => {
    for (const id of namedIn(group.sample) ?? []) getOrCreate(found, id, () => []).push(index)
  })
  return found
}

type SkillOrder = { ofHeld: (key: string, held: Skills) => number; ofPosition: (group: PositionGroup) => number }

/**
 * Ranks the skills of people, as far as they are relevant here, and the needs of positions in one order: by skill level, then by the
 * number of qualifications. Ranks are small integers, so sums are exact.
 */
function rankSkills(
  people: readonly MatchPerson[],
  groups: readonly PositionGroup[],
  relevant: Skills,
  inclusions: Inclusions | undefined,
): SkillOrder {
  if (!inclusions) return { ofHeld: () => 0, ofPosition: () => 0 }
  const known = new Map<string, SkillLevel>()
  const levelOf = (key: string, ids: Skills) => getOrCreate(known, key, () => skillLevel(ids, inclusions))
  const compare = (a: SkillLevel, b: SkillLevel) => compareSkillLevels(a, b) || a.below - b.below
  for (const { skills } of people) {
    const held = intersect(skills, relevant)
    levelOf(toKey(held), held)
  }
  const lowest = levelOf('', new Set())
  const easiest = (group: PositionGroup): SkillLevel =>
    group.sample.needs.map((needed) => levelOf(toKey(needed), needed)).sort(compare)[0] ?? lowest
  groups.forEach(easiest)
  const levels = [...known.values()].sort(compare)
  const distinct = levels.filter((level, i) => i === 0 || compare(levels[i - 1]!, level) !== 0)
  const rankOf = (level: SkillLevel) => distinct.findIndex((one) => compare(one, level) === 0)
  const ranks = new Map([...known].map(([key, level]) => [key, rankOf(level)]))
  return { ofHeld: (key) => ranks.get(key)!, ofPosition: (group) => rankOf(easiest(group)) }
}

export function mayTake(person: PersonGroup, position: PositionGroup): boolean {
  if (person.designated.length) return person.designated.includes(position)
  return !position.sample.designationOnly && person.fits.includes(position.need)
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** All positions of a unit share one set of designated people; its key is computed once. */
function memoize<A extends object, B>(compute: (value: A) => B): (value: A) => B {
  const known = new Map<A, B>()
  return (value) => getOrCreate(known, value, () => compute(value))
}
