import { z } from 'zod'
import { bodyDay } from '#platform/http/body-day.ts'
import { readDay } from '#platform/i18n/days.ts'
import { readTypedTime } from '#platform/i18n/typed-dates.ts'
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
      .transform((value) => readTypedTime(value) ?? value)
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

const CLOCK = /^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/
const clockTime = z.string().regex(CLOCK)
/** More entries than a person can have are refused by the command. */
const MAX_LISTED = 200

const recordKind = z.enum(KINDS)
const weeklyRecord = z.strictObject({
  kind: recordKind,
  weekday: z.int().min(1).max(7).describe('1 is Monday'),
  from: clockTime,
  until: clockTime.describe('After `from`; 24:00 is the end of the day'),
})
const daysRecord = z.strictObject({ kind: recordKind, first: bodyDay, last: bodyDay.describe('Not before `first`') })

const example = {
  weekly: [{ kind: 'cannot', weekday: 1, from: '08:00', until: '16:00' }],
  days: [{ kind: 'can', first: '2031-05-12', last: '2031-05-16' }],
}
const weekly = z.array(weeklyRecord).describe('Times of every week')
const days = z.array(daysRecord).describe('Whole days, without those that are over. They replace the weekly times')
export const availabilityRecord = z.strictObject({ weekly, days }).meta({ id: 'Availability', examples: [example] })
export const availabilityBody = z
  .strictObject({ weekly: weekly.max(MAX_LISTED), days: days.max(MAX_LISTED) })
  .partial()
  .meta({ example })
