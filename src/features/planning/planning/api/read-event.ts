import { type EventInput, eventFields } from '#features/events/events/rules/event-fields.ts'
import type { FaultCode } from '#features/planning/shift-forms/rules/form-rows.ts'
import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import type { ShiftPlan } from '../commands/plan-event.ts'
import { findGroupChoices, findTypeChoices, getTypeDefaults, type PlannedEvent } from '../queries/events.ts'
import { findAssignable } from '../queries/records.ts'
import { checkEvent } from '../rules/event-form.ts'
import type { EventBody, NewEventBody } from './bodies.ts'
import { faultsToErrors, readNewShifts } from './read-shifts.ts'

type People = Pick<EventBody, 'groups' | 'responsible_groups' | 'responsible_users'>

/** What is not given comes from the type, as in the form. Throws with all mistakes. */
export async function readNewEvent(
  context: WriteContext,
  body: NewEventBody,
): Promise<{ event: EventInput; shifts: ShiftPlan[] }> {
  const { words } = context
  const types = await findTypeChoices(context)
  const defaults = await getTypeDefaults(context, body.type)
  const event: EventInput = {
    ...eventFields.readBody(body, { ...eventFields.defaults, description: defaults?.description ?? null }),
    typeId: body.type,
    groups: body.groups ?? defaults?.groups ?? [],
    responsibleGroups: body.responsible_groups ?? defaults?.responsibleGroups ?? [],
    responsibleUsers: body.responsible_users ?? defaults?.responsibleUsers ?? [],
  }
  const { plans, errors } = await readNewShifts(context, body.shifts)
  const typeIds = types.map(({ id }) => id)
  const all = [...faultsToErrors(words, checkEvent(event, typeIds)), ...(await checkPeople(context, body)), ...errors]
  if (body.publish && !plans.length) all.push({ pointer: '/shifts', code: 'no_shift', detail: faultText(words, 'no_shift') })
  if (all.length) throw new Problem('invalid_input', { errors: all })
  return { event, shifts: plans }
}

/** The event with what the body changes. Throws with all mistakes. */
export async function readChangedEvent(context: WriteContext, body: EventBody, current: PlannedEvent): Promise<EventInput> {
  const event: EventInput = {
    ...eventFields.readBody(body, current),
    typeId: body.type ?? current.typeId,
    groups: body.groups ?? current.groups,
    responsibleGroups: body.responsible_groups ?? current.responsibleGroups,
    responsibleUsers: body.responsible_users ?? current.responsibleUsers,
  }
  const types = await findTypeChoices(context, current.typeId)
  const faults = checkEvent(
    event,
    types.map(({ id }) => id),
  )
  const errors = [...faultsToErrors(context.words, faults), ...(await checkPeople(context, body, current))]
  if (errors.length) throw new Problem('invalid_input', { errors })
  return event
}

/** The command would leave out groups that the caller may not publish for, and ids that do not exist. */
async function checkPeople(
  context: WriteContext,
  { groups = [], responsible_groups = [], responsible_users = [] }: People,
  current?: PlannedEvent,
): Promise<InputError[]> {
  const choices = new Map((await findGroupChoices(context)).map((group) => [group.id, group]))
  const people = await findAssignable(context.db, responsible_users)
  const isOwn = (id: number) => context.actor.kind === 'user' && context.actor.userId === id
  const errorAt = (list: string, index: number, code: FaultCode): InputError => ({
    pointer: `/${list}/${index}`,
    code,
    detail: faultText(context.words, code),
  })
  return [
    ...groups.flatMap((id, index) => {
      const group = choices.get(id)
      if (!group) return [errorAt('groups', index, 'unknown_group')]
      return group.isPublishable || current?.groups.includes(id) ? [] : [errorAt('groups', index, 'not_publishable')]
    }),
    ...responsible_groups.flatMap((id, index) =>
      choices.has(id) ? [] : [errorAt('responsible_groups', index, 'unknown_group')],
    ),
    ...responsible_users.flatMap((id, index) =>
      people.has(id) || isOwn(id) || current?.responsibleUsers.includes(id)
        ? []
        : [errorAt('responsible_users', index, 'unknown_person')],
    ),
  ]
}
