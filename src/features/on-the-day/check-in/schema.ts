import { z } from 'zod'
import { checkbox, defineForm, number } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { MAX_MINUTES_BEFORE } from './rules/limits.ts'

const MAX_MARKS = 500

const id = z.uuid()
const moment = z.number().int().min(0).max(8.64e15)

/** One mark as a device sends it; times are milliseconds. */
const sentMark = z.object({
  id,
  person: z.int().positive(),
  kind: z.enum(['arrived', 'left', 'no_show', 'set']),
  /** The mark that gave the values that the device has seen; null: there were none. */
  base: id.nullable(),
  made: moment,
  to: z.object({ arrived: moment.nullable(), left: moment.nullable(), noShow: z.boolean() }).optional(),
})
export type SentMark = z.infer<typeof sentMark>

export const sentMarks = z.object({ sent: moment, marks: z.array(sentMark).max(MAX_MARKS) })

/** The fields of the small forms. All are checked by the pages, after the access to the event. */
const text = (longest: number) => z.string().max(longest, 'form.invalid').default('')

export const syncForm = z.object({ content: text(400_000) })
export const markForm = z.object({
  id: text(40),
  person: text(16),
  base: text(40),
  kind: text(16),
  arrived: text(20),
  left: text(20),
  no_show: text(4),
  day: text(12),
})
export const resolveForm = z.object({ mark: text(40), keep: text(10), day: text(12) })
export const walkInForm = z.object({ shift: text(16), name: formLine.max(254, 'form.invalid').default(''), day: text(12) })
export const selfForm = z.object({ id: text(40), person: text(16), kind: text(10), code: text(20), undo: text(40) })
export const ownMarkForm = z.object({ kind: z.enum(['arrived', 'left']) })
export const applyForm = z.object({ rounding: text(3) })
export const undoRunForm = z.object({ run: text(16) })

export const settingsForm = defineForm({
  is_active: checkbox({ label: 'check_in.self_active', help: 'check_in.self_active_help' }),
  minutes_before: number({
    label: 'check_in.minutes_before',
    help: 'check_in.minutes_before_help',
    min: 0,
    max: MAX_MINUTES_BEFORE,
    schema: z
      .string()
      .trim()
      .default('')
      .refine((value) => /^\d{1,4}$/.test(value) && Number(value) <= MAX_MINUTES_BEFORE, 'check_in.minutes_invalid')
      .transform(Number),
  }),
  is_changing: checkbox({ label: 'check_in.changing', help: 'check_in.changing_help' }),
})
export type CheckInSettings = z.infer<typeof settingsForm.schema>
