import { z } from 'zod'
import { readDay } from '#platform/i18n/days.ts'
import { checkbox, date, defineForm, file, select, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { readClock } from './rules/availability.ts'

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

const MAX_NAME_LENGTH = 100
const MAX_ADDRESS_LENGTH = 2_000

const calendarName = () =>
  text({
    label: 'availability.calendar_name',
    help: 'availability.calendar_name_help',
    required: true,
    attributes: { maxlength: MAX_NAME_LENGTH, autocomplete: 'off' },
    schema: formLine.min(1, 'availability.calendar_name_missing').max(MAX_NAME_LENGTH, 'availability.calendar_name_long'),
  })
const countsAllDay = () => checkbox({ label: 'availability.counts_all_day', help: 'availability.counts_all_day_help' })

export const calendarForm = defineForm({ name: calendarName(), counts_all_day: countsAllDay() })

export const addressForm = defineForm({
  address: text({
    label: 'availability.address',
    help: 'availability.address_help',
    required: true,
    attributes: { maxlength: MAX_ADDRESS_LENGTH, autocomplete: 'off', spellcheck: 'false', inputmode: 'url' },
    schema: formLine.min(1, 'availability.address_missing').max(MAX_ADDRESS_LENGTH, 'availability.address_not_a_url'),
  }),
  name: calendarName(),
  counts_all_day: countsAllDay(),
})

export const fileForm = defineForm({
  file: file({
    label: 'availability.file',
    help: 'availability.file_help',
    required: true,
    attributes: { accept: '.ics,text/calendar' },
    schema: z.string('availability.file_missing').regex(/^data:;base64,/, 'availability.file_missing'),
  }),
  name: calendarName(),
  counts_all_day: countsAllDay(),
})
