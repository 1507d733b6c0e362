import type { Shift } from '#platform/db/tables.ts'
import { makePlainFields, type PlainField, type PlainName, type PlainValues } from './plain-fields.ts'

/** Values that only belong together: each place that handles them has code for the field. `values`: names in the journal; columns, if the table has them. */
type CompoundField = { type: 'compound'; values: readonly string[] }

/**
 * Every field of a shift that planners enter. A plain field is a line here: reads and bodies of the API, the form, the store, the journal,
 * undo, copies, series and templates follow. Code for compound fields is typed by this list, so a forgotten place does not compile.
 */
export const SHIFT_FIELDS = {
  label: { type: 'text', default: '', maxLength: 255, isCopied: true, isRepeated: false, shown: [] },
  times: { type: 'compound', values: ['meeting_time', 'start_time', 'end_time'] },
  flow: { type: 'compound', values: ['signup_flow_slug', 'signup_flow_configuration'] },
  structure: { type: 'compound', values: ['structure_slug', 'structure_configuration'] },
  questions: { type: 'compound', values: ['questions'] },
} as const satisfies Record<string, PlainField | CompoundField>

/** Columns that no planner enters. */
type DerivedColumn =
  | 'id'
  | 'event_id'
  | 'listed_audience_id'
  | 'stats_stale'
  | 'confirmed_count'
  | 'requested_count'
  | 'min_count'
  | 'max_count'
  | 'free'
  | 'missing'
  | 'shortfall'

type Fields = typeof SHIFT_FIELDS
export type ShiftPart = keyof Fields
export type ShiftFieldName = PlainName<Fields>
export type ShiftValues = PlainValues<Fields>
/** The names of the values in the journal. */
export type ShiftFact = {
  [Part in ShiftPart]: Fields[Part] extends CompoundField ? Fields[Part]['values'][number] : Part
}[ShiftPart]
/** Each column is entered or derived: a new column of the table is an error where shifts are stored, until a field has it. */
export type ShiftColumn = Exclude<keyof Shift, DerivedColumn>

export const shiftFields = makePlainFields(SHIFT_FIELDS)

export const SHIFT_PARTS = Object.keys(SHIFT_FIELDS) as ShiftPart[]
/** Those that copies, series and templates take over. */
export const COPIED_PARTS = SHIFT_PARTS.filter((part) => {
  const field: PlainField | CompoundField = SHIFT_FIELDS[part]
  return field.type === 'compound' || field.isCopied
})

export function factsOf(part: ShiftPart): readonly string[] {
  const field = SHIFT_FIELDS[part]
  return field.type === 'compound' ? field.values : [part]
}
