import { z } from 'zod'
import { readDay } from '#platform/i18n/days.ts'
import { date, defineForm, hidden, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'

export const workingHoursRecord = z
  .strictObject({
    id: z.int(),
    user: z.int(),
    date: z.iso.date(),
    hours: z.number().describe('With at most two decimals'),
    reason: z.string(),
  })
  .meta({
    id: 'WorkingHours',
    examples: [{ id: 9, user: 7, date: '2031-03-02', hours: 2.5, reason: 'Cleaned the vehicles' }],
  })

export const hoursRequestRecord = z
  .strictObject({
    id: z.int(),
    date: z.iso.date().nullable().describe('null if an imported request has none'),
    hours: z.number().nullable(),
    reason: z.string(),
    state: z.enum(['open', 'granted', 'failed', 'refused', 'withdrawn']),
    comment: z.string().describe('Of the person who decided'),
    created_at: z.iso.datetime({ offset: true }),
    decided_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({
    id: 'WorkingHoursRequest',
    examples: [
      {
        id: 4,
        date: '2031-03-02',
        hours: 2.5,
        reason: 'Cleaned the vehicles',
        state: 'open',
        comment: '',
        created_at: '2031-03-03T18:00:00+01:00',
        decided_at: null,
      },
    ],
  })

export const MAX_HOURS = 1000
export const MAX_REASON_LENGTH = 1024

/** Accepts a decimal point or comma and up to two decimals: `1.5`, `1,25`. Undefined for anything else. */
function parseHours(text: string): number | undefined {
  const match = /^(\d{1,4})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return undefined
  const hours = Number(`${match[1]}.${match[2] ?? '0'}`)
  return hours > 0 && hours <= MAX_HOURS ? hours : undefined
}

const amount = z
  .string()
  .default('')
  .refine((value) => parseHours(value) !== undefined, 'hours.amount_invalid')
  .transform((value) => parseHours(value)!)
const day = z
  .string()
  .default('')
  .refine((value) => readDay(value) !== undefined, 'hours.date_invalid')

/** An entry, and the request for one. */
export const hoursForm = defineForm({
  date: date({ label: 'hours.date', required: true, schema: day }),
  hours: text({
    label: 'hours.amount',
    help: 'hours.amount_help',
    required: true,
    attributes: { inputmode: 'decimal', autocomplete: 'off' },
    schema: amount,
  }),
  reason: text({
    label: 'hours.reason',
    help: 'hours.reason_help',
    required: true,
    attributes: { maxlength: MAX_REASON_LENGTH },
    schema: formLine.min(1, 'hours.reason_missing').max(MAX_REASON_LENGTH, 'hours.reason_long'),
  }),
  /** The version of the entry that the form shows. */
  version: hidden(
    z
      .string()
      .regex(/^\d{0,9}$/, 'form.invalid')
      .default('0')
      .transform(Number),
  ),
})
export type HoursForm = z.infer<typeof hoursForm.schema>
