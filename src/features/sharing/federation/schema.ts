import { z } from 'zod'
import { eventRecord, timeParameters, typeParameter } from '#features/events/events/schema/events.ts'
import { defineForm, hidden, text, textarea } from '#platform/ui/define-form.ts'

const { id, title, description, location, type, start_time, end_time } = eventRecord.shape

export const sharedEventRecord = z
  .strictObject({
    id,
    title,
    description,
    location,
    type,
    start_time,
    end_time,
    signup_url: z.url().describe('Where people of the partner sign up'),
  })
  .meta({
    id: 'SharedEvent',
    description: 'An event as a partner instance sees it.',
    examples: [
      {
        id: 12,
        title: 'Harbour run',
        description: '',
        location: 'Pier 3',
        type: { id: 2, title: 'Race' },
        start_time: '2031-05-04T08:00:00+02:00',
        end_time: '2031-05-04T14:30:00+02:00',
        signup_url: 'https://turnout.example/events/shared/12/3/',
      },
    ],
  })

export const sharedEventParameters = { type: typeParameter, ...timeParameters }

const shortText = z.string().trim().min(1).max(255)

/** Sent by the invited instance; unknown fields are ignored. */
export const setupInput = z.object({
  name: shortText.describe('What the organisation of the guest calls itself'),
  url: z.url().max(200).describe('Exactly the address that the invitation is for'),
  client_id: shortText.describe('Of the OAuth application that the guest made for us'),
  client_secret: shortText,
  code: z.string().trim().min(1).describe('The invite code; it is used up by the first success'),
  turnout: z
    .union([z.string(), z.number()])
    .optional()
    .describe('Sent by instances that want to know where their people stand here'),
})
export type SetupInput = z.infer<typeof setupInput>

export const federatedGuestRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    client_id: z.string(),
    client_secret: z.string(),
    access_token: z.string().describe('The federation token, told this once'),
    host_name: z.string().describe('What the organisation of the host calls itself'),
    turnout: z.literal(1).optional().describe('Told to those that sent the same field'),
  })
  .meta({
    id: 'FederatedGuest',
    examples: [
      {
        id: 3,
        name: 'Org B',
        url: 'https://b.example',
        client_id: 'AbC123',
        client_secret: 'xYz789',
        access_token: '0f'.repeat(32),
        host_name: 'Org A',
      },
    ],
  })

const stated = {
  shift: z.int(),
  shift_label: z.string(),
  user: z.int().describe('Number of the person at home'),
  state: z.int().min(0).max(4),
  start_time: z.string(),
  end_time: z.string(),
}

export const visitorParticipationRecord = z.strictObject({ event: z.int(), ...stated }).meta({
  id: 'VisitorParticipation',
  description: 'Where a person of the partner stands on a shift here.',
  examples: [
    {
      event: 12,
      shift: 31,
      shift_label: 'North',
      user: 7,
      state: 1,
      start_time: '2031-05-04T08:00:00+02:00',
      end_time: '2031-05-04T14:30:00+02:00',
    },
  ],
})

export const subscriptionInput = z.object({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,100}={0,2}$/)
    .describe('Signs the notices to the guest, as in Standard Webhooks. It replaces the former one'),
})

export const noticeInput = z.object({
  host: z.url().max(200).describe('Address of the host'),
  cursor: z.string().min(1).max(100).describe('The place that the host has reached'),
  timestamp: z.int().describe('Seconds since 1970'),
  signature: z
    .string()
    .max(1_000)
    .describe('`v1,…` of Standard Webhooks, with the cursor as id, the timestamp, and the address of the host as body'),
})

export const changesInput = z.object({
  after: z.string().max(100).optional().describe('The cursor of the last answer; without one, from the start'),
})

export const declineInput = z.object({
  shift: z.int().positive(),
  user: z.int().positive().describe('Number of the person at home'),
})

export const objectionsInput = z.object({
  users: z.array(z.int().positive()).max(100_000).describe('Numbers of the people at home; all others no longer object'),
})

const told = { id: z.int(), event: z.int(), event_title: z.string(), ...stated }
export const toldChangesRecord = z
  .strictObject({
    cursor: z.string(),
    is_complete: z.boolean().describe('False: there is more after this cursor'),
    is_from_start: z.boolean().describe('The list begins anew: records that it does not name are gone'),
    events: z.array(sharedEventRecord),
    gone_events: z.array(z.int()).describe('No longer shared, cancelled, deleted, or over for two weeks'),
    participations: z.array(z.strictObject({ ...told, no_show: z.boolean() })),
    gone_participations: z.array(z.int()),
  })
  .meta({
    id: 'FederationChanges',
    description: 'What changed for a partner instance since its cursor, each record as it is now.',
    examples: [
      {
        cursor: '0198c1a4-5b7e-4d1c-9a34-2f1f8e0d6c11.42',
        is_complete: true,
        is_from_start: false,
        events: [],
        gone_events: [12],
        participations: [
          {
            id: 80,
            event: 11,
            event_title: 'Harbour run',
            shift: 31,
            shift_label: 'North',
            user: 7,
            state: 1,
            start_time: '2031-05-04T08:00:00+02:00',
            end_time: '2031-05-04T14:30:00+02:00',
            no_show: false,
          },
        ],
        gone_participations: [],
      },
    ],
  })

const NO_CORRECTION = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }

export const inviteForm = defineForm({
  url: text({
    type: 'url',
    label: 'federation.url',
    help: 'federation.url_help',
    required: true,
    attributes: { ...NO_CORRECTION, placeholder: 'https://' },
    schema: z.string().trim().min(1).max(500),
  }),
})

export const joinForm = defineForm({
  /** `look` previews the invitation, `join` accepts it. */
  step: hidden(z.enum(['look', 'join']).catch('look')),
  code: textarea({
    label: 'federation.code',
    help: 'federation.code_help',
    required: true,
    rows: 5,
    attributes: NO_CORRECTION,
    schema: z.string().trim().min(1).max(5_000),
  }),
})
export const endForm = z.object({ anyway: z.literal('1').optional() })

const ids = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => [value ?? []].flat().flatMap((text) => (/^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : [])))
/** The events that the page showed and those that were selected. */
export const sharesForm = z.object({ shown: ids, chosen: ids })
export const shareSection = z.object({ share_with: ids })
