import { Circulation } from './circulation.ts'
import { groupForMatching, type MatchGroups, mayTake, type PersonGroup, type PositionGroup } from './match-groups.ts'
import type { Inclusions, MatchPerson, MatchPosition } from './model.ts'

/** Properties of a pair of person and position that the levels compare. */
type Pair = {
  confirmed: boolean
  designated: boolean
  required: boolean
  real: boolean
  kept: boolean
  wished: boolean
  /** Qualified: always, unless designated. */
  isQualified: boolean
  /** How demanding the position is. */
  rank: number
}

/**
 * Lexicographic objective: each level is a sum over the pairs of a matching, and a level decides only between matchings that are
 * equal in all earlier ones. Confirmed people come before requesters, even designated ones and also for wishes, so a request never
 * hides a gap. Economy of skills: prefer people with few skills that are needed elsewhere, and fill demanding positions first.
 */
export const LEVELS: readonly { name: string; worth: (pair: Pair) => number | boolean; person?: (rank: number) => number }[] = [
  { name: 'designated confirmed people', worth: (pair) => pair.confirmed && pair.designated },
  { name: 'confirmed people', worth: (pair) => pair.confirmed },
  { name: 'required positions with confirmed people', worth: (pair) => pair.confirmed && pair.required },
  { name: 'designated requesters', worth: (pair) => !pair.confirmed && pair.designated },
  { name: 'required positions with requesters', worth: (pair) => !pair.confirmed && pair.required },
  { name: 'requesters', worth: (pair) => !pair.confirmed },
  { name: 'wishes of confirmed people', worth: (pair) => pair.confirmed && pair.wished },
  { name: 'wishes of requesters', worth: (pair) => pair.wished },
  { name: 'confirmed people in real positions', worth: (pair) => pair.confirmed && pair.real },
  { name: 'real positions', worth: (pair) => pair.real },
  { name: 'designated people where they are qualified', worth: (pair) => pair.isQualified },
  { name: 'economy of skills', worth: (pair) => pair.rank, person: (rank) => -rank },
  { name: 'pairs kept from before', worth: (pair) => pair.kept },
]

type Matching = {
  /** Position of each person who has one. */
  assignment: ReadonlyMap<number, string>
  effort: { nodes: number; arcs: number; visits: number }
}

export type MatchInput = {
  people: readonly MatchPerson[]
  positions: readonly MatchPosition[]
  previous?: ReadonlyMap<number, string>
  /** For the economy of skills; absent if only the number of pairs matters. */
  inclusions?: Inclusions
}

/**
 * Finds the best matching of people to positions. Designated people take positions designated for them, qualified or not; others take
 * positions that they are qualified for and that are not `designationOnly`. Ties between equally good matchings are broken first by
 * keeping previous pairs, lowest person ids first; then each person, in the order of ids, gets the first position that some best
 * matching gives them. The result is unique and does not depend on the order of the input.
 */
export function match({ people, positions, previous = new Map(), inclusions }: MatchInput): Matching {
  const byId = [...people].sort((a, b) => a.id - b.id)
  const byRank = [...positions].sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
  const groups = groupForMatching(byId, byRank, inclusions)
  const left = new Map(byRank.map(({ id, places }) => [id, places ?? 1]))
  const kept = findKeptPairs(byId, groups, left, previous)
  const plan = new Plan(groups, kept)
  for (const level of LEVELS) plan.maximise(level)

  const assignment = new Map<number, string>()
  const assign = (person: number, position: string) => {
    assignment.set(person, position)
    left.set(position, left.get(position)! - 1)
  }
  for (const [person, position] of kept) {
    if (plan.takeKept(groups.groupOfPerson.get(person)!, groups.groupOfPosition.get(position)!)) assign(person, position)
  }
  for (const { id } of byId) {
    if (assignment.has(id)) continue
    const person = groups.groupOfPerson.get(id)!
    const position = byRank.find((one) => left.get(one.id)! > 0 && plan.take(person, groups.groupOfPosition.get(one.id)!))
    if (position) assign(id, position.id)
  }
  return { assignment, effort: plan.effort() }
}

/** Previous pairs that are still allowed, by person. If a position has too many, the lowest ids stay. */
function findKeptPairs(
  byId: readonly MatchPerson[],
  { groupOfPerson, groupOfPosition }: MatchGroups,
  places: ReadonlyMap<string, number>,
  previous: ReadonlyMap<number, string>,
): Map<number, string> {
  const kept = new Map<number, string>()
  const used = new Map<string, number>()
  for (const { id } of byId) {
    const position = previous.get(id)
    if (position === undefined) continue
    const group = groupOfPosition.get(position)
    const count = (used.get(position) ?? 0) + 1
    if (!group || count > places.get(position)! || !mayTake(groupOfPerson.get(id)!, group)) continue
    used.set(position, count)
    kept.set(id, position)
  }
  return kept
}

/**
 * The flow network. Arcs lead from a hub to each group of people; from there to each group of positions, either through the node of a
 * requirement (one for each distinct requirement and state) or directly by designation or wish; and from there back to the hub.
 * Previous pairs have arcs of their own. Arcs into positions carry the worth of a pair, arcs from the hub that of a person.
 */
