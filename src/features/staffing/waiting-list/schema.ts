import { z } from 'zod'
import { origin } from '#features/staffing/participations/schema.ts'
import { defineForm, radios, textarea } from '#platform/ui/define-form.ts'
import { formLines } from '#platform/ui/form-schemas.ts'
import { LINE_MODES } from './rules/line.ts'

const MAX_REASON_LENGTH = 255

export const modeForm = defineForm({
  mode: radios({
    label: 'offers.mode',
    options: (words) => LINE_MODES.map((value) => ({ value, label: words.t(`offers.mode.${value}`) })),
    schema: z.enum(LINE_MODES, 'form.invalid'),
  }),
})

export const outOfOrderForm = defineForm({
  reason: textarea({
    label: 'offers.offer_reason',
    help: 'offers.offer_reason_help',
    rows: 2,
    attributes: { maxlength: MAX_REASON_LENGTH },
    schema: formLines
      .refine((value) => value !== '', 'offers.reason_missing')
      .refine((value) => [...value].length <= MAX_REASON_LENGTH, 'offers.reason_long')
      .default(''),
  }),
})

/** One tap on the page behind the link. */
export const offerAnswerForm = z.object({ answer: z.enum(['yes', 'no'], 'form.invalid') })

export const ownEntryForm = z.object({ from: origin })
export const returnForm = z.object({ entry: z.coerce.number().int().positive(), from: origin })
