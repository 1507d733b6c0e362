import type { Event } from '#platform/db/tables.ts'
import { makePlainFields, type PlainField, type PlainName, type PlainValues } from './plain-fields.ts'

/** Ids of other records. `input`: the name in `EventInput`. `api`: the name in bodies of the API and in the form. */
type ChosenField = { type: 'id' | 'ids'; input: string; api: string }

/**
 * Every field of an event that planners enter, by its name in the journal. A plain field is a line here: reads and bodies of the API, the
 * form, the store, the journal, undo, copies, series and templates follow. Code for chosen ids is typed by this list.
 */
export const EVENT_FIELDS = {
  title: { type: 'text', default: '', maxLength: 254, isRequired: true, isCopied: true, shown: [] },
  location: { type: 'text', default: '', maxLength: 254, isRequired: true, isCopied: true, shown: [] },
  description: { type: 'lines', default: null, maxLength: 20_000, isCopied: true, shown: [] },
  guests_see_names: { type: 'flag', default: false, isCopied: true, shown: [] },
  type_id: { type: 'id', input: 'typeId', api: 'type' },
  groups: { type: 'ids', input: 'groups', api: 'groups' },
  responsible_groups: { type: 'ids', input: 'responsibleGroups', api: 'responsible_groups' },
  responsible_users: { type: 'ids', input: 'responsibleUsers', api: 'responsible_users' },
} as const satisfies Record<string, PlainField | ChosenField>

/** Columns that commands and triggers set. */
type DerivedColumn =
  | ('id' | 'version' | 'created_at' | 'created_by_id' | 'modified_at' | 'title_order' | 'audience_id')
  | ('active' | 'listed' | 'cancelled_at' | 'cancellation_reason' | 'deleted_at')
  | ('start_time' | 'end_time' | 'shift_count')

type Fields = typeof EVENT_FIELDS
export type EventPart = keyof Fields
type ChosenPart = Exclude<EventPart, PlainName<Fields>>
export type EventFieldName = PlainName<Fields>
export type EventValues = PlainValues<Fields>
/** `groups` see the event; responsible groups and people may change it. */
export type EventInput = EventValues & {
  [Part in ChosenPart as Fields[Part]['input']]: Fields[Part]['type'] extends 'ids' ? readonly number[] : number
}
export type EventSnapshot = EventValues & {
  [Part in ChosenPart]: Fields[Part]['type'] extends 'ids' ? readonly number[] : number
}
export type EventApiName = EventFieldName | Fields[ChosenPart]['api']
/** A new column of the table is an error where events are stored, until a field has it. */
export type EventColumn = Exclude<keyof Event, DerivedColumn>

export const eventFields = makePlainFields(EVENT_FIELDS)

const EVENT_PARTS = Object.keys(EVENT_FIELDS) as EventPart[]
/** Those that series apply to other events. */
export const COPIED_EVENT_PARTS = EVENT_PARTS.filter((part) => {
  const field: PlainField | ChosenField = EVENT_FIELDS[part]
  return 'input' in field || field.isCopied
})

export function apiNameOf(part: EventPart): EventApiName {
  const field = EVENT_FIELDS[part]
  return 'api' in field ? field.api : (part as EventFieldName)
}

export function inputNameOf(part: EventPart): keyof EventInput {
  const field = EVENT_FIELDS[part]
  return 'input' in field ? field.input : (part as EventFieldName)
}

const uniqueSorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** The values of an event for the journal, for form versions and to compare the events of a series. */
export const eventSnapshot = (event: EventInput): EventSnapshot => ({
  ...eventFields.pick(event),
  type_id: event.typeId,
  groups: uniqueSorted(event.groups),
  responsible_groups: uniqueSorted(event.responsibleGroups),
  responsible_users: uniqueSorted(event.responsibleUsers),
})
