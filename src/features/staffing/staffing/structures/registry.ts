import { type Span, spansWhole } from '#platform/time-span.ts'
import { computeCoverage, largestLack, type Segment } from '../rules/coverage.ts'
import { holdsPlace } from '../rules/lapses.ts'
import { type SignupStats, STATE } from '../rules/model.ts'
import { fallbackStats } from '../rules/statistics.ts'
import { complex } from './complex.ts'
import { namedTeams } from './named-teams.ts'
import { qualificationMix } from './qualification-mix.ts'
import type { Structure, StructureInput, StructurePerson } from './structure.ts'
import { uniform } from './uniform.ts'

export const STRUCTURES: readonly Structure[] = [uniform, namedTeams, qualificationMix, complex]

const bySlug = new Map(STRUCTURES.map((structure) => [structure.slug, structure]))

/** Undefined for an unknown slug, e.g. of imported data: the shift must stay readable. */
export function getStructure(slug: string): Structure | undefined {
  return bySlug.get(slug)
}

type Planned = { structureSlug: string; structureConfiguration: unknown }

/** Undefined if no qualification is needed, or the structure is unknown. */
export function isQualifiedForPlace(
  { structureSlug, structureConfiguration }: Planned,
  input: StructureInput,
  person: Pick<StructurePerson, 'skills' | 'structureData'>,
): boolean | undefined {
  return getStructure(structureSlug)?.isQualified(structureConfiguration, input, person)
}

type Presence = { span: Span; presence: ReadonlyMap<number, Span> }

/** How confirmed people cover the shift over time; undefined if its structure is invalid. */
export function coverShift(shift: Planned & StructureInput & Presence): Segment[] | undefined {
  const { structureSlug, structureConfiguration, span, presence, ...input } = shift
  const confirmed = input.people.filter(holdsPlace)
  const seats = getStructure(structureSlug)?.seats(structureConfiguration, { ...input, people: confirmed })
  if (!seats) return undefined
  const ids = new Set(confirmed.map(({ participationId }) => participationId))
  return computeCoverage({
    shift: span,
    seats,
    inclusions: input.qualifications,
    people: confirmed.map(({ participationId: id, skills }) => ({ id, state: 'confirmed', skills })),
    presence: new Map([...presence].filter(([id]) => ids.has(id))),
  })
}

/** `held`: places that are offered to people of the waiting list. They are still missing, but not free for others. */
type Held = { held?: readonly StructurePerson[] }

/** With the times of people, gaps at times count, too. */
export function computeStatistics(shift: Planned & StructureInput & Partial<Presence> & Held): SignupStats {
  const { structureSlug, structureConfiguration, span, presence, held = [], ...input } = shift
  const statsOf = (people: readonly StructurePerson[]) =>
    getStructure(structureSlug)?.statistics(structureConfiguration, { ...input, people }) ?? fallbackStats(people)
  const counted = statsOf(input.people)
  const stats = held.length ? { ...counted, free: statsOf([...input.people, ...held]).free } : counted
  if (!span || !presence) return stats
  const isPartly = ({ participationId, state }: StructurePerson) =>
    state === STATE.confirmed && !spansWhole(presence.get(participationId) ?? span, span)
  if (!input.people.some(isPartly)) return stats
  const shortfall = largestLack(coverShift({ ...shift, span, presence }) ?? [])
  return shortfall > stats.missing ? { ...stats, shortfall } : stats
}
