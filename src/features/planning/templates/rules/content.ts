import { type EventInput, type EventValues, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type ShiftValues, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { Configuration } from '#features/planning/shift-forms/rules/flow-form.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'

/** What planners may leave out. */
export const TEMPLATE_PARTS = ['people', 'resources', 'files'] as const
export type TemplatePart = (typeof TEMPLATE_PARTS)[number]

/** `key`: the id of the shift that was saved, for coupled shifts and resources. */
type StoredShift = ShiftValues & {
  key: number
  meeting: string
  start: string
  end: string
  flowSlug: string
  flowConfiguration: Configuration
  structureSlug: string
  structureConfiguration: Configuration
  questions: number[]
}

export type TemplateContent = EventValues & {
  /** Null: those that a new event of its type begins with, and its responsibles. */
  groups: number[] | null
  responsibleGroups: number[]
  /** The day that the times belong to. Null: there are no shifts. */
  date: string | null
  shifts: StoredShift[]
  resources: { shift: number; resource: number }[]
  files: number[]
}

export function contentOf(
  event: EventInput,
  shifts: readonly (ShiftInput & { id: number })[],
  more: Pick<TemplateContent, 'date' | 'resources' | 'files'> & { hasPeople: boolean },
): TemplateContent {
  const { hasPeople, ...rest } = more
  return {
    ...eventFields.copy(event),
    groups: [...event.groups],
    responsibleGroups: hasPeople ? [...event.responsibleGroups] : [],
    ...rest,
    shifts: shifts.map((shift) => ({
      ...shiftFields.copy(shift),
      key: shift.id,
      meeting: shift.times.meeting.toISOString(),
      start: shift.times.start.toISOString(),
      end: shift.times.end.toISOString(),
      flowSlug: shift.flowSlug,
      flowConfiguration: shift.flowConfiguration,
      structureSlug: shift.structureSlug,
      structureConfiguration: shift.structureConfiguration,
      questions: [...shift.questions],
    })),
  }
}

/** The shifts as they were saved; their ids are the keys. Fields that are newer than the template get the defaults. `questions`: those that still exist. */
export function shiftsOf({ shifts }: TemplateContent, questions: ReadonlySet<number>): (ShiftInput & { id: number })[] {
  return shifts.map(({ key, meeting, start, end, ...shift }) => ({
    ...shiftFields.defaults,
    ...shift,
    id: key,
    times: { meeting: new Date(meeting), start: new Date(start), end: new Date(end) },
    questions: shift.questions.filter((id) => questions.has(id)),
  }))
}
