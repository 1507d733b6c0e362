import type { ParticipantDetails } from '#features/staffing/participations/queries/event-details.ts'
import { placeText } from '#features/staffing/rosters/views/roster.ts'
import type { Needs } from '#features/staffing/staffing/queries/needs.ts'
import type { Places } from '#features/staffing/staffing/queries/places.ts'
import type { PlaceLabel, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { effectiveTeam } from '#features/staffing/staffing/structures/named-teams.ts'
import type { PersonChip, ShiftPeople, UnitData } from '../views/shift-people.ts'

/** People by team; confirmed people first, each in order of sign-up. */
export function groupPeople(people: ParticipantDetails[], { teams }: Needs): ShiftPeople {
  const uuids = new Set(teams.map(({ uuid }) => uuid))
  const byTeam = Map.groupBy(people, ({ structure_data }) => {
    const uuid = effectiveTeam({ structureData: structure_data })
    return uuid !== undefined && uuids.has(uuid) ? uuid : ''
  })
  return {
    teams: teams.map(({ uuid, title, min, max }) => {
      const members = byTeam.get(uuid) ?? []
      const confirmed = members.filter(({ state }) => state === 1).length
      return { title: title ?? '', bounds: { min, max }, missing: Math.max(min - confirmed, 0), ...chipsOf(members) }
    }),
    units: [],
    ...chipsOf(byTeam.get('') ?? []),
    rest: 'team',
  }
}

/** People by place, in the order of the structure. Leaves out optional places that are empty. */
export function seatPeople(
  people: ParticipantDetails[],
  { labels, placeOf, open }: Places,
  { words, titleOf }: ReasonContext,
): ShiftPeople {
  if (labels.some(({ kind }) => kind === 'unit')) return unitPeople(people, { labels, placeOf, open })
  const textOf = (label: PlaceLabel | undefined) => placeText(words, titleOf, label)
  const byPlace = Map.groupBy(people, ({ id }) => textOf(placeOf.get(id)))
  const missing = Map.groupBy(open, textOf)
  const titles = [...new Set([...labels.map(textOf), ...byPlace.keys()])].filter(Boolean)
  const teams = titles.map((title) => ({
    title,
    bounds: undefined,
    missing: missing.get(title)?.length ?? 0,
    ...chipsOf(byPlace.get(title) ?? []),
  }))
  return {
    teams: teams.filter((team) => team.missing + team.people.length + team.hidden > 0),
    units: [],
    ...chipsOf(byPlace.get('') ?? []),
    rest: 'place',
  }
}

/** People by the blocks of the plan. Leaves out blocks without people in which nobody is missing. */
function unitPeople(people: ParticipantDetails[], { labels, placeOf, open }: Places): ShiftPeople {
  type UnitLabel = Extract<PlaceLabel, { kind: 'unit' }>
  const isUnit = (label: PlaceLabel | undefined): label is UnitLabel => label?.kind === 'unit'
  const unitOf = ({ blocks }: UnitLabel) => blocks.at(-1)!.path
  const byUnit = Map.groupBy(people, ({ id }) => {
    const label = placeOf.get(id)
    return isUnit(label) ? unitOf(label) : ''
  })
  const openIn = Map.groupBy(open.filter(isUnit), unitOf)
  const build = (inside: readonly UnitLabel[], depth: number): UnitData[] =>
    [...Map.groupBy(inside, ({ blocks }) => blocks[depth]?.path ?? '')].flatMap(([path, below]) => {
      const block = below[0]!.blocks[depth]
      if (!block) return []
      const units = build(below, depth + 1)
      const here = byUnit.get(path) ?? []
      const missing = openIn.get(path) ?? []
      const titles = new Set(
        [...below.filter((label) => unitOf(label) === path), ...missing].map(({ position }) => position ?? ''),
      )
      const positionOf = ({ id }: ParticipantDetails) => (placeOf.get(id) as UnitLabel).position ?? ''
      const positions = [...titles].map((title) => ({
        title,
        missing: missing.filter(({ position }) => (position ?? '') === title).length,
        ...chipsOf(here.filter((person) => positionOf(person) === title)),
      }))
      const sum = (own: number, of: (unit: UnitData) => number) => units.reduce((total, unit) => total + of(unit), own)
      const unit: UnitData = {
        title: block.title,
        confirmed: sum(here.filter(({ state }) => state === 1).length, ({ confirmed }) => confirmed),
        missing: sum(missing.length, (each) => each.missing),
        hasOwn: here.some(({ is_own }) => is_own) || units.some(({ hasOwn }) => hasOwn),
        positions: positions.filter((each) => each.people.length + each.hidden + each.missing > 0),
        units,
      }
      return unit.missing > 0 || here.length > 0 || units.length > 0 ? [unit] : []
    })
  return { teams: [], units: build(labels.filter(isUnit), 0), ...chipsOf(byUnit.get('') ?? []), rest: 'place' }
}

function chipsOf(people: ParticipantDetails[]): { people: PersonChip[]; hidden: number } {
  const named = people.flatMap(({ name, state, is_own }) =>
    name === null ? [] : [{ name, requested: state === 0, isOwn: is_own }],
  )
  return { people: named.sort((a, b) => Number(a.requested) - Number(b.requested)), hidden: people.length - named.length }
}
