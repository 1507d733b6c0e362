import type { Words } from '#platform/i18n/words.ts'
import { type FormValues, fieldValues } from '#platform/ui/form-values.ts'

export type Fault = { field: string; code: FaultCode }
export type FaultCode =
  | 'missing'
  | 'unreadable'
  | 'not_a_date'
  | 'wrong_weekday'
  | 'not_a_time'
  | 'not_a_deadline'
  | 'skipped'
  | 'ambiguous'
  | 'too_long'
  | 'not_one_line'
  | 'not_a_number'
  | 'too_many_companions'
  | 'too_small'
  | 'min_above_max'
  | 'meeting_after_start'
  | 'end_before_start'
  | 'no_team'
  | 'no_requirement'
  | 'no_block'
  | 'no_leader'
  | 'leads_others'
  | 'opens_after_closing'
  | 'unknown_person'
  | 'unknown_group'
  | 'unknown_type'
  | 'unknown_flow'
  | 'unknown_structure'
  | 'unknown_qualification'
  | 'unknown_block'
  | 'unknown_question'
  | 'duplicate_uuid'
  | 'too_many_rows'
  | 'not_publishable'
  | 'no_shift'
  | 'too_many_questions'
  | 'too_many_dates'
  | 'no_dates'
  | 'series_too_long'

export const readIds = (values: FormValues, name: string): number[] => [
  ...new Set(fieldValues(values, name).flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : []))),
]

/** Each row has a hidden `on` field, so that empty rows are found, too: `s0-on`, `s0-t3-on`. */
export function findRows(values: FormValues, prefix: string): number[] {
  return Object.keys(values)
    .flatMap((name) => {
      const row = name.startsWith(prefix) && name.endsWith('-on') ? name.slice(prefix.length, -3) : ''
      return /^\d{1,4}$/.test(row) ? [Number(row)] : []
    })
    .sort((a, b) => a - b)
}

export const nextRow = (values: FormValues, prefix: string): number => (findRows(values, prefix).at(-1) ?? -1) + 1

export function withoutRow(values: FormValues, row: string): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(`${row}-`)))
}

/** The values of one row under another prefix. */
export function renameRow(values: FormValues, from: string, to: string): FormValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (name.startsWith(from) ? [[to + name.slice(from.length), value]] : [])),
  )
}

/** Null if empty, undefined if not a whole number of at most six digits. */
export function readNumber(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,6}$/.test(typed) ? Number(typed) : undefined
}

export const faultText = (words: Words, code: FaultCode): string =>
  code === 'skipped' || code === 'ambiguous' ? words.t(`form.time_${code}`) : words.t(`plan.fault.${code}`)
