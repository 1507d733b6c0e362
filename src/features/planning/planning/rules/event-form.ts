import { type EventApiName, type EventInput, type EventValues, eventFields } from '#features/events/events/rules/event-fields.ts'
import { type Fault, readIds } from '#features/planning/shift-forms/rules/form-rows.ts'
import { type FormValues, fieldValue, fieldValues } from '#platform/ui/form-values.ts'

/** `label`: the name; of people with equal names followed by the e-mail address, or by the number for readers who may not see addresses. */
export type PersonLabel = { id: number; label: string }

export function labelPeople(
  people: readonly { id: number; name: string; email: string }[],
  { showsEmail }: { showsEmail: boolean },
): PersonLabel[] {
  const counts = new Map<string, number>()
  for (const { name } of people) counts.set(name, (counts.get(name) ?? 0) + 1)
  return people.map(({ id, name, email }) => ({
    id,
    label: counts.get(name) === 1 ? name : `${name} (${showsEmail ? email : `#${id}`})`,
  }))
}

const sameText = (text: string): string => text.trim().toLowerCase()

/** Adds the person whose name was typed to the chosen ones. */
export function addTypedPerson(values: FormValues, people: readonly PersonLabel[]): FormValues {
  const typed = sameText(fieldValue(values, 'add_user'))
  const found = typed ? people.find(({ label }) => sameText(label) === typed) : undefined
  if (!found) return values
  const chosen = [...new Set([...fieldValues(values, 'responsible_users'), String(found.id)])]
  return { ...values, responsible_users: chosen, add_user: '' }
}

export const eventValues = (event: EventInput): FormValues & Record<EventApiName, string | string[]> => ({
  ...eventFields.print(event),
  type: String(event.typeId),
  groups: event.groups.map(String),
  responsible_groups: event.responsibleGroups.map(String),
  responsible_users: event.responsibleUsers.map(String),
  add_user: '',
})

/** `typeIds`: types that can be chosen. */
export function readEvent(values: FormValues, typeIds: readonly number[]): { input: EventInput; faults: Fault[] } {
  const input: EventInput = {
    ...eventFields.readForm((name) => fieldValue(values, name)),
    typeId: readIds(values, 'type')[0] ?? 0,
    groups: readIds(values, 'groups'),
    responsibleGroups: readIds(values, 'responsible_groups'),
    responsibleUsers: readIds(values, 'responsible_users'),
  }
  const faults = checkEvent(input, typeIds)
  if (fieldValue(values, 'add_user').trim()) faults.push({ field: 'add_user', code: 'unknown_person' })
  return { input, faults }
}

/** For the form and the API. Fields have the names of the API. */
export function checkEvent(event: EventValues & { typeId: number }, typeIds: readonly number[]): Fault[] {
  const faults: Fault[] = eventFields.findFaults(event)
  if (!typeIds.includes(event.typeId)) faults.push({ field: 'type', code: event.typeId ? 'unknown_type' : 'missing' })
  return faults
}
