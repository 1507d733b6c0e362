import { z } from 'zod'
import { defineSettings, wholeNumber } from '#features/operations/settings/schema/define-settings.ts'
import { checkboxes, defineForm, hidden, number, radios, textarea } from '#platform/ui/define-form.ts'
import { formIds, formLines } from '#platform/ui/form-schemas.ts'

export const MAX_MESSAGE_LENGTH = 500
export const MAX_REASON_LENGTH = 255
export const MAX_PEOPLE = 300
export const MAX_HOURS = 336

/** Search by name, show all again, tick all that are shown, and tick none of them. */
export const LIST_BUTTONS = ['search', 'clear', 'all', 'none'] as const
export type ListButton = (typeof LIST_BUTTONS)[number]

const between = (min: number, max: number, message: string, otherwise: string) =>
  z
    .string()
    .trim()
    .default(otherwise)
    .refine((value) => /^\d{1,4}$/.test(value) && Number(value) >= min && Number(value) <= max, message)
    .transform(Number)

export const askForm = defineForm({
  /** The button: asks those who come next or those who were chosen, or changes the list of people to choose from. */
  who: hidden(z.enum(['next', 'chosen', ...LIST_BUTTONS]).default('next')),
  count: number({
    label: 'inquiries.count',
    min: 1,
    max: MAX_PEOPLE,
    schema: between(1, MAX_PEOPLE, 'inquiries.number_invalid', '1'),
  }),
  people: checkboxes({
    label: 'inquiries.people',
    schema: formIds.refine((ids) => ids.length <= MAX_PEOPLE, 'form.invalid'),
  }),
  wanted: number({
    label: 'inquiries.wanted',
    help: 'inquiries.wanted_help',
    min: 1,
    max: MAX_PEOPLE,
    schema: between(1, MAX_PEOPLE, 'inquiries.number_invalid', '1'),
  }),
  how: radios({ label: 'inquiries.how', schema: z.enum(['all', 'waves']).default('all') }),
  size: number({
    label: 'inquiries.wave_size',
    min: 1,
    max: MAX_PEOPLE,
    schema: between(1, MAX_PEOPLE, 'inquiries.number_invalid', '5'),
  }),
  hours: number({
    label: 'inquiries.wave_hours',
    min: 1,
    max: MAX_HOURS,
    schema: between(1, MAX_HOURS, 'inquiries.number_invalid', '2'),
  }),
  message: textarea({
    label: 'inquiries.message',
    help: 'inquiries.message_help',
    rows: 2,
    schema: formLines.refine((value) => [...value].length <= MAX_MESSAGE_LENGTH, 'inquiries.message_long').default(''),
  }),
})

/** One tap on the page behind the link. */
export const answerForm = z.object({
  answer: z.enum(['can', 'cannot'], 'form.invalid'),
  reason: formLines.refine((value) => [...value].length <= MAX_REASON_LENGTH, 'inquiries.reason_long').default(''),
})

/** How often people are asked. */
export const inquirySettings = defineSettings({
  inquiries_per_day: wholeNumber({
    label: 'instance.inquiries_per_day',
    help: 'instance.inquiries_per_day_help',
    default: 3,
    min: 1,
    max: 50,
  }),
})
