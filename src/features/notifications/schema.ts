import { z } from 'zod'

/** The job that sends one mail with the notifications of one recipient. */
export const SEND_TASK = 'send_notifications'

const id = z.int().positive()
/** Payload of the job. */
export const delivery = z.object({ person: z.object({ kind: z.enum(['user', 'guest', 'visitor']), id }), bundle: z.string() })
export type Delivery = z.infer<typeof delivery>
export type Recipient = Delivery['person']

const list = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()))

export const settingsForm = z.object({ kinds: list })

/** Mail clients send `List-Unsubscribe=One-Click` (RFC 8058), browsers the CSRF token; the URL holds all that is needed. */
export const unsubscribeForm = z.looseObject({})

export const MAX_SUBJECT_LENGTH = 200
export const MAX_TEXT_LENGTH = 10_000
const text = (
  maxLength: number,
  missing: 'message.no_subject' | 'message.no_text',
  tooLong: 'message.subject_long' | 'message.text_long',
) =>
  z
    .string()
    .transform((value) => value.replaceAll('\r\n', '\n').trim())
    .refine((value) => value.length > 0, missing)
    .refine((value) => [...value].length <= maxLength, tooLong)
    // PostgreSQL cannot store null characters.
    .refine((value) => !value.includes('\0'), 'form.invalid')

/** Groups of recipients that a message can go to. */
export const RECIPIENT_GROUPS = ['confirmed', 'requested', 'unanswered'] as const

export const messageForm = z.object({
  doing: z.enum(['preview', 'edit', 'send']).default('preview'),
  to: list,
  people: list,
  shift: z
    .string()
    .regex(/^(\d{1,15})?$/)
    .transform((value) => (value === '' ? undefined : Number(value)))
    .optional(),
  subject: text(MAX_SUBJECT_LENGTH, 'message.no_subject', 'message.subject_long'),
  text: text(MAX_TEXT_LENGTH, 'message.no_text', 'message.text_long'),
})
export type MessageForm = z.infer<typeof messageForm>
