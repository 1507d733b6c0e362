import type { Inclusions, MatchPerson, MatchPosition, MatchState, Skills } from './model.ts'
import { compareSkillLevels, covers, type SkillLevel, skillLevel } from './skills.ts'

export type PersonGroup = {
  state: MatchState
  members: MatchPerson[]
  fits: readonly number[]
  designated: readonly PositionGroup[]
  /** Of those designated for them, the ones that they are qualified for. */
  qualifiedFor: readonly PositionGroup[]
  /** Wished for, and allowed. */
  wishes: readonly PositionGroup[]
  /** How much somebody is worth keeping for something else: the order of skill levels, 0 the lowest. */
  rank: number
}
/** `rank`: how demanding the need is, in the same order as the people. */
export type PositionGroup = { members: MatchPosition[]; sample: MatchPosition; places: number; need: number; rank: number }
export type MatchGroups = {
  people: PersonGroup[]
  positions: PositionGroup[]
  classOf: Map<number, PersonGroup>
  home: Map<string, PositionGroup>
}

const both = (a: Skills, b: Skills): Skills => new Set([...a].filter((id) => b.has(id)))
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b).join()

/**
 * People who may take the same positions, and positions that the same people may take, are one class each: no level can tell them
 * apart, so the network has a node for each class instead of each person. `need` and `fits` number the distinct requirements.
 * Without inclusions nobody's skill is dearer than another's.
 */
export function groupForMatching(
  people: readonly MatchPerson[],
  positions: readonly MatchPosition[],
  inclusions: Inclusions | undefined,
): MatchGroups {
  const present = new Set(people.map(({ id }) => id))
  const needs = new Map<string, { index: number; anyOf: readonly Skills[]; open: boolean }>()
  const positionClasses = new Map<string, PositionGroup>()
  const home = new Map<string, PositionGroup>()
  const idsOf = memoize((ids: Skills) => sorted(both(ids, present)))
  for (const position of positions) {
    const needKey = [...new Set(position.needs.map(sorted))].sort().join(';')
    const need = getOrCreate(needs, needKey, () => ({ index: needs.size, anyOf: position.needs, open: false }))
    if (!position.designationOnly) need.open = true
    const { required, real, designationOnly, designatedFor, preferredBy } = position
    const wishers = preferredBy ? idsOf(preferredBy) : ''
    const key = [required, real, designationOnly, idsOf(designatedFor), wishers, need.index].join('|')
    const group = getOrCreate(positionClasses, key, () => ({
      members: [],
      sample: position,
      places: 0,
      need: need.index,
      rank: 0,
    }))
    group.members.push(position)
    // More places than people make no difference, and stored numbers can be absurd.
    group.places = Math.min(group.places + Math.max(position.places ?? 1, 0), people.length)
    home.set(position.id, group)
  }

  const groups = [...positionClasses.values()]
  const listBy = (idsIn: (position: MatchPosition) => Skills | undefined) => {
    const found = new Map<number, number[]>()
    groups.forEach((group, index) => {
      for (const id of idsIn(group.sample) ?? []) getOrCreate(found, id, () => []).push(index)
    })
    return found
  }
  const designatedTo = listBy(({ designatedFor }) => designatedFor)
  const wishedBy = listBy(({ preferredBy }) => preferredBy)
  const openNeeds = [...needs.values()].filter(({ open }) => open)
  const asked = new Set([...needs.values()].flatMap(({ anyOf }) => anyOf.flatMap((skills) => [...skills])))
  const fitsOf = new Map<string, readonly number[]>()
  const personClasses = new Map<string, PersonGroup>()
  const classOf = new Map<number, PersonGroup>()
  const order = rankSkills(people, groups, asked, inclusions)
  for (const group of groups) group.rank = order.ofPosition(group)
  for (const person of people) {
    const designated = designatedTo.get(person.id) ?? []
    const held = both(person.skills, asked)
    const heldKey = sorted(held)
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
    const group = getOrCreate(personClasses, key, () => ({
      state: person.state,
      members: [],
      fits,
      rank,
      designated: designated.map((index) => groups[index]!),
      qualifiedFor: qualifiedFor.map((index) => groups[index]!),
      wishes: wishes.map((index) => groups[index]!),
    }))
    group.members.push(person)
    classOf.set(person.id, group)
  }
  return { people: [...personClasses.values()], positions: groups, classOf, home }
}

/**
 * One order for what people hold, of all that is asked for here, and for what positions need: by skill level, then by how much it
 * is. Places in that order are small integers, so that adding them up is exact.
 */
function rankSkills(
  people: readonly MatchPerson[],
  groups: readonly PositionGroup[],
  asked: Skills,
  inclusions: Inclusions | undefined,
): { ofHeld: (key: string, held: Skills) => number; ofPosition: (group: PositionGroup) => number } {
  if (!inclusions) return { ofHeld: () => 0, ofPosition: () => 0 }
  const known = new Map<string, SkillLevel>()
  const levelOf = (key: string, ids: Skills) => getOrCreate(known, key, () => skillLevel(ids, inclusions))
  const compare = (a: SkillLevel, b: SkillLevel) => compareSkillLevels(a, b) || a.below - b.below
  for (const { skills } of people) {
    const held = both(skills, asked)
    levelOf(sorted(held), held)
  }
  const easiest = (group: PositionGroup): SkillLevel =>
    group.sample.needs.map((needed) => levelOf(sorted(needed), needed)).sort(compare)[0] ?? { below: 0, related: 0 }
  groups.forEach(easiest)
  const levels = [{ below: 0, related: 0 }, ...known.values()].sort(compare)
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

/** All positions of a unit share one set of designated people; it is written out once. */
function memoize<A extends object, B>(compute: (value: A) => B): (value: A) => B {
  const known = new Map<A, B>()
  return (value) => getOrCreate(known, value, () => compute(value))
}
