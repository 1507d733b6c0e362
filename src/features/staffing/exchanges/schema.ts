import { choice, defineSettings } from '#features/operations/settings/schema/define-settings.ts'
import { defineForm, textarea } from '#platform/ui/define-form.ts'
import { formLines } from '#platform/ui/form-schemas.ts'

const MAX_MESSAGE_LENGTH = 255

/** A message to those who are asked. */
const messageField = (kind: 'stand_in' | 'swap') =>
  textarea({
    label: `${kind}.message`,
    help: `${kind}.message_help`,
    rows: 2,
    attributes: { maxlength: MAX_MESSAGE_LENGTH },
    schema: formLines.refine((value) => [...value].length <= MAX_MESSAGE_LENGTH, 'stand_in.message_long').default(''),
  })

export const standInForm = defineForm({ message: messageField('stand_in') })
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