class Plan {
  readonly #net = new Circulation()
  readonly #hub = this.#net.addNode()
  readonly #in = new Map<PersonGroup, number>()
  readonly #out = new Map<PositionGroup, number>()
  readonly #pairs = new Map<number, Pair>()
  readonly #routes = new Map<PersonGroup, Map<PositionGroup | number, number>>()
  readonly #fill = { confirmed: new Map<PositionGroup, number>(), requested: new Map<PositionGroup, number>() }
  readonly #keep = new Map<PersonGroup, Map<PositionGroup, number>>()
  readonly #hopeless = new Map<PersonGroup, Set<PositionGroup>>()

  constructor(groups: MatchGroups, kept: ReadonlyMap<number, string>) {
    const node = new Map<PositionGroup, number>()
    const needNodes = { confirmed: new Map<number, number>(), requested: new Map<number, number>() }
    for (const position of groups.positions) {
      node.set(position, this.#net.addNode())
      this.#out.set(position, this.#net.addArc(node.get(position)!, this.#hub, position.places))
    }
    const states = new Set(groups.people.map(({ state }) => state))
    for (const state of states) {
      for (const position of groups.positions) {
        if (position.sample.designationOnly) continue
        if (!needNodes[state].has(position.need)) needNodes[state].set(position.need, this.#net.addNode())
        const arc = this.#net.addArc(needNodes[state].get(position.need)!, node.get(position)!, position.places)
        this.#fill[state].set(position, arc)
        this.#pairs.set(arc, pairOf(state === 'confirmed', position, { isQualified: true }))
      }
    }
    const people = new Map<PersonGroup, number>()
    for (const person of groups.people) {
      const here = this.#net.addNode()
      people.set(person, here)
      const size = person.members.length
      this.#in.set(person, this.#net.addArc(this.#hub, here, size))
      const routes = new Map<PositionGroup | number, number>()
      for (const need of person.fits) routes.set(need, this.#net.addArc(here, needNodes[person.state].get(need)!, size))
      for (const position of person.designated) {
        const arc = this.#net.addArc(here, node.get(position)!, size)
        routes.set(position, arc)
        this.#pairs.set(arc, pairOf(person.state === 'confirmed', position, traitsOf(person, position)))
      }
      // Capacity for the whole group, so a wished position is never taken through the node of a requirement.
      for (const position of person.wishes) {
        const arc = this.#net.addArc(here, node.get(position)!, size)
        routes.set(position, arc)
        this.#pairs.set(arc, pairOf(person.state === 'confirmed', position, traitsOf(person, position)))
      }
      this.#routes.set(person, routes)
      this.#hopeless.set(person, new Set())
      this.#keep.set(person, new Map())
    }
    const counts = new Map<PersonGroup, Map<PositionGroup, number>>()
    for (const [personId, positionId] of kept) {
      const person = groups.groupOfPerson.get(personId)!
      const row = counts.get(person) ?? new Map<PositionGroup, number>()
      const position = groups.groupOfPosition.get(positionId)!
      counts.set(person, row.set(position, (row.get(position) ?? 0) + 1))
    }
    for (const [person, row] of counts) {
      for (const [position, count] of row) {
        const arc = this.#net.addArc(people.get(person)!, node.get(position)!, count)
        this.#keep.get(person)!.set(position, arc)
        this.#pairs.set(arc, pairOf(person.state === 'confirmed', position, { ...traitsOf(person, position), kept: true }))
      }
    }
  }

  maximise({ worth, person }: (typeof LEVELS)[number]): void {
    const people = new Map(person ? [...this.#in].map(([{ rank }, arc]) => [arc, person(rank)]) : [])
    this.#net.maximise((arc) => {
      const pair = this.#pairs.get(arc)
      return pair ? Number(worth(pair)) : (people.get(arc) ?? 0)
    })
  }

  takeKept(person: PersonGroup, position: PositionGroup): boolean {
    return this.#net.removeUnit([this.#in.get(person)!, this.#keep.get(person)!.get(position)!, this.#out.get(position)!])
  }

  take(person: PersonGroup, position: PositionGroup): boolean {
    // A pair that no best matching contains stays impossible while further pairs are fixed.
    const impossible = this.#hopeless.get(person)!
    if (impossible.has(position)) return false
    const cycle = this.#cycle(person, position)
    if (cycle && this.#net.removeUnit(cycle)) return true
    impossible.add(position)
    return false
  }

  effort(): Matching['effort'] {
    return { nodes: this.#net.nodes, arcs: this.#net.arcs, visits: this.#net.visits }
  }

  #cycle(person: PersonGroup, position: PositionGroup): number[] | undefined {
    const routes = this.#routes.get(person)!
    const ends = [this.#in.get(person)!, this.#out.get(position)!] as const
    const direct = routes.get(position)
    if (direct !== undefined) return [ends[0], direct, ends[1]]
    const fit = routes.get(position.need)
    const fill = this.#fill[person.state].get(position)
    return fit === undefined || fill === undefined ? undefined : [ends[0], fit, fill, ends[1]]
  }
}

type Traits = Partial<Pick<Pair, 'designated' | 'kept' | 'wished' | 'isQualified'>>

function traitsOf(person: PersonGroup, position: PositionGroup): Traits {
  const designated = person.designated.length > 0
  return {
    designated,
    wished: person.wishes.includes(position),
    isQualified: !designated || person.qualifiedFor.includes(position),
  }
}

function pairOf(confirmed: boolean, { sample, rank }: PositionGroup, traits: Traits): Pair {
  const { required, real } = sample
  return { confirmed, designated: false, required, real, kept: false, wished: false, isQualified: false, rank, ...traits }
}
