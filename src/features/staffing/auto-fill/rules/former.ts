import { type CardPerson, cardKey } from '#features/staffing/disposition/rules/cards.ts'
import type { FixedPerson } from './chosen.ts'
import type { Pool } from './pool.ts'
import type { OpenPlace } from './proposal.ts'

/** A proposal that was shown before: whose people were considered, who had which place, and whom the planner kept. */
export type FormerProposal = {
  pool: Pool | undefined
  isOptionalFilled: boolean
  people: readonly FixedPerson[]
  fixed: readonly FixedPerson[]
}

export type Totals = { people: number; open: number }
/** `moved`: has another place of the same shift. */
export type ShiftDifference = {
  shiftId: number
  added: CardPerson[]
  gone: CardPerson[]
  moved: CardPerson[]
  openBefore: number
  openNow: number
}
export type Comparison = { before: Totals; now: Totals; differences: readonly ShiftDifference[] }

/** `places`: those of the proposal that is shown. Shifts of the former one that have no open places any more are left out. */
export function compareProposals(
  places: readonly Pick<OpenPlace, 'id' | 'shiftId' | 'count' | 'isRequired'>[],
  now: readonly FixedPerson[],
  former: readonly FixedPerson[],
): Comparison {
  const placesOf = Map.groupBy(places, ({ shiftId }) => shiftId)
  const nowOf = Map.groupBy(now, shiftOf)
  const formerOf = Map.groupBy(former, shiftOf)
  const all = [...placesOf].map(([shiftId, own]) => {
    const [current, before] = [nowOf.get(shiftId) ?? [], formerOf.get(shiftId) ?? []]
    const difference: ShiftDifference = {
      shiftId,
      added: without(current, before),
      gone: without(before, current),
      moved: current.flatMap(({ who, placeId }) => {
        const past = before.find((one) => cardKey(one.who) === cardKey(who))
        return past && past.placeId !== placeId ? [who] : []
      }),
      openBefore: countOpen(own, before),
      openNow: countOpen(own, current),
    }
    return { difference, people: { before: before.length, now: current.length } }
  })
  const sum = (value: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + value(one), 0)
  return {
    before: { people: sum(({ people }) => people.before), open: sum(({ difference }) => difference.openBefore) },
    now: { people: sum(({ people }) => people.now), open: sum(({ difference }) => difference.openNow) },
    differences: all.flatMap(({ difference }) =>
      difference.added.length + difference.gone.length + difference.moved.length > 0 ? [difference] : [],
    ),
  }
}

/** The id of a place begins with its shift. */
const shiftOf = ({ placeId }: FixedPerson): number => Number.parseInt(placeId, 10)

function without(people: readonly FixedPerson[], others: readonly FixedPerson[]): CardPerson[] {
  const keys = new Set(others.map(({ who }) => cardKey(who)))
  return people.flatMap(({ who }) => (keys.has(cardKey(who)) ? [] : [who]))
}

const countOpen = (places: readonly Pick<OpenPlace, 'id' | 'count' | 'isRequired'>[], people: readonly FixedPerson[]): number =>
  places
    .filter(({ isRequired }) => isRequired)
    .reduce((sum, { id, count }) => sum + Math.max(0, count - people.filter(({ placeId }) => placeId === id).length), 0)
