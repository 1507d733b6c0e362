import { z } from 'zod'
import { checkboxes, defineForm, hidden, select, text, textarea } from '#platform/ui/define-form.ts'
import { formLines, formTexts } from '#platform/ui/form-schemas.ts'

/** The job that sends one mail with the notifications of one recipient. */
export const SEND_TASK = 'send_notifications'

const id = z.int().positive()
/** Payload of the job. */
export const delivery = z.object({ person: z.object({ kind: z.enum(['user', 'guest', 'visitor']), id }), bundle: z.string() })
export type Delivery = z.infer<typeof delivery>
export type Recipient = Delivery['person']

/** Hours before a shift that people can choose for their reminder. */
export const REMINDER_HOURS = [2, 6, 12, 24, 48, 72, 168] as const

/** `reminder_hours` empty: as the organisation chose. */
export const settingsForm = z.object({
  kinds: formTexts,
  push_kinds: formTexts,
  /** The form had boxes for push messages; without them, the stored choices stay. */
  with_push: z.string().optional(),
  reminder_hours: z
    .string()
    .optional()
    .transform((text) => {
      const hours = /^\d{1,3}$/.test(text ?? '') ? Number(text) : null
      return hours !== null && hours >= 1 && hours <= 336 ? hours : null
    }),
})
export type NotificationSettings = z.infer<typeof settingsForm>

/** Mail clients send `List-Unsubscribe=One-Click` (RFC 8058), browsers the CSRF token; the URL holds all that is needed. */
export const unsubscribeForm = z.looseObject({})

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

/** Base64url without padding, as browsers give the keys of a subscription. */
const keyOf = (bytes: number) =>
  z.string().refine((value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === bytes)

/** A subscription of the browser (Push API): where to send messages, and the keys that encrypt them (RFC 8291). */
export const pushSubscriptionForm = z.object({
  endpoint: z
    .string()
    .max(2000)
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
  p256dh: keyOf(65),
  auth: keyOf(16),
})
export type PushSubscriptionForm = z.infer<typeof pushSubscriptionForm>
