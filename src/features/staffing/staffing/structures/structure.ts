import type { z } from 'zod'
import type { Lapse } from '../rules/lapses.ts'
import type { Inclusions, Reason, Seat, SignupStats, Skills, State } from '../rules/model.ts'
import { covers } from '../rules/skills.ts'
import { addStats, countPeople, extraStats, fallbackStats } from '../rules/statistics.ts'
import { type BuildingBlock, normalizeUnitPaths } from '../rules/units.ts'

/** `skills`: everything held at the end of the person's time on the shift, includes followed. */
export type StructurePerson = {
  participationId: number
  state: State
  skills: Skills
  structureData: unknown
  /** A person with a lapse counts as confirmed and fills no place. */
  lapse?: Lapse | undefined
}

export type StructureInput = {
  people: readonly StructurePerson[]
  blocks: ReadonlyMap<number, BuildingBlock>
  qualifications: Inclusions
  /** Qualifications that the event type requires of everyone. */
  requiredByType?: Skills | undefined
}

/** A person who signs up or changes their details. If they have a participation already, it is one of `StructureInput.people`. */
export type Applicant = { participationId: number | undefined; state: State | undefined; skills: Skills; structureData: unknown }

/** `instant`: no responsible decides, so sign-ups are limited to free places. */
type FitOptions = { instant: boolean }

/** A choice on the sign-up form; `key` is the property of the structure data that stores it. */
export type WishField = {
  kind: 'team' | 'unit'
  key: string
  isRequired: boolean
  current: string | undefined
  options: readonly WishOption[]
  /** Titles of options that are not offered: full, or the person is not qualified. */
  full: readonly string[]
  unqualified: readonly string[]
}
type WishOption = { value: string; title: string }

export type Fit = { minimumAge: number | null; reasons: Reason[]; wish?: WishField | undefined }

type Placement = { ok: true; structureData: Record<string, unknown> } | { ok: false; reason: Reason }

export type Structure<Configuration = unknown> = {
  slug: string
  configuration: z.ZodType<Configuration>
  /** Takes the stored configuration; returns fallback statistics if it is invalid. */
  statistics: (stored: unknown, input: StructureInput) => SignupStats
  /** Whether the person can take part; undefined if the configuration is invalid. */
  fit: (stored: unknown, input: StructureInput, applicant: Applicant, options: FitOptions) => Fit | undefined
  /** Structure data to store for a person who fits. `wish` undefined: the form had no such field; empty: no preference. */
  place: (
    stored: unknown,
    input: StructureInput,
    applicant: Applicant,
    options: FitOptions & { wish: string | undefined },
  ) => Placement
  /** Structure data to store for a person whom a responsible assigns to a place. */
  dispatch: (stored: unknown, applicant: Applicant, options: DispatchOptions) => Placement
  /** All places of the plan for these people; undefined if the configuration is invalid. */
  seats: (stored: unknown, input: StructureInput) => Seat[] | undefined
  /** Whether the person meets the needs of their place, or of any if they have none. Undefined: no qualification is needed. */
  isQualified: (stored: unknown, input: StructureInput, person: PlacedPerson) => boolean | undefined
}

type PlacedPerson = Pick<StructurePerson, 'skills' | 'structureData'>

/** `isConfirming`: the person becomes confirmed, so they may need a place. */
type DispatchOptions = { place: string | undefined; isConfirming: boolean }

