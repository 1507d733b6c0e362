import { z } from 'zod'
import { NIGHT } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { formTexts, formTime } from '#platform/ui/form-schemas.ts'

const dateTime = z.iso.datetime({ offset: true })

export const notificationRecord = z
  .strictObject({
    id: z.int(),
    kind: z.string().describe('A stable name, such as participation_state'),
    text: z.string().describe('What happened, in the language of the request'),
    comment: z.string().nullable(),
    message: z.strictObject({ subject: z.string(), text: z.string() }).nullable().describe('A message to participants; Markdown'),
    event: z.strictObject({ id: z.int(), title: z.string() }).nullable(),
    shift: z.int().nullable(),
    url: z.url().nullable().describe('The page to open'),
    is_obsolete: z.boolean().describe('No longer true, for example because the event is over'),
    created_at: dateTime,
    read_at: dateTime.nullable(),
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        id: 120,
        kind: 'participation_state',
        text: 'You are confirmed: Sun 4 May 08:00–14:30.',
        comment: null,
        message: null,
        event: { id: 12, title: 'Harbour run' },
        shift: 31,
        url: 'https://turnout.example/events/12-harbour-run/',
        is_obsolete: false,
        created_at: '2031-04-01T10:00:00.500000+02:00',
        read_at: null,
      },
    ],
  })

export const choicesRecord = z
  .strictObject({
    kinds: z.array(
      z.strictObject({
        kind: z.string().describe('As in notifications'),
        label: z.string(),
        mail: z.boolean(),
        push: z.boolean(),
        required: z.boolean().describe('Cannot be switched off'),
      }),
    ),
    reminder_hours: z.int().nullable().describe('Before a shift; null: as the organisation chose'),
  })
  .meta({
    id: 'NotificationChoices',
    examples: [
      {
        kinds: [{ kind: 'event_published', label: 'New events', mail: true, push: true, required: false }],
        reminder_hours: null,
      },
    ],
  })

export const MAX_REMINDER_HOURS = 336
/** Hours before a shift that people can choose for their reminder. */
export const REMINDER_HOURS = [2, 6, 12, 24, 48, 72, 168] as const

/** `reminder_hours` empty: as the organisation chose. `quiet_from` empty or the same as `quiet_to`: no quiet hours; `quiet_to` empty: until the end of the night. */
export const settingsForm = z.object({
  kinds: formTexts,
  push_kinds: formTexts,
  /** Groups of kinds on the form, those that were on, and those that are. */
  shown_topics: formTexts,
  former_topics: formTexts,
  topics: formTexts,
  /** The form had boxes for push messages; without them, the stored choices stay. */
  with_push: z.string().optional(),
  /** Channels of extensions on the form, and the kinds that come by them, as `CHANNEL KIND`. */
  shown_channels: formTexts,
  channel_kinds: formTexts,
  reminder_hours: z
    .string()
    .optional()
    .transform((text) => {
      const hours = /^\d{1,3}$/.test(text ?? '') ? Number(text) : null
      return hours !== null && hours >= 1 && hours <= MAX_REMINDER_HOURS ? hours : null
    }),
  quiet_from: formTime.default(''),
  quiet_to: formTime.default('').transform((time) => time || NIGHT.to),
})
export type NotificationSettings = z.infer<typeof settingsForm>

/** Mail clients send `List-Unsubscribe=One-Click` (RFC 8058), browsers the CSRF token; the URL holds all that is needed. */
export const unsubscribeForm = z.looseObject({})
