import { MAX_ROWS } from '#features/events/events/rules/count-limits.ts'
import { toSingleLine } from '#platform/single-line.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import type { Configuration } from './flow-form.ts'
import { type Fault, findRows, readIds, readNumber } from './form-rows.ts'
import { checkBounds, hasRows, isAge, NO_ROWS, ROW_KEYS, type RowStructure } from './structure-checks.ts'

type StructureRead = { configuration: Configuration; faults: Fault[] }
type StructureContext = { kept: Configuration; newUuid: () => string }

/** Prefix letter of the rows of a structure in field names. */
export const ROW_LETTERS = { named_teams: 't', qualification_mix: 'm', complex: 'b' } as const

type Row = Record<string, unknown>
const rowsOf = (configuration: Configuration, slug: RowStructure): Row[] => {
  const rows = configuration[ROW_KEYS[slug]]
  return Array.isArray(rows) ? rows.filter((row): row is Row => typeof row === 'object' && row !== null) : []
}
const shown = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** One empty row for each structure, shown when the structure is chosen. */
export const newStructureValues = (prefix: string): FormValues => ({
  [`${prefix}structure`]: 'uniform',
  ...Object.fromEntries(Object.values(ROW_LETTERS).map((letter) => [`${prefix}${letter}0-on`, '1'])),
})

export function structureValues(
  prefix: string,
  { slug, configuration }: { slug: string; configuration: Configuration },
): FormValues {
  const values: FormValues = { ...newStructureValues(prefix), [`${prefix}structure`]: slug }
  values[`${prefix}age`] = shown(configuration.minimum_age)
  if (slug === 'uniform') {
    values[`${prefix}min`] = shown(configuration.minimum_number_of_participants)
    values[`${prefix}max`] = shown(configuration.maximum_number_of_participants)
    values[`${prefix}quals`] = Array.isArray(configuration.required_qualification_ids)
      ? configuration.required_qualification_ids.map(String)
      : []
  }
  if (configuration.choose_preferred_team === true) values[`${prefix}choose_team`] = 'on'
  if (configuration.choose_preferred_unit === true) values[`${prefix}choose_unit`] = 'on'
  if (!hasRows(slug)) return values
  for (const [index, row] of rowsOf(configuration, slug).entries()) {
    const at = `${prefix}${ROW_LETTERS[slug]}${index}-`
    Object.assign(values, { [`${at}on`]: '1', [`${at}old`]: String(index), [`${at}uuid`]: shown(row.uuid) })
    Object.assign(values, { [`${at}title`]: shown(row.title), [`${at}qual`]: shown(row.qualification) })
    Object.assign(values, { [`${at}min`]: shown(row.min_count), [`${at}max`]: shown(row.max_count) })
    Object.assign(values, { [`${at}block`]: shown(row.building_block), [`${at}label`]: shown(row.label) })
    if (row.optional === true) values[`${at}optional`] = 'on'
  }
  return values
}

/** Minimum and maximum number of people. */
function readBounds(values: FormValues, at: string, faults: Fault[]): { min: number | null; max: number | null } {
  const min = readNumber(fieldValue(values, `${at}min`))
  const max = readNumber(fieldValue(values, `${at}max`))
  faults.push(...checkBounds({ min, max }).map(({ bound, code }) => ({ field: `${at}${bound}`, code })))
  return { min: min ?? null, max: max ?? null }
}

export function readStructure(values: FormValues, prefix: string, context: StructureContext): StructureRead {
  const slug = fieldValue(values, `${prefix}structure`)
  const faults: Fault[] = []
  const age = readNumber(fieldValue(values, `${prefix}age`))
  if (!isAge(age)) faults.push({ field: `${prefix}age`, code: 'not_a_number' })
  const shared = { ...context.kept, minimum_age: age ?? null }
  if (slug === 'uniform') {
    const { min, max } = readBounds(values, prefix, faults)
    const counts = { minimum_number_of_participants: min, maximum_number_of_participants: max }
    return { configuration: { ...shared, ...counts, required_qualification_ids: readIds(values, `${prefix}quals`) }, faults }
  }
  if (!hasRows(slug)) return { configuration: context.kept, faults: [] }
  const rows = readRows(values, prefix, slug, context, faults)
  if (!rows.length && !faults.length) faults.push({ field: `${prefix}structure`, code: NO_ROWS[slug] })
  if (rows.length > MAX_ROWS) faults.push({ field: `${prefix}structure`, code: 'too_many_rows' })
  const choose = {
    named_teams: { choose_preferred_team: isChecked(values, `${prefix}choose_team`) },
    qualification_mix: {},
    complex: { choose_preferred_unit: isChecked(values, `${prefix}choose_unit`) },
  }[slug]
  return { configuration: { ...shared, ...choose, [ROW_KEYS[slug]]: rows }, faults }
}

function readRows(values: FormValues, prefix: string, slug: RowStructure, context: StructureContext, faults: Fault[]): Row[] {
  const stored = rowsOf(context.kept, slug)
  return findRows(values, `${prefix}${ROW_LETTERS[slug]}`).flatMap((row): Row[] => {
    const at = `${prefix}${ROW_LETTERS[slug]}${row}-`
    const text = (name: string) => toSingleLine(fieldValue(values, `${at}${name}`))
    const isEmpty = ['title', 'qual', 'min', 'max', 'block', 'label'].every((name) => text(name) === '')
    if (isEmpty) return []
    const uuid = text('uuid') || context.newUuid()
    // Match the stored row by uuid, otherwise by its former index.
    const old = stored.find((each) => each.uuid === uuid) ?? (text('old') ? stored[Number(text('old'))] : undefined) ?? {}
    const idOf = (name: string) => (/^\d{1,15}$/.test(text(name)) ? Number(text(name)) : null)
    if (slug === 'complex') {
      const block = idOf('block')
      if (block === null) faults.push({ field: `${at}block`, code: 'missing' })
      return [{ ...old, uuid, building_block: block, label: text('label'), optional: isChecked(values, `${at}optional`) }]
    }
    const { min, max } = readBounds(values, at, faults)
    const counts = { qualification: idOf('qual'), min_count: min ?? 0, max_count: max }
    if (slug === 'qualification_mix') return [{ ...old, ...counts }]
    if (!text('title')) faults.push({ field: `${at}title`, code: 'missing' })
    return [{ ...old, uuid, title: text('title'), ...counts }]
  })
}