export function defineStructure<Configuration extends { minimum_age?: number | null | undefined }>(parts: {
  slug: string
  configuration: z.ZodType<Configuration>
  /** Undefined if the configuration is well-formed but contradictory. */
  count: (configuration: Configuration, input: StructureInput) => SignupStats | undefined
  /** Undefined as above. `input.people` are the others. */
  fit: (
    configuration: Configuration,
    input: StructureInput,
    applicant: Applicant,
    options: FitOptions,
  ) => Omit<Fit, 'minimumAge'> | undefined
  /** All places; undefined as above. */
  seats: (configuration: Configuration, input: StructureInput) => Seat[] | undefined
  /** What the person's place needs: any one of these sets is enough. */
  needs: (configuration: Configuration, input: StructureInput, person: PlacedPerson) => readonly Skills[]
  /** Assigns a person without a wish, for structures in which each confirmed person needs a place. */
  assign?: (configuration: Configuration, input: StructureInput, applicant: Applicant) => Record<string, unknown>
  /** Property that stores the place chosen by a responsible. `isPlaced` absent: a place is optional. */
  assignment?: { key: string; isPlaced?: (configuration: Configuration, applicant: Applicant) => boolean }
}): Structure<Configuration> {
  const { slug, configuration, count, assign, assignment } = parts
  const fit: Structure['fit'] = (stored, input, applicant, options) => {
    const parsed = configuration.safeParse(stored)
    const found = parsed.success
      ? parts.fit(parsed.data, withoutLapsed(withoutOwn(input, applicant)), applicant, options)
      : undefined
    return found && parsed.data && { minimumAge: parsed.data.minimum_age ?? null, ...found }
  }
  return {
    slug,
    configuration,
    statistics: (stored, input) => {
      const parsed = configuration.safeParse(stored)
      const counted = parsed.success ? count(parsed.data, withoutLapsed(input)) : undefined
      const lapsed = extraStats(countPeople(input.people.filter(({ lapse }) => lapse)))
      return counted && isStorable(counted) ? addStats(counted, lapsed) : fallbackStats(input.people)
    },
    fit,
    seats: (stored, input) => {
      const parsed = configuration.safeParse(stored)
      return parsed.success ? parts.seats(parsed.data, withoutLapsed(input)) : undefined
    },
    isQualified: (stored, input, person) => {
      const parsed = configuration.safeParse(stored)
      const needs = parsed.success ? parts.needs(parsed.data, input, person) : []
      const isNeeded = needs.length > 0 && needs.every(({ size }) => size > 0)
      if (!isNeeded && !input.requiredByType?.size) return undefined
      const meetsType = covers(person.skills, input.requiredByType ?? new Set())
      return meetsType && (!isNeeded || needs.some((one) => covers(person.skills, one)))
    },
    place: (stored, input, applicant, { wish, ...options }) => {
      const field = fit(stored, input, applicant, options)?.wish
      const before = normalizeUnitPaths(applicant.structureData)
      const wanted = wish === undefined && field ? (field.current ?? onlyOption(field)) : wish || undefined
      if (!field) return { ok: true, structureData: before }
      if (wanted === undefined && field.isRequired) return { ok: false, reason: { code: 'wish_needed' } }
      const isOffered = wanted === undefined || field.options.some(({ value }) => value === wanted)
      if (!isOffered) return { ok: false, reason: { code: 'wish_not_offered' } }
      if (wanted !== undefined && wanted === field.current) return { ok: true, structureData: before }
      const { [field.key]: _former, ...rest } = before
      const wished = wanted === undefined ? rest : { ...rest, [field.key]: wanted }
      if (!options.instant || !assign) return { ok: true, structureData: wished }
      const others = withoutLapsed(withoutOwn(input, applicant))
      return { ok: true, structureData: assign(configuration.parse(stored), others, { ...applicant, structureData: wished }) }
    },
    dispatch: (stored, applicant, { place, isConfirming }) => {
      const before = normalizeUnitPaths(applicant.structureData)
      if (!assignment) return { ok: true, structureData: before }
      const { [assignment.key]: former, ...rest } = before
      const value = place === undefined ? former : place || undefined
      const structureData = normalizeUnitPaths(value === undefined ? rest : { ...rest, [assignment.key]: value })
      const parsed = configuration.safeParse(stored)
      const isPlaced = !parsed.success || (assignment.isPlaced?.(parsed.data, { ...applicant, structureData }) ?? true)
      return isPlaced || !isConfirming ? { ok: true, structureData } : { ok: false, reason: { code: 'wish_needed' } }
    },
  }
}

/** The applicant's own participation must not take the place that they apply for. */
function withoutOwn(input: StructureInput, { participationId }: Applicant): StructureInput {
  return { ...input, people: input.people.filter((person) => person.participationId !== participationId) }
}

function withoutLapsed(input: StructureInput): StructureInput {
  return { ...input, people: input.people.filter(({ lapse }) => !lapse) }
}

/** The only possible choice of a required field; the form need not be shown for it. */
export function onlyOption({ isRequired, options }: WishField): string | undefined {
  return isRequired && options.length === 1 ? options[0]!.value : undefined
}

/** Counts are stored as 32-bit integers; a larger number in a configuration must not prevent saving the shift. */
function isStorable(stats: SignupStats): boolean {
  return Object.values(stats).every((value) => value === null || value <= 0x7fffffff)
}

/** Reads a string from the structure data of a participation; empty means not chosen. */
export function textIn(structureData: unknown, key: string): string | undefined {
  if (typeof structureData !== 'object' || structureData === null || !Object.hasOwn(structureData, key)) return undefined
  const value = (structureData as Record<string, unknown>)[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
