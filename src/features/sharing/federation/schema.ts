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

export const visitorParticipationRecord = z
  .strictObject({
    event: z.int(),
    shift: z.int(),
    shift_label: z.string(),
    user: z.int().describe('Number of the person at home'),
    state: z.int().min(0).max(4),
    start_time: z.string(),
    end_time: z.string(),
  })
  .meta({
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
