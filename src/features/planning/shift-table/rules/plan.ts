import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { makeFormVersion } from '#features/planning/planning/rules/form-version.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import type { TypedReading } from '#platform/i18n/typed-dates.ts'
import { CELLS_OF, type CellFault, PARTS, type Part, partsOf, type printCells, type RowRead, readRow } from './cells.ts'
import { isEmptyRow } from './paste.ts'
import type { TableRow } from './rows.ts'

export type RowFault = CellFault & { row: number }
/** Somebody else saved these parts since the table was loaded; without `current`, they deleted the shift. */
export type RowConflict = { row: number; parts: readonly Part[]; current: PlannedShift | undefined }
export type TablePlan = {
  created: { row: number; input: ShiftInput }[]
  changed: { row: number; shift: PlannedShift; input: ShiftInput; parts: Part[] }[]
  removed: { row: number; shift: PlannedShift }[]
  faults: RowFault[]
  conflicts: RowConflict[]
}

export type PlanContext = {
  shifts: readonly PlannedShift[]
  pattern: ShiftInput | undefined
  timeZone: string
  reading: TypedReading
  newUuid: () => string
  /** The cells of a shift, in any language. */
  print: (shift: PlannedShift) => ReturnType<typeof printCells>
}

/** What saving the rows does to the shifts of now. */
export function planRows(rows: readonly TableRow[], context: PlanContext): TablePlan {
  const plan: TablePlan = { created: [], changed: [], removed: [], faults: [], conflicts: [] }
  const stored = new Map(context.shifts.map((shift) => [shift.id, shift]))
  for (const row of rows) {
    if (row.id === undefined) planNew(plan, row, context)
    else {
      const shift = stored.get(row.id)
      if (shift) planStored(plan, row, shift, context)
      else if (!row.isGone && isTouched(row, context)) plan.conflicts.push({ row: row.row, parts: [], current: undefined })
    }
  }
  return plan
}

function planNew(plan: TablePlan, row: TableRow, context: PlanContext): void {
  if (row.isGone || isEmptyRow(row.texts)) return
  const read = readRow(row, context)
  if (read.faults.length) plan.faults.push(...read.faults.map((fault) => ({ ...fault, row: row.row })))
  else plan.created.push({ row: row.row, input: read.input as ShiftInput })
}

const touchedParts = ({ seen }: TableRow, wished: Record<Part, string>): Part[] => {
  const marks = makeFormVersion(wished)
  return PARTS.filter((part) => marks[part] !== seen[part])
}

/** Whether a row of a shift that is gone was changed. What depends on the shift itself is left out. */
function isTouched(row: TableRow, { reading, timeZone, newUuid }: PlanContext): boolean {
  const read = readRow(row, { reading, timeZone, newUuid })
  if (read.faults.length) return true
  const touched = touchedParts(row, partsOf(read.input as ShiftInput, timeZone))
  return touched.includes('times') || touched.includes('label')
}

function planStored(plan: TablePlan, row: TableRow, shift: PlannedShift, context: PlanContext): void {
  const { timeZone } = context
  if (row.isGone) {
    plan.removed.push({ row: row.row, shift })
    return
  }
  const read = readRow(row, { ...context, stored: shift })
  if (read.faults.length) {
    plan.faults.push(...read.faults.map((fault) => ({ ...fault, row: row.row })))
    return
  }
  const now = partsOf(shift, timeZone)
  const wished = partsOf(read.input as ShiftInput, timeZone)
  const touched = touchedParts(row, wished)
  const marks = makeFormVersion(now)
  const stale = touched.filter((part) => row.seen[part] !== marks[part] && wished[part] !== now[part])
  if (stale.length) {
    plan.conflicts.push({ row: row.row, parts: stale, current: shift })
    return
  }
  const final = mergeUntouched(row, shift, { read, touched, context })
  if (final.faults.length) {
    plan.faults.push(...final.faults.map((fault) => ({ ...fault, row: row.row })))
    return
  }
  const input = final.input as ShiftInput
  const after = partsOf(input, timeZone)
  const parts = PARTS.filter((part) => after[part] !== now[part])
  if (parts.length) plan.changed.push({ row: row.row, shift, input: onlyParts(shift, input, parts), parts })
}

/** Parts that were not touched take what somebody else has saved. */
function mergeUntouched(
  row: TableRow,
  shift: PlannedShift,
  { read, touched, context }: { read: RowRead; touched: readonly Part[]; context: PlanContext },
): RowRead {
  if (touched.length === PARTS.length) return read
  const current = context.print(shift)
  const kept = PARTS.filter((part) => !touched.includes(part)).flatMap((part) => CELLS_OF[part])
  const texts = { ...row.texts, ...Object.fromEntries(kept.map((cell) => [cell, current.texts[cell]])) }
  const which = touched.includes('times') ? row.which : current.which
  return readRow({ texts, which }, { ...context, stored: shift })
}

/** Reading a form adds settings that the shift leaves out; parts that did not change stay as they are stored. */
function onlyParts(shift: PlannedShift, input: ShiftInput, parts: readonly Part[]): ShiftInput {
  const { id: _id, eventId: _event, confirmed: _confirmed, requested: _requested, ...stored } = shift
  const has = (part: Part) => parts.includes(part)
  const until = input.flowConfiguration.signup_until
  // Sign-up that closes at the start moves along with it.
  const isMoved = has('times') && isSelfService(shift.flowSlug) && until !== shift.flowConfiguration.signup_until
  const moved = isMoved ? { ...shift.flowConfiguration, signup_until: until } : shift.flowConfiguration
  return {
    ...stored,
    ...(has('label') ? { label: input.label } : {}),
    ...(has('times') ? { times: input.times } : {}),
    ...(has('needs') ? { structureSlug: input.structureSlug, structureConfiguration: input.structureConfiguration } : {}),
    flowSlug: input.flowSlug,
    flowConfiguration: has('flow') || has('until') ? input.flowConfiguration : moved,
  }
}
