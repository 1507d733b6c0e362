import { type EventInput, type EventPart, type EventValues, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type ShiftValues, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { Configuration } from '#features/planning/shift-forms/rules/flow-form.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'

/** Changed fields of a journal entry, before and after. */
type Changes = Readonly<Record<string, readonly [unknown, unknown]>>

/** The event as it was before the entry. */
export function eventBefore(event: EventInput, changes: Changes): EventInput {
  const before = <T>(name: EventPart, now: T): T => (name in changes ? (changes[name]![0] as T) : now)
  return {
    ...(eventFields.map((name) => before<unknown>(name, event[name])) as EventValues),
    typeId: before('type_id', event.typeId),
    groups: before('groups', event.groups) ?? [],
    responsibleGroups: before('responsible_groups', event.responsibleGroups) ?? [],
    responsibleUsers: before('responsible_users', event.responsibleUsers) ?? [],
  }
}

/** The shift as it was before the entry; without `shift`, the entry deleted it and holds all its values. */
export function shiftBefore(shift: ShiftInput | undefined, changes: Changes): ShiftInput {
  const before = <T>(name: string, now: T | undefined, missing: T): T =>
    name in changes ? ((changes[name]![0] as T | null) ?? missing) : (now ?? missing)
  const time = (name: string, now: Date | undefined): Date => {
    const text = before<string | Date>(name, now, '')
    return text instanceof Date ? text : new Date(text)
  }
  const plain = shiftFields.map((name, field) => before<unknown>(name, shift?.[name], field.default)) as ShiftValues
  return {
    ...plain,
    times: {
      meeting: time('meeting_time', shift?.times.meeting),
      start: time('start_time', shift?.times.start),
      end: time('end_time', shift?.times.end),
    },
    flowSlug: before('signup_flow_slug', shift?.flowSlug, ''),
    flowConfiguration: before<Configuration>('signup_flow_configuration', shift?.flowConfiguration, {}),
    structureSlug: before('structure_slug', shift?.structureSlug, ''),
    structureConfiguration: before<Configuration>('structure_configuration', shift?.structureConfiguration, {}),
    questions: before<readonly number[]>('questions', shift?.questions, []),
  }
}
