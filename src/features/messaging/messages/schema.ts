import { z } from 'zod'
import { checkboxes, defineForm, hidden, select, text, textarea } from '#platform/ui/define-form.ts'
import { formLines, formTexts } from '#platform/ui/form-schemas.ts'

/** The job that creates the notifications of a message to many people. */
export const MESSAGE_TASK = 'send_message_to_many'
export const messageJob = z.object({ messageId: z.int().positive() })

const MAX_SUBJECT_LENGTH = 200
const MAX_TEXT_LENGTH = 10_000
const requiredText = (maxLength: number, missing: string, tooLong: string) =>
  formLines.refine((value) => value.length > 0, missing).refine((value) => [...value].length <= maxLength, tooLong)

/** Groups of recipients that a message can go to. */
export const RECIPIENT_GROUPS = ['confirmed', 'requested', 'unanswered'] as const

export const messageForm = defineForm({
  doing: hidden(z.enum(['preview', 'edit', 'send']).default('preview')),
  to: checkboxes({ label: 'message.to', help: 'message.to_help', schema: formTexts }),
  shift: select({
    label: 'message.shift',
    placeholder: 'message.all_shifts',
    schema: z
      .string()
      .regex(/^(\d{1,15})?$/)
      .transform((value) => (value === '' ? undefined : Number(value)))
      .optional(),
  }),
  people: checkboxes({ label: 'message.people', help: 'message.people_help', schema: formTexts }),
  subject: text({
    label: 'message.subject',
    required: true,
    max: MAX_SUBJECT_LENGTH,
    schema: requiredText(MAX_SUBJECT_LENGTH, 'message.no_subject', 'message.subject_long'),
  }),
  text: textarea({
    label: 'message.text',
    help: 'message.text_help',
    required: true,
    rows: 8,
    schema: requiredText(MAX_TEXT_LENGTH, 'message.no_text', 'message.text_long'),
  }),
})
export type MessageForm = z.infer<typeof messageForm.schema>
