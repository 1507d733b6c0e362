import { sql } from 'kysely'
import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import { idParameter, orderingParameter, searchParameter } from '#platform/http/parameter-kinds.ts'
import { modifiedSince, timeParameter } from '#platform/http/time-parameter.ts'
import { type EVENT_FIELDS, eventFields } from '../rules/event-fields.ts'
import { type SHIFT_FIELDS, shiftFields } from '../rules/shift-fields.ts'
import { flowConfiguration, structureConfiguration } from './configurations.ts'
import { recordSchemas } from './plain-fields.ts'

const dateTime = z.iso.datetime({ offset: true })
const statsExample = { requested_count: 1, confirmed_count: 2, missing: 0, free: 2, min_count: 2, max_count: 4 }
const shiftExample = {
  id: 31,
  ...shiftFields.defaults,
  label: 'Course marshals',
  event_id: 12,
  event_title: 'Harbour run',
  meeting_time: '2031-05-04T07:30:00+02:00',
  start_time: '2031-05-04T08:00:00+02:00',
  end_time: '2031-05-04T14:30:00+02:00',
  signup_flow_slug: 'request_confirm',
  signup_flow_configuration: { signup_until: null, user_can_decline_confirmed: false },
  structure_slug: 'uniform',
  structure_configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 4 },
  signup_stats: statsExample,
}
const {
  title: _title,
  description: _description,
  location: _location,
  guests_see_names: _forGuests,
  ...moreDefaults
} = eventFields.defaults
const eventExample = {
  id: 12,
  title: 'Harbour run',
  description: null,
  location: 'Pier 3',
  ...moreDefaults,
  type: { id: 2, title: 'Race' },
  frontend_url: 'https://turnout.example/events/12-harbour-run/',
  start_time: '2031-05-04T08:00:00+02:00',
  end_time: '2031-05-04T14:30:00+02:00',
  signup_stats: statsExample,
  shifts: [shiftExample],
}

export const typeRecord = z
  .strictObject({ id: z.int(), title: z.string() })
  .meta({ id: 'EventTypeReference', examples: [eventExample.type] })

const statsRecord = z
  .strictObject({
    requested_count: z.int(),
    confirmed_count: z.int(),
    missing: z.int(),
    free: z.int().nullable().describe('null: unlimited'),
    min_count: z.int().nullable(),
    max_count: z.int().nullable().describe('null: unlimited'),
  })
  .meta({ id: 'SignupStats', description: 'Counts all participations, whoever asks.', examples: [statsExample] })

export const shiftRecord = z
  .strictObject({
    id: z.int(),
    ...recordSchemas<typeof SHIFT_FIELDS>(shiftFields),
    event_id: z.int(),
    event_title: z.string(),
    meeting_time: dateTime,
    start_time: dateTime,
    end_time: dateTime,
    signup_flow_slug: z.string().describe('instant_confirmation, request_confirm, manual, coupled, or another'),
    signup_flow_configuration: flowConfiguration.describe('Depends on the flow.'),
    structure_slug: z.string().describe('uniform, qualification_mix, named_teams, complex, or another'),
    structure_configuration: structureConfiguration.describe('Depends on the structure.'),
    signup_stats: statsRecord,
  })
  .meta({ id: 'Shift', examples: [shiftExample] })

// The order of the keys is part of the contract.
// Who reads an event does not need what planners chose for guests.
const { title, description, location, guests_see_names: _forPlanners, ...more } = recordSchemas<typeof EVENT_FIELDS>(eventFields)

export const eventRecord = z
  .strictObject({
    id: z.int(),
    title,
    description,
    location,
    ...more,
    type: typeRecord,
    frontend_url: z.url(),
    start_time: dateTime.nullable().describe('The earliest start of its shifts'),
    end_time: dateTime.nullable().describe('The latest end of its shifts'),
    signup_stats: statsRecord,
    shifts: z.array(shiftRecord),
  })
  .meta({ id: 'Event', examples: [eventExample] })

/** Lists with these parameters also accept their deprecated names. */
export const timeParameters = {
  start_time_after: timeParameter({ description: 'Starts at or after this time.' }),
  start_time_before: timeParameter({ description: 'Starts at or before this time.' }),
  end_time_after: timeParameter({ description: 'Ends at or after this time.' }),
  end_time_before: timeParameter({ description: 'Ends at or before this time.' }),
  start_gte: timeParameter({ description: 'Starts at or after this time.', deprecated: { use: 'start_time_after' } }),
  start_lte: timeParameter({ description: 'Starts at or before this time.', deprecated: { use: 'start_time_before' } }),
  end_gte: timeParameter({ description: 'Ends at or after this time.', deprecated: { use: 'end_time_after' } }),
  end_lte: timeParameter({ description: 'Ends at or before this time.', deprecated: { use: 'end_time_before' } }),
}

async function knownTypes(ids: number[], { db }: RequestContext): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`select id from event_type where id = any (${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
export const knownEventTypes = { known: knownTypes }

export const typeParameter = idParameter({ description: 'Events of this type.', known: knownTypes })

export const eventParameters = {
  type: typeParameter,
  ...timeParameters,
  ordering: orderingParameter(['start_time', 'end_time', 'title']),
  search: searchParameter('title, description or location'),
  modified_since: modifiedSince('Changed at or after this time, also by its shifts, its participations or its type.'),
}

export const shiftParameters = {
  ...timeParameters,
  ordering: orderingParameter([
    'id',
    'label',
    'event_id',
    'event__title',
    'meeting_time',
    'start_time',
    'end_time',
    'signup_flow_slug',
    'structure_slug',
    'signup_flow_configuration',
    'structure_configuration',
  ]),
  search: searchParameter('the label or the title of the event'),
  modified_since: modifiedSince('In an event that changed at or after this time, also by another shift of it.'),
}
