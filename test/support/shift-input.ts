import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'

const at = (text: string) => new Date(text)
export const times = (start: string, end: string, meeting = start) => ({ meeting: at(meeting), start: at(start), end: at(end) })
export const input = (more: Partial<ShiftInput> = {}): ShiftInput => ({
  times: times('2031-06-01T08:00+02:00', '2031-06-01T12:00+02:00'),
  ...shiftFields.defaults,
  questions: [],
  flowSlug: 'instant_confirmation',
  flowConfiguration: {},
  structureSlug: 'uniform',
  structureConfiguration: { maximum_number_of_participants: 2 },
  ...more,
})
