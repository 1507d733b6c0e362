import type { Span } from '#platform/time-span.ts'

export type FillShift = Span & { id: number }

/** Open places of a shift with the same needs. `value`: what it is worth to fill one of them. */
export type FillPlace = { id: string; shiftId: number; count: number; value: number }

/** A person who can take a place. Of two people the one with the lower cost is preferred. */
export type FillOption = { personId: number; placeId: string; cost: number }

export type FillProblem = {
  shifts: readonly FillShift[]
  places: readonly FillPlace[]
  options: readonly FillOption[]
  /** Added for each shift that the person already has in the proposal: the second costs it once, the third twice. */
  repeatCost: number
  /** Added for each two shifts that the person has in the proposal. Never negative: the bound leaves it out. */
  pairCost?: ((a: FillShift, b: FillShift) => number) | undefined
  /** Hours of rest that no person may go below; makes the bound tighter, `isCompatible` decides. */
  restHours?: number | undefined
  /** Whether a person can take these shifts together. If it is true for a set, it must be true for each part of the set. */
  isCompatible: (personId: number, shifts: readonly FillShift[]) => boolean
}

export type FillAssignment = { personId: number; placeId: string }

/** The problem by index; options of a place are sorted by cost, then person. */
export type Indexed = {
  people: readonly number[]
  places: readonly (FillPlace & { shift: FillShift })[]
  optionsOf: readonly (readonly IndexedOption[])[]
  /** Cost by place and person. */
  costs: readonly ReadonlyMap<number, number>[]
  repeatCost: number
  pairCost: (a: FillShift, b: FillShift) => number
  isCompatible: (person: number, shifts: readonly FillShift[]) => boolean
}
type IndexedOption = { person: number; cost: number }

export function indexProblem({ shifts, places, options, repeatCost, pairCost, isCompatible }: FillProblem): Indexed {
  const people = [...new Set(options.map(({ personId }) => personId))].sort((a, b) => a - b)
  const personIndex = new Map(people.map((id, index) => [id, index]))
  const shiftOf = new Map(shifts.map((shift) => [shift.id, shift]))
  const byPlace = Map.groupBy(options, ({ placeId }) => placeId)
  const optionsOf = places.map(({ id }) =>
    (byPlace.get(id) ?? [])
      .map(({ personId, cost }) => ({ person: personIndex.get(personId)!, cost }))
      .sort((a, b) => a.cost - b.cost || a.person - b.person),
  )
  return {
    people,
    places: places.map((place) => ({ ...place, shift: shiftOf.get(place.shiftId)! })),
    optionsOf,
    costs: optionsOf.map((list) => new Map(list.map(({ person, cost }) => [person, cost]))),
    repeatCost,
    pairCost: pairCost ?? (() => 0),
    isCompatible: (person, list) => isCompatible(people[person]!, list),
  }
}

/** Cost of the shift after `count` others of the same person in the proposal. */
export const repeated = ({ repeatCost }: Indexed, count: number): number => repeatCost * count

/** People by place, places by person, and what the assignment is worth. */
export class Plan {
  readonly peopleOf: number[][]
  readonly placesOf: number[][]
  total = 0
  readonly problem: Indexed

  constructor(problem: Indexed) {
    this.problem = problem
    this.peopleOf = problem.places.map(() => [])
    this.placesOf = problem.people.map(() => [])
  }

  /** What adding the person to the place is worth now. */
  gain(person: number, place: number, cost = this.problem.costs[place]!.get(person)!): number {
    return this.#worthBeside(place, cost, this.placesOf[person]!)
  }

  /** What removing one place of the person loses. */
  loss(person: number, place: number): number {
    const cost = this.problem.costs[place]!.get(person)!
    const others = this.placesOf[person]!.filter((one) => one !== place)
    return this.#worthBeside(place, cost, others)
  }

  #worthBeside(place: number, cost: number, others: readonly number[]): number {
    const { places, pairCost } = this.problem
    const { shift, value } = places[place]!
    const pairs = others.reduce((sum, other) => sum + pairCost(shift, places[other]!.shift), 0)
    return value - cost - repeated(this.problem, others.length) - pairs
  }

  isOpen(place: number): boolean {
    return this.peopleOf[place]!.length < this.problem.places[place]!.count
  }

  /** Whether the person can take the place besides their others, without the place `left` (-1: keep all). */
  canTake(person: number, place: number, left = -1): boolean {
    const { places, isCompatible } = this.problem
    const { shift } = places[place]!
    const kept = this.placesOf[person]!.filter((one) => one !== left).map((one) => places[one]!.shift)
    return !kept.includes(shift) && isCompatible(person, [...kept, shift])
  }

  add(person: number, place: number): void {
    this.total += this.gain(person, place)
    this.peopleOf[place]!.push(person)
    this.placesOf[person]!.push(place)
  }

  remove(person: number, place: number): void {
    this.total -= this.loss(person, place)
    removeFrom(this.peopleOf[place]!, person)
    removeFrom(this.placesOf[person]!, place)
  }

  copy(): Plan {
    const copy = new Plan(this.problem)
    for (const [place, people] of this.peopleOf.entries()) for (const person of people) copy.add(person, place)
    return copy
  }

  assignments(): FillAssignment[] {
    const { people, places } = this.problem
    return this.peopleOf.flatMap((list, place) =>
      [...list].sort((a, b) => a - b).map((person) => ({ personId: people[person]!, placeId: places[place]!.id })),
    )
  }
}

function removeFrom(list: number[], value: number): void {
  const index = list.indexOf(value)
  if (index === -1) throw new Error(`${value} is not in the list`)
  list.splice(index, 1)
}
