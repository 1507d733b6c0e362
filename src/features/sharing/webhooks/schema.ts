import { z } from 'zod'
import { ADDRESSES, KINDS } from '#features/sharing/change-feed/rules/kinds.ts'
import { changeExamples, changeRecord } from '#features/sharing/change-feed/schema.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { bodyLine } from '#platform/single-line.ts'
import { checkbox, checkboxes, defineForm, number, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines, formTexts } from '#platform/ui/form-schemas.ts'
import { MAX_URL_LENGTH } from './rules/webhooks.ts'

/** Components of the records at the addresses of the kinds. */
export const RECORD_COMPONENTS = [
  'Event',
  'Shift',
  'Participation',
  'UserinfoParticipation',
  'UserProfile',
  'EventType',
  'CatalogueQualification',
  'Group',
  'Resource',
  'WorkingHours',
  'WaitingList',
  'ShiftExchanges',
  'ShiftInquiries',
  'ShiftForecast',
  'Attendance',
  'OwnWaitingEntry',
  'OwnExchanges',
  'OwnInquiries',
  'OwnAttendance',
  'Availability',
  'Companions',
]

export const changeWithRecord = changeRecord
  .extend({
    record: z.unknown().meta({
      description:
        'As the API answers the owner when the message is sent; null: the record is gone, or the owner may not read it (any more)',
      anyOf: [...RECORD_COMPONENTS.map((id) => ({ $ref: `#/components/schemas/${id}` })), { type: 'null' }],
    }),
  })
  .meta({
    id: 'ChangeWithRecord',
    examples: [
      {
        ...changeExamples.find(({ kind }) => kind === 'own_attendance'),
        id: 88,
        record: { id: 88, arrived_at: '2031-05-04T07:52:00+02:00', left_at: null, no_show: false },
      },
    ],
  })

/** A message of each kind, with the example of its record. */
export function exampleMessages(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const recordOf = ({ kind, what }: (typeof changeExamples)[number]): unknown => {
    const path = what === 'gone' ? undefined : ADDRESSES[kind][0]
    const endpoint = endpoints.find((each) => each.kind === 'record' && each.path === path)
    const { examples } = ((endpoint?.kind === 'record' && endpoint.record.meta()) || {}) as { examples?: unknown[] }
    return examples?.[0] ?? null
  }
  return Object.fromEntries(
    changeExamples.map((change) => {
      const record = recordOf(change)
      const { id = change.id } = (record ?? {}) as { id?: number }
      return [change.kind, { ...change, id, record }]
    }),
  )
}

const SCOPES = ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ'] as const
const time = z.iso.datetime({ offset: true })

const webhookExample = {
  id: 3,
  name: 'Duty roster',
  description: 'Copies shifts into the roster of the control centre',
  url: 'https://roster.example.org/turnout',
  kinds: ['event', 'shift'],
  scopes: ['PUBLIC_READ'],
  include_record: false,
  active: true,
  owner: 12,
  off_reason: null,
  off_at: null,
  old_secret_until: null,
  created_at: '2031-05-04T08:00:00+02:00',
}

/** More than there are: equal ones count once. */
const MAX_CHOICES = 100

const fields = {
  name: bodyLine.meta({ minLength: 1, maxLength: 100 }),
  description: z.string().meta({ maxLength: 1_000 }),
  url: bodyLine
    .meta({ minLength: 1, maxLength: MAX_URL_LENGTH })
    .describe('Where changes are sent: https, unless the operator permits other addresses'),
  kinds: z.array(z.enum(KINDS)).max(MAX_CHOICES).meta({ description: 'Kinds of changes that are sent', minItems: 1 }),
  scopes: z
    .array(z.enum(SCOPES))
    .max(MAX_CHOICES)
    .meta({ description: 'What the webhook may see, as with a token of its owner with these scopes', minItems: 1 }),
  include_record: z
    .boolean()
    .describe(
      'Each message contains the `record` as well, as the owner may read it with these scopes when the message is sent; null if it is gone',
    ),
  active: z.boolean().describe('False: nothing is sent. When it is switched on again, it continues where it stopped'),
}

