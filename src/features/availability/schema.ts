import { z } from 'zod'
import { readDay } from '#platform/i18n/days.ts'
import { date, defineForm, select, text } from '#platform/ui/define-form.ts'
import { readClock } from './rules.ts'

const KINDS = ['cannot', 'can'] as const
const kind = () =>
  select({
    label: 'availability.kind',
    placeholder: false,
    options: (words) => KINDS.map((value) => ({ value, label: words.t(`availability.kind_${value}`) })),
    schema: z.enum(KINDS, 'form.invalid'),
  })

const clock = (label: 'availability.from' | 'availability.until', attributes: { placeholder: string }) =>
  text({
    label,
    attributes: { ...attributes, inputmode: 'numeric', size: 6 },
    schema: z
      .string()
      .refine((value) => readClock(value) !== undefined, 'availability.time_invalid')
      .transform((value) => readClock(value)!),
  })

export const weeklyForm = defineForm({
  kind: kind(),
  weekday: select({
    label: 'availability.weekday',
    placeholder: false,
    schema: z
      .string()
      .regex(/^[1-7]$/, 'form.invalid')
      .transform(Number),
  }),
  from: clock('availability.from', { placeholder: '08:00' }),
  until: clock('availability.until', { placeholder: '16:00' }),
})

const day = (label: 'availability.first' | 'availability.last') =>
  date({ label, schema: z.string().refine((value) => readDay(value) !== undefined, 'availability.day_invalid') })

/** Both forms are on one page, so that their fields have different names. */
export const periodForm = defineForm({ days_kind: kind(), first: day('availability.first'), last: day('availability.last') })
