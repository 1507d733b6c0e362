import type { Words } from '#platform/i18n/words.ts'
import { type EventValues, eventFields } from '../rules/event-fields.ts'
import type { Place } from '../rules/plain-fields.ts'
import { type ShiftValues, shiftFields } from '../rules/shift-fields.ts'

/** “Break: 30” for each field that has another value than usual and is shown in that place. */
export const findShiftFacts = (words: Words, values: ShiftValues, place: Place): string[] =>
  shiftFields
    .findShown(values, place)
    .map((name) => `${words.t('ui.label', { label: words.t(`plan.field.${name}`) })} ${formatPlainValue(words, values[name])}`)

export const findEventFacts = (words: Words, values: EventValues): string[] =>
  eventFields
    .findShown(values, 'page')
    .map((name) => `${words.t('ui.label', { label: words.t(`plan.field.${name}`) })} ${formatPlainValue(words, values[name])}`)

export const formatPlainValue = (words: Words, value: string | number | boolean | null): string => {
  if (typeof value === 'boolean') return words.t(value ? 'plan.flag_on' : 'plan.flag_off')
  return typeof value === 'number' ? words.number(value) : (value ?? '')
}
