/** A form as browsers send it: flat names, lists where a name is repeated. */
export type FormValues = Record<string, string | string[]>

export type Fault = { field: string; code: FaultCode }
export type FaultCode =
  | 'missing'
  | 'unreadable'
  | 'too_long'
  | 'not_a_number'
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
  | 'no_shift'
  | 'too_many_dates'
  | 'no_dates'

export const one = (values: FormValues, name: string): string => {
  const value = values[name]
  return (Array.isArray(value) ? value.at(-1) : value) ?? ''
}
export const many = (values: FormValues, name: string): string[] => [values[name] ?? []].flat()
export const isOn = (values: FormValues, name: string): boolean => one(values, name) !== ''
export const idsIn = (values: FormValues, name: string): number[] => [
  ...new Set(many(values, name).flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : []))),
]

/** Every row marks itself, so that the rows are known whatever else is empty: `s0-on`, `s0-t3-on`. */
export function rowsIn(values: FormValues, prefix: string): number[] {
  return Object.keys(values)
    .flatMap((name) => {
      const row = name.startsWith(prefix) && name.endsWith('-on') ? name.slice(prefix.length, -3) : ''
      return /^\d{1,4}$/.test(row) ? [Number(row)] : []
    })
    .sort((a, b) => a - b)
}

export const nextRow = (values: FormValues, prefix: string): number => (rowsIn(values, prefix).at(-1) ?? -1) + 1

export function withoutRow(values: FormValues, row: string): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(`${row}-`)))
}

/** The part of a form that belongs to one row, under another prefix. */
export function rowAs(values: FormValues, from: string, to: string): FormValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (name.startsWith(from) ? [[to + name.slice(from.length), value]] : [])),
  )
}

/** Empty is none; undefined: not a whole number that can be stored. */
export function readNumber(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,6}$/.test(typed) ? Number(typed) : undefined
}
