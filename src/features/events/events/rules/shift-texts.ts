/**
 * Plain texts of a shift, named like their columns. Queries, records and bodies of the API, the form, the journal and copies of shifts
 * follow from this list.
 */
export const SHIFT_TEXTS = { label: { maxLength: 255 } } as const

export type ShiftTextName = keyof typeof SHIFT_TEXTS
export type ShiftTexts = Record<ShiftTextName, string>

export const SHIFT_TEXT_NAMES = Object.keys(SHIFT_TEXTS) as ShiftTextName[]

export const mapShiftTexts = <Value>(read: (name: ShiftTextName) => Value): Record<ShiftTextName, Value> =>
  Object.fromEntries(SHIFT_TEXT_NAMES.map((name) => [name, read(name)])) as Record<ShiftTextName, Value>

export const pickShiftTexts = (shift: ShiftTexts): ShiftTexts => mapShiftTexts((name) => shift[name])

export const findLongTexts = (texts: ShiftTexts): ShiftTextName[] =>
  SHIFT_TEXT_NAMES.filter((name) => [...texts[name]].length > SHIFT_TEXTS[name].maxLength)
