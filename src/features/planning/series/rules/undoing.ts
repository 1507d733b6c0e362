import { type EventInput, type EventSnapshot, type EventValues, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type ShiftValues, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { ShiftSnapshot, ValueChanges } from '#features/planning/planning/rules/changes.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { Change, JournalKind } from '#platform/journal/kinds.ts'
import type { EntryChanges } from '#platform/journal/readers.ts'

/** Entries about shifts that can be taken back. */
export const SHIFT_STEPS = ['shift.created', 'shift.changed', 'shift.deleted'] as const satisfies JournalKind[]
export type ShiftStep = EntryChanges<(typeof SHIFT_STEPS)[number]> & { subjectId: number; eventId: number }

/** The event as it was before the entry. */
export function eventBefore(event: EventInput, changes: ValueChanges<EventSnapshot>): EventInput {
  const before = <T>(change: Change<T | null> | undefined, now: T): T => (change ? (change[0] as T) : now)
  return {
    ...(eventFields.map((name) => before<unknown>(changes[name], event[name])) as EventValues),
    typeId: before(changes.type_id, event.typeId),
    groups: before(changes.groups, event.groups) ?? [],
    responsibleGroups: before(changes.responsible_groups, event.responsibleGroups) ?? [],
    responsibleUsers: before(changes.responsible_users, event.responsibleUsers) ?? [],
  }
}

/** The shift as it was before the entry; without `shift`, the entry deleted it and holds all its values. */
export function shiftBefore(shift: ShiftInput | undefined, changes: ValueChanges<ShiftSnapshot>): ShiftInput {
  const before = <T>(change: Change<T | null> | undefined, now: T | undefined, missing: T): T =>
    (change ? change[0] : now) ?? missing
  const time = (change: Change<string | null> | undefined, now: Date | undefined): Date =>
    new Date(before(change, now?.toISOString(), ''))
  const plain = shiftFields.map((name, field) => before<unknown>(changes[name], shift?.[name], field.default)) as ShiftValues
  return {
    ...plain,
    times: {
      meeting: time(changes.meeting_time, shift?.times.meeting),
      start: time(changes.start_time, shift?.times.start),
      end: time(changes.end_time, shift?.times.end),
    },
    flowSlug: before(changes.signup_flow_slug, shift?.flowSlug, ''),
    flowConfiguration: before(changes.signup_flow_configuration, shift?.flowConfiguration, {}),
    structureSlug: before(changes.structure_slug, shift?.structureSlug, ''),
    structureConfiguration: before(changes.structure_configuration, shift?.structureConfiguration, {}),
    questions: before(changes.questions, shift?.questions, []),
  }
}
