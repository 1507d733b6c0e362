import { ADMINISTRATORS } from '#features/accounts/users/rules.ts'
import type { Bundle } from '#platform/auth/permissions.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'

/** Groups to begin with, by how the organisation is built. */
export const PATTERNS = ['simple', 'youth', 'sections'] as const
export type Pattern = (typeof PATTERNS)[number]

type Planned = { names: Record<SourceLanguage, string>; bundles: readonly Bundle[]; publishFor?: readonly string[] }

/** In the order in which they are created: a group comes after those for which it may publish. */
const GROUPS = {
  members: { names: { en: 'Members', de: 'Mitglieder' }, bundles: [] },
  youth: { names: { en: 'Youth group', de: 'Jugendgruppe' }, bundles: [] },
  section_1: { names: { en: 'Section 1', de: 'Abteilung 1' }, bundles: [] },
  section_2: { names: { en: 'Section 2', de: 'Abteilung 2' }, bundles: [] },
  youth_leaders: { names: { en: 'Youth leaders', de: 'Jugendleitung' }, bundles: ['planning'], publishFor: ['youth'] },
  leaders_1: {
    names: { en: 'Leaders of section 1', de: 'Leitung Abteilung 1' },
    bundles: ['planning'],
    publishFor: ['section_1'],
  },
  leaders_2: {
    names: { en: 'Leaders of section 2', de: 'Leitung Abteilung 2' },
    bundles: ['planning'],
    publishFor: ['section_2'],
  },
  planners: {
    names: { en: 'Planners', de: 'Planung' },
    bundles: ['planning'],
    publishFor: ['members', 'youth', 'section_1', 'section_2'],
  },
  administrators: { names: ADMINISTRATORS, bundles: ['management'] },
} as const satisfies Record<string, Planned>

type PatternGroup = keyof typeof GROUPS

const IN_PATTERN: Record<Pattern, readonly PatternGroup[]> = {
  simple: ['members', 'planners', 'administrators'],
  youth: ['members', 'youth', 'youth_leaders', 'planners', 'administrators'],
  sections: ['members', 'section_1', 'section_2', 'leaders_1', 'leaders_2', 'planners', 'administrators'],
}

export type ProposedGroup = {
  key: PatternGroup
  name: string
  bundles: readonly Bundle[]
  /** Names of the groups of the pattern for which its members may publish events. */
  publishFor: readonly string[]
  isThere: boolean
}

type Existing = { name: string; bundles: readonly string[] }

/** A group is there if one has its name, or, for administrators, if any group may manage everything. */
export function proposeGroups(pattern: Pattern, language: SourceLanguage, existing: readonly Existing[]): ProposedGroup[] {
  const taken = new Set(existing.map(({ name }) => name))
  const hasManagement = existing.some(({ bundles }) => bundles.includes('management'))
  const keys = IN_PATTERN[pattern]
  return keys.map((key) => {
    const { names, bundles, publishFor = [] }: Planned = GROUPS[key]
    const targets = keys.filter((other) => publishFor.includes(other)).map((other) => GROUPS[other].names[language])
    const isThere = taken.has(names[language]) || (key === 'administrators' && hasManagement)
    return { key, name: names[language], bundles, publishFor: targets, isThere }
  })
}
