import type { Skills } from '#features/staffing/staffing/rules/model.ts'
import { expandUnits } from '#features/staffing/staffing/rules/units.ts'
import { type Calendar, HOUR } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { Base } from './base.ts'
import type { FlowPlan, ShiftPlan, StructurePlan } from './plan.ts'
import type { QualificationKey } from './qualifications.ts'

/** A place for one person. `choice`: value in the structure data, with the keys for a wish and for an assignment. */
export type Place = { needs: Skills; required: boolean; choice: { wish: string; assignment: string; value: string } | null }

/** Maximum number of people above the minimum of an unlimited shift. */
const UNLIMITED = 8
/** Additional people of a unit that allows more. */
const MORE = 2

export type ShiftTimes = { meeting: Date; start: Date; end: Date }

export function timesOf(plan: ShiftPlan, event: { week: number; weekday: number }, calendar: Calendar): ShiftTimes {
  const weekday = event.weekday + (plan.day ?? 0)
  const start = calendar.at(event.week, weekday, plan.from)
  return {
    start,
    meeting: new Date(start.getTime() - (plan.meet ?? 0) * 60_000),
    end: calendar.at(event.week, weekday, plan.from, plan.hours),
  }
}

export function flowConfiguration(flow: FlowPlan, start: Date, leaderIds: number[], calendar: Calendar) {
  if (flow.slug === 'manual') return { no_selfservice_explanation: flow.why }
  if (flow.slug === 'coupled') return { leader_shift_id: leaderIds[flow.leader]! }
  return {
    signup_until: flow.closes === undefined ? null : calendar.iso(new Date(start.getTime() - flow.closes * HOUR)),
    user_can_decline_confirmed: flow.mayLeave ?? false,
    user_can_customize_signup_times: !flow.fixedTimes,
    ...(flow.mayBring === undefined ? {} : { user_can_bring: flow.mayBring }),
  }
}

export type StructureOf = { configuration: Record<string, unknown>; places: Place[] }

export function structureOf(plan: StructurePlan, base: Base, random: Random): StructureOf {
  const { idOf } = base.qualifications
  const idOrNull = (key: QualificationKey | null) => key && idOf[key]
  const skills = (key: QualificationKey | null) => new Set(key ? [idOf[key]] : [])
  const minimum_age = plan.age ?? null
  if (plan.slug === 'uniform') {
    const { min, max, needs = [] } = plan
    const ids = needs.map((key) => idOf[key])
    const places = repeat(max ?? (min ?? 0) + UNLIMITED, (index) => ({
      needs: new Set(ids),
      required: index < (min ?? 0),
      choice: null,
    }))
    const bounds = { minimum_number_of_participants: min, maximum_number_of_participants: max }
    return { configuration: { minimum_age, ...bounds, required_qualification_ids: ids }, places }
  }
  if (plan.slug === 'named_teams') {
    const teams = plan.teams.map(([title, key, min_count, max_count]) => {
      return { key, team: { uuid: random.uuid(), title, qualification: idOrNull(key), min_count, max_count } }
    })
    const places = teams.flatMap(({ key, team: { uuid, min_count, max_count } }) =>
      repeat(max_count ?? min_count + UNLIMITED, (index) => {
        const choice = { wish: 'preferred_team_uuid', assignment: 'dispatched_team_uuid', value: uuid }
        return { needs: skills(key), required: index < min_count, choice }
      }),
    )
    const configuration = { minimum_age, choose_preferred_team: plan.choose ?? false, teams: teams.map(({ team }) => team) }
    return { configuration, places }
  }
  if (plan.slug === 'qualification_mix') {
    const configuration = {
      minimum_age,
      qualification_requirements: plan.mix.map(([key, min_count, max_count]) => ({
        qualification: idOrNull(key),
        min_count,
        max_count,
      })),
    }
    const places = plan.mix.flatMap(([key, min, max]) =>
      repeat(max ?? min + UNLIMITED, (index) => ({ needs: skills(key), required: index < min, choice: null })),
    )
    return { configuration, places }
  }
  const starting_blocks = plan.blocks.map(([block, label, optional = false]) => {
    return { uuid: random.uuid(), building_block: base.blocks.idOf[block], label, optional }
  })
  const configuration = { minimum_age, choose_preferred_unit: plan.choose ?? false, starting_blocks }
  return { configuration, places: placesOfUnits(starting_blocks, base) }
}

type StartingBlock = { uuid: string; building_block: number; label: string; optional: boolean }

function placesOfUnits(startingBlocks: StartingBlock[], { blocks, qualifications }: Base): Place[] {
  const starting = startingBlocks.map(({ building_block, ...block }) => ({ ...block, blockId: building_block }))
  const units = expandUnits(starting, blocks.byId, qualifications.inclusions) ?? []
  return units.flatMap(({ path, positions, more }) => {
    const choice = { wish: 'preferred_unit_path', assignment: 'dispatched_unit_path', value: path }
    const extra = more?.[0] ? repeat(MORE, () => ({ needs: more[0]!, required: false, choice })) : []
    return [...positions.map(({ needs, required }) => ({ needs, required, choice })), ...extra]
  })
}

function repeat<T>(times: number, make: (index: number) => T): T[] {
  return Array.from({ length: times }, (_, index) => make(index))
}
