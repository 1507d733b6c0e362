import { MAX_AGE, MAX_COUNT, MAX_ROWS } from '#features/events/events/rules/count-limits.ts'
import { SINGLE_LINE } from '#platform/single-line.ts'
import type { Fault, FaultCode } from './form-rows.ts'

/** Where the rows of a structure are in its configuration. */
export const ROW_KEYS = {
  named_teams: 'teams',
  qualification_mix: 'qualification_requirements',
  complex: 'starting_blocks',
} as const
export type RowStructure = keyof typeof ROW_KEYS
export const hasRows = (slug: string): slug is RowStructure => Object.hasOwn(ROW_KEYS, slug)
export const NO_ROWS = { named_teams: 'no_team', qualification_mix: 'no_requirement', complex: 'no_block' } as const

/** Undefined stands for a value that is not a number. */
type Count = number | null | undefined
export const isAge = (age: Count): boolean => age !== undefined && (age ?? 0) <= MAX_AGE

/** Minimum and maximum number of people. */
export function checkBounds({ min, max }: { min: Count; max: Count }): { bound: 'min' | 'max'; code: FaultCode }[] {
  const found: { bound: 'min' | 'max'; code: FaultCode }[] = []
  if (min === undefined) found.push({ bound: 'min', code: 'not_a_number' })
  if (max === undefined) found.push({ bound: 'max', code: 'not_a_number' })
  if (max === 0) found.push({ bound: 'max', code: 'too_small' })
  if (min != null && max != null && min > max) found.push({ bound: 'max', code: 'min_above_max' })
  return found
}

type Row = Record<string, unknown>
export type KnownIds = { qualifications: ReadonlySet<number>; blocks: ReadonlySet<number> }

/** Values of another type are left to the schema of the structure. */
const countIn = (row: Row, key: string): Count => {
  const value = row[key]
  if (typeof value !== 'number') return null
  return Number.isInteger(value) && value <= MAX_COUNT ? value : undefined
}
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Faults of a configuration of an API client. Fields are paths in the configuration. */
export function checkStructure(slug: string, configuration: Row, known: KnownIds): Fault[] {
  const faults: Fault[] = isAge(countIn(configuration, 'minimum_age')) ? [] : [{ field: 'minimum_age', code: 'not_a_number' }]
  if (slug === 'uniform') {
    const [min, max] = ['minimum_number_of_participants', 'maximum_number_of_participants'] as const
    const ids = configuration.required_qualification_ids
    return [
      ...faults,
      ...checkLength(ids, 'required_qualification_ids'),
      ...boundsIn(configuration, '', { min, max }),
      ...(Array.isArray(ids) ? ids : []).flatMap((id, index) =>
        checkKnown(id, `required_qualification_ids/${index}`, known.qualifications, 'unknown_qualification'),
      ),
    ]
  }
  if (!hasRows(slug)) return faults
  const rows = configuration[ROW_KEYS[slug]] ?? []
  if (!Array.isArray(rows)) return faults
  if (!rows.length) faults.push({ field: ROW_KEYS[slug], code: NO_ROWS[slug] })
  faults.push(...checkLength(rows, ROW_KEYS[slug]))
  const uuids = new Set<unknown>()
  for (const [index, row] of rows.entries()) {
    if (!isRow(row)) continue
    const at = `${ROW_KEYS[slug]}/${index}/`
    if (slug !== 'qualification_mix' && uuids.has(row.uuid)) faults.push({ field: `${at}uuid`, code: 'duplicate_uuid' })
    uuids.add(row.uuid)
    faults.push(...checkRow(slug, row, at, known))
  }
  return faults
}

const checkLength = (list: unknown, field: string): Fault[] =>
  Array.isArray(list) && list.length > MAX_ROWS ? [{ field, code: 'too_many_rows' }] : []

const checkLine = (text: unknown, field: string): Fault[] =>
  typeof text === 'string' && !SINGLE_LINE.test(text) ? [{ field, code: 'not_one_line' }] : []

function checkRow(slug: RowStructure, row: Row, at: string, known: KnownIds): Fault[] {
  if (slug === 'complex') {
    const isMissing = row.building_block == null
    return [
      ...checkLine(row.label, `${at}label`),
      ...(isMissing ? [{ field: `${at}building_block`, code: 'missing' } as const] : []),
      ...(isMissing ? [] : checkKnown(row.building_block, `${at}building_block`, known.blocks, 'unknown_block')),
    ]
  }
  const isUntitled = slug === 'named_teams' && (row.title == null || row.title === '')
  return [
    ...(isUntitled ? [{ field: `${at}title`, code: 'missing' } as const] : []),
    ...checkLine(row.title, `${at}title`),
    ...checkKnown(row.qualification, `${at}qualification`, known.qualifications, 'unknown_qualification'),
    ...boundsIn(row, at, { min: 'min_count', max: 'max_count' }),
  ]
}

const boundsIn = (row: Row, at: string, names: { min: string; max: string }): Fault[] =>
  checkBounds({ min: countIn(row, names.min), max: countIn(row, names.max) }).map(({ bound, code }) => ({
    field: `${at}${names[bound]}`,
    code,
  }))

const checkKnown = (id: unknown, field: string, known: ReadonlySet<number>, code: FaultCode): Fault[] =>
  typeof id !== 'number' || known.has(id) ? [] : [{ field, code }]

/** The configuration with the keys that the form writes, too. Rows without a uuid get one. */
export function completeStructure(slug: string, configuration: Row, newUuid: () => string): Row {
  const shared = { minimum_age: null }
  if (slug === 'uniform') {
    const counts = { minimum_number_of_participants: null, maximum_number_of_participants: null }
    return { ...shared, ...counts, required_qualification_ids: [], ...configuration }
  }
  if (!hasRows(slug)) return configuration
  const choose = {
    named_teams: { choose_preferred_team: false },
    qualification_mix: {},
    complex: { choose_preferred_unit: false },
  }[slug]
  const counts = { qualification: null, min_count: 0, max_count: null }
  const defaults = { named_teams: counts, qualification_mix: counts, complex: { label: '', optional: false } }[slug]
  const rows = configuration[ROW_KEYS[slug]]
  const complete = (row: unknown): unknown => {
    if (!isRow(row)) return row
    const uuid = slug === 'qualification_mix' ? {} : { uuid: row.uuid ?? newUuid() }
    return { ...defaults, ...row, ...uuid }
  }
  return {
    ...shared,
    ...choose,
    ...configuration,
    ...(Array.isArray(rows) ? { [ROW_KEYS[slug]]: rows.map(complete) } : {}),
  }
}
