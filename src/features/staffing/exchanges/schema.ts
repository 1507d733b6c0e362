import { z } from 'zod'
import { choice, defineSettings } from '#features/operations/settings/schema/define-settings.ts'
import { origin } from '#features/staffing/participations/schema.ts'
import { checkboxes, defineForm, number, textarea } from '#platform/ui/define-form.ts'
import { formIds, formLines } from '#platform/ui/form-schemas.ts'
import { DEFAULT_WAVE_SIZE, MAX_ASKED } from './rules/waves.ts'

export const MAX_MESSAGE_LENGTH = 255

/** A message to those who are asked. */
const messageField = (kind: 'stand_in' | 'swap') =>
  textarea({
    label: `${kind}.message`,
    help: `${kind}.message_help`,
    rows: 2,
    attributes: { maxlength: MAX_MESSAGE_LENGTH },
    schema: formLines.refine((value) => [...value].length <= MAX_MESSAGE_LENGTH, 'stand_in.message_long').default(''),
  })

const isWaveSize = (value: string) => /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_ASKED

export const standInForm = defineForm({
  message: messageField('stand_in'),
  size: number({
    label: 'stand_in.size',
    min: 1,
    max: MAX_ASKED,
    schema: z.string().trim().default(String(DEFAULT_WAVE_SIZE)).refine(isWaveSize, 'stand_in.size_invalid').transform(Number),
  }),
  first: checkboxes({ label: 'stand_in.first', help: 'stand_in.first_help', schema: formIds }),
})
/** Stops a search, from the page on which it is shown. */
export const stopForm = z.object({ from: origin })
export const swapForm = defineForm({ message: messageField('swap') })

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
