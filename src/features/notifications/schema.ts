import { z } from 'zod'

/** The task that sends what one person is to be told, by mail. */
export const SEND_TASK = 'send_notifications'

const id = z.int().positive()
/** One person and what was done in one go. */
export const delivery = z.object({ person: z.object({ kind: z.enum(['user', 'guest', 'visitor']), id }), bundle: z.string() })
export type Delivery = z.infer<typeof delivery>
export type Receiver = Delivery['person']

const list = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()))

export const settingsForm = z.object({ kinds: list })

/** Programs of mail services send one field, people none: the address of the page says it all. */
export const unsubscribeForm = z.looseObject({})

export const LONGEST_SUBJECT = 200
export const LONGEST_TEXT = 10_000
const text = (
  most: number,
  missing: 'message.no_subject' | 'message.no_text',
  long: 'message.subject_long' | 'message.text_long',
) =>
  z
    .string()
    .transform((value) => value.replaceAll('\r\n', '\n').trim())
    .refine((value) => value.length > 0, missing)
    .refine((value) => [...value].length <= most, long)
    // PostgreSQL keeps no null characters.
    .refine((value) => !value.includes('\0'), 'form.invalid')

export const CIRCLES = ['confirmed', 'requested', 'unanswered'] as const
export type MessageCircle = (typeof CIRCLES)[number]

export const messageForm = z.object({
  doing: z.enum(['preview', 'edit', 'send']).default('preview'),
  to: list,
  people: list,
  shift: z
    .string()
    .regex(/^(\d{1,15})?$/)
    .transform((value) => (value === '' ? undefined : Number(value)))
    .optional(),
  subject: text(LONGEST_SUBJECT, 'message.no_subject', 'message.subject_long'),
  text: text(LONGEST_TEXT, 'message.no_text', 'message.text_long'),
})
export type MessageForm = z.infer<typeof messageForm>
