import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { TablePlan } from './plan.ts'

const LONG_HOURS = 14
const HOUR_MS = 3600_000

/** What planners should look at before they save, by the rows of new shifts. */
export type Warnings = { double: number[]; past: number[]; long: number[]; open: number[] }

const keyOf = ({ times, label }: Pick<ShiftInput, 'times' | 'label'>): string =>
  `${times.start.getTime()} ${times.end.getTime()} ${label.trim().toLowerCase()}`

/** `existing`: shifts that are stored and stay. */
export function findWarnings(
  { created }: Pick<TablePlan, 'created'>,
  existing: readonly Pick<ShiftInput, 'times' | 'label'>[],
  now: Date,
): Warnings {
  const known = new Set(existing.map(keyOf))
  const warnings: Warnings = { double: [], past: [], long: [], open: [] }
  for (const { row, input } of created) {
    const key = keyOf(input)
    if (known.has(key)) warnings.double.push(row)
    known.add(key)
    if (input.times.end < now) warnings.past.push(row)
    if (input.times.end.getTime() - input.times.start.getTime() > LONG_HOURS * HOUR_MS) warnings.long.push(row)
    if (input.structureSlug === 'uniform' && !hasNumber(input)) warnings.open.push(row)
  }
  return warnings
}

const hasNumber = ({
  structureConfiguration: { minimum_number_of_participants: min, maximum_number_of_participants: max },
}: ShiftInput) => typeof min === 'number' || typeof max === 'number'
