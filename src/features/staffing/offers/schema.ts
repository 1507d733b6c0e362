import { z } from 'zod'
import { choice, defineSettings } from '#features/operations/settings/schema/define-settings.ts'
import { ORIGINS } from '#features/staffing/participations/rules/links.ts'
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

/** A message to those who are asked. */
const messageField = (kind: 'stand_in' | 'swap') =>
  textarea({
    label: `${kind}.message`,
    help: `${kind}.message_help`,
    rows: 2,
    attributes: { maxlength: MAX_REASON_LENGTH },
    schema: formLines.refine((value) => [...value].length <= MAX_REASON_LENGTH, 'stand_in.message_long').default(''),
  })

export const standInForm = defineForm({ message: messageField('stand_in') })
export const swapForm = defineForm({ message: messageField('swap') })

/** One tap on the page behind the link. */
export const offerAnswerForm = z.object({ answer: z.enum(['yes', 'no'], 'form.invalid') })

const from = z.enum(ORIGINS).default('event')
export const leaveForm = z.object({ from })
export const returnForm = z.object({ entry: z.coerce.number().int().positive(), from })

/** How a place changes hands when somebody found a stand-in. */
export const exchangeSettings = defineSettings({
  stand_ins: choice({
    label: 'instance.stand_ins',
    help: 'instance.stand_ins_help',
    default: 'at_once',
    values: ['at_once', 'planner', 'off'],
    optionLabel: (words, value) => words.t(`instance.stand_ins_${value}`),
  }),
})
