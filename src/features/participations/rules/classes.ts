import { covers, type Skills } from './skills.ts'

export type MatchState = 'confirmed' | 'requested'

/** `skills`: everything held, includes followed, at the end of the person's time on the shift. */
export type MatchPerson = { id: number; state: MatchState; skills: Skills }

export type MatchPosition = {
  id: string
  /** Where the position stands among all: between equal ones the lower rank is taken, then the lower id. */
  rank: number
  /** How many people fit; one if absent. */
  places?: number
  required: boolean
  /** Any one of these sets is enough; `[new Set()]` asks for nothing. */
  needs: readonly Skills[]
  designatedFor: Skills
  designationOnly: boolean
  /** False for places that the plan does not count on: "allow more" and those beyond the maximum. */
  real: boolean
}

export type PersonClass = {
  state: MatchState
  members: MatchPerson[]
  fits: readonly number[]
  designated: readonly PositionClass[]
}
export type PositionClass = { members: MatchPosition[]; sample: MatchPosition; places: number; need: number }
export type Classes = {
  people: PersonClass[]
  positions: PositionClass[]
  classOf: Map<number, PersonClass>
  home: Map<string, PositionClass>
}

const both = (a: Skills, b: Skills): Skills => new Set([...a].filter((id) => b.has(id)))
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b).join()

/**
 * People who may take the same positions, and positions that the same people may take, are one class each: no level can tell them
 * apart, so the network has a node for each class instead of each person. `need` and `fits` number the distinct requirements.
 */
export function classify(people: readonly MatchPerson[], positions: readonly MatchPosition[]): Classes {
  const present = new Set(people.map(({ id }) => id))
  const needs = new Map<string, { index: number; anyOf: readonly Skills[]; open: boolean }>()
  const positionClasses = new Map<string, PositionClass>()
  const home = new Map<string, PositionClass>()
  const designations = remember((ids: Skills) => sorted(both(ids, present)))
  for (const position of positions) {
    const needKey = [...new Set(position.needs.map(sorted))].sort().join(';')
    const need = getOrMake(needs, needKey, () => ({ index: needs.size, anyOf: position.needs, open: false }))
    if (!position.designationOnly) need.open = true
    const { required, real, designationOnly } = position
    const key = [required, real, designationOnly, designations(position.designatedFor), need.index].join('|')
    const group = getOrMake(positionClasses, key, () => ({ members: [], sample: position, places: 0, need: need.index }))
    group.members.push(position)
    // More places than people make no difference, and stored numbers can be absurd.
    group.places = Math.min(group.places + Math.max(position.places ?? 1, 0), people.length)
    home.set(position.id, group)
  }

  const designatedTo = new Map<number, number[]>()
  const groups = [...positionClasses.values()]
  groups.forEach((group, index) => {
    for (const id of group.sample.designatedFor) getOrMake(designatedTo, id, () => []).push(index)
  })
  const openNeeds = [...needs.values()].filter(({ open }) => open)
  const asked = new Set(openNeeds.flatMap(({ anyOf }) => anyOf.flatMap((skills) => [...skills])))
  const fitsOf = new Map<string, readonly number[]>()
  const personClasses = new Map<string, PersonClass>()
  const classOf = new Map<number, PersonClass>()
  for (const person of people) {
    const designated = designatedTo.get(person.id) ?? []
    const held = both(person.skills, asked)
    const fits = designated.length
      ? []
      : getOrMake(fitsOf, sorted(held), () =>
          openNeeds.filter(({ anyOf }) => anyOf.some((needed) => covers(held, needed))).map(({ index }) => index),
        )
    const key = [person.state, fits.join(), designated.join()].join('|')
    const group = getOrMake(personClasses, key, () => ({
      state: person.state,
      members: [],
      fits,
      designated: designated.map((index) => groups[index]!),
    }))
    group.members.push(person)
    classOf.set(person.id, group)
  }
  return { people: [...personClasses.values()], positions: groups, classOf, home }
}

export function mayTake(person: PersonClass, position: PositionClass): boolean {
  if (person.designated.length) return person.designated.includes(position)
  return !position.sample.designationOnly && person.fits.includes(position.need)
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** All positions of a unit share one set of designated people; it is written out once. */
function remember<A extends object, B>(compute: (value: A) => B): (value: A) => B {
  const known = new Map<A, B>()
  return (value) => getOrMake(known, value, () => compute(value))
}