export const webhookRecord = z
  .strictObject({
    id: z.int(),
    ...fields,
    owner: z.int().describe('Id of the user who made it and whose access decides what is sent'),
    off_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('Why it was switched off: `gone`: the receiver answered 410; `failing`: all attempts of three days failed'),
    off_at: time.nullable(),
    old_secret_until: time.nullable().describe('Until then, requests are signed with the secret before the last rotation, too'),
    created_at: time,
  })
  .meta({ id: 'Webhook', examples: [webhookExample] })

const secret = z.string().describe('Signs the requests (Standard Webhooks). Shown only in this response')
const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDMVZRTPwzBXs='

export const newWebhookRecord = webhookRecord
  .extend({ secret })
  .meta({ id: 'NewWebhook', examples: [{ ...webhookExample, secret: secretExample }] })

const { id: _id, owner, off_reason, off_at, old_secret_until, created_at, description, ...needed } = webhookExample
export const newWebhookBody = z
  .strictObject({
    ...fields,
    description: fields.description.default(''),
    include_record: fields.include_record.default(false),
    active: fields.active.default(true),
  })
  .meta({ example: { ...needed, description } })

export const webhookChangeBody = z
  .strictObject(fields)
  .partial()
  .meta({ example: { active: false } })

export const rotationBody = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(168)
      .default(24)
      .describe('For so long, requests are signed with both secrets. 0: the old secret ends at once'),
  })
  .meta({ example: { overlap_hours: 24 } })

const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'skipped', 'refused'] as const

export const deliveryRecord = z
  .strictObject({
    id: z.int(),
    message_id: z.string().describe('The header `webhook-id`: the cursor of the change'),
    kind: z.string().describe('Kind of the record, or `test`'),
    record_id: z.int(),
    what: z.string(),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting`: attempted again later. `failed`: a test, or one that was sent again, was not accepted. `skipped`: the owner may no longer see the record. `refused`: the receiver refused it five times, so the next changes were sent',
      ),
    attempts: z.int(),
    status: z.int().nullable().describe('Of the last response'),
    error: z.string().nullable().describe('Why there was no response, for example `too_slow`'),
    duration_ms: z.int().nullable().describe('Of the last attempt'),
    created_at: time,
    attempted_at: time.nullable(),
  })
  .meta({
    id: 'WebhookDelivery',
    examples: [
      {
        id: 91,
        message_id: '6f1c2b1e0d3a-1k2',
        kind: 'event',
        record_id: 12,
        what: 'updated',
        state: 'delivered',
        attempts: 1,
        status: 204,
        error: null,
        duration_ms: 48,
        created_at: '2031-05-04T08:00:00+02:00',
        attempted_at: '2031-05-04T08:00:00+02:00',
      },
    ],
  })

/** `checkWebhook` checks the values; the form only lists the fields. */
export const webhookForm = defineForm({
  name: text({
    label: 'webhooks.name',
    help: 'webhooks.name_help',
    required: true,
    schema: formLine,
    attributes: { maxlength: 100 },
  }),
  url: text({
    label: 'webhooks.url',
    help: 'webhooks.url_help',
    type: 'url',
    required: true,
    schema: formLine,
    attributes: { maxlength: 2000, placeholder: 'https://', spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' },
  }),
  kinds: checkboxes({ label: 'webhooks.kinds', help: 'webhooks.kinds_help', schema: formTexts }),
  scopes: checkboxes({ label: 'webhooks.scopes', help: 'webhooks.scopes_help', schema: formTexts }),
  include_record: checkbox({ label: 'webhooks.include_record', help: 'webhooks.include_record_help' }),
  description: textarea({ label: 'webhooks.description', rows: 2, schema: formLines.default('') }),
})

export const rotationForm = defineForm({
  overlap_hours: number({
    label: 'webhooks.overlap',
    help: 'webhooks.overlap_help',
    required: true,
    min: 0,
    max: 168,
    schema: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, 'webhooks.bad_overlap')
      .transform(Number)
      .refine((hours) => hours <= 168, 'webhooks.bad_overlap'),
  }),
})
