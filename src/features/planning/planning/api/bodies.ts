import { z } from 'zod'
import { type EVENT_FIELDS, type EventApiName, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type SHIFT_FIELDS, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { flowConfigurationBody, structureConfigurationBody } from '#features/events/events/schema/configurations.ts'
import { bodySchemas } from '#features/events/events/schema/plain-fields.ts'
import { MAX_REASON_LENGTH } from '../schema.ts'

const MAX_IDS = 2_000
const MAX_SHIFTS = 200

const time = z.iso.datetime({ offset: true })
const ids = z.array(z.int()).max(MAX_IDS)

const shiftShape = {
  ...bodySchemas<typeof SHIFT_FIELDS>(shiftFields),
  meeting_time: time.nullable().describe('null: the start'),
  start_time: time,
  end_time: time.describe('After the start'),
  signup_flow_slug: z.string().meta({ enum: ['request_confirm', 'instant_confirmation', 'manual', 'coupled'] }),
  signup_flow_configuration: flowConfigurationBody.describe(
    'Depends on the flow. signup_from_rule and signup_until_rule, as records show them, replace signup_from and signup_until. Keys that are absent keep their values, unless the flow changes.',
  ),
  structure_slug: z.string().meta({ enum: ['uniform', 'named_teams', 'qualification_mix', 'complex'] }),
  structure_configuration: structureConfigurationBody.describe(
    'Depends on the structure. Teams and starting blocks without a uuid get one. Keys that are absent keep their values, unless the structure changes.',
  ),
  questions: ids.describe('Ids of the questions that are asked at sign-up'),
}
const { start_time, end_time, ...optional } = shiftShape
const partial = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial().shape

const shiftExample = {
  label: 'Course marshals',
  meeting_time: '2031-05-04T07:30:00+02:00',
  start_time: '2031-05-04T08:00:00+02:00',
  end_time: '2031-05-04T14:30:00+02:00',
  signup_flow_slug: 'request_confirm',
  signup_flow_configuration: { signup_until: 'P2D' },
  structure_slug: 'uniform',
  structure_configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 4 },
}

/** Absent keys get the defaults: request_confirm, open until the end, uniform without limits. */
export const newShiftBody = z.strictObject({ start_time, end_time, ...partial(optional) }).meta({ example: shiftExample })
export const shiftBody = z.strictObject(partial(shiftShape)).meta({ example: { end_time: '2031-05-04T15:00:00+02:00' } })

const { title, description, location, ...more } = bodySchemas<typeof EVENT_FIELDS>(eventFields)
const eventShape = {
  title,
  description,
  location,
  ...more,
  type: z.int().describe('The id of an event type that is not archived'),
  groups: ids.describe(
    'Ids of the groups that see the event. You may publish for each of them, or it sees the event already. Groups that you may not publish for stay.',
  ),
  responsible_groups: ids.describe('Ids of the groups whose members may change the event'),
  responsible_users: ids.describe('Ids of the people who may change the event'),
} satisfies Record<EventApiName, z.ZodType>
const { title: _title, location: _location, type, ...defaulted } = eventShape

export const newEventBody = z
  .strictObject({
    title,
    location,
    type,
    ...partial(defaulted),
    shifts: z
      .array(newShiftBody)
      .max(MAX_SHIFTS)
      .default([])
      .describe('A coupled shift names its leader by leader_shift_index, the index in this list.'),
    publish: z.boolean().default(false).describe('Otherwise the event is a draft'),
  })
  .meta({ example: { title: 'Harbour run', location: 'Pier 3', type: 2, groups: [1], shifts: [shiftExample], publish: true } })

export const eventBody = z.strictObject(partial(eventShape)).meta({ example: { location: 'Pier 4' } })
export type NewEventBody = z.infer<typeof newEventBody>
export type EventBody = z.infer<typeof eventBody>

export const cancelBody = z
  .strictObject({
    reason: z
      .string()
      .transform((text) => text.replaceAll('\r\n', '\n').trim())
      .pipe(z.string().min(1).max(MAX_REASON_LENGTH))
      .meta({ description: 'Participants read it', minLength: 1, maxLength: MAX_REASON_LENGTH }),
  })
  .meta({ example: { reason: 'Storm warning' } })

export const deletedEventRecord = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    start_time: time.nullable().describe('The earliest start of its shifts'),
    shift_count: z.int(),
    participation_count: z.int().describe('Requested and confirmed'),
    deleted_at: time,
    removed_at: time.describe('When the event cannot be restored any more'),
  })
  .meta({
    id: 'DeletedEvent',
    examples: [
      {
        id: 12,
        title: 'Harbour run',
        start_time: '2031-05-04T08:00:00+02:00',
        shift_count: 2,
        participation_count: 5,
        deleted_at: '2031-05-01T10:00:00+02:00',
        removed_at: '2031-05-31T10:00:00+02:00',
      },
    ],
  })
