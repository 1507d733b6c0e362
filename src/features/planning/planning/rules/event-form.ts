import { type Fault, readIds } from '#features/planning/shift-forms/rules/form-rows.ts'
import { toSingleLine } from '#platform/single-line.ts'
import { type FormValues, fieldValue, fieldValues } from '#platform/ui/form-values.ts'

export type EventInput = {
  title: string
  location: string
  description: string | null
  typeId: number
  groups: number[]
  responsibleGroups: number[]
  responsibleUsers: number[]
}

/** `label`: the name; of people with equal names followed by the e-mail address, or by the number for readers who may not see addresses. */
export type PersonLabel = { id: number; label: string }

const MAX_TEXT_LENGTH = 254
const MAX_DESCRIPTION_LENGTH = 20_000

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

export const eventValues = (event: EventInput): FormValues => ({
  title: event.title,
  location: event.location,
  description: event.description ?? '',
  type: String(event.typeId),
  groups: event.groups.map(String),
  responsible_groups: event.responsibleGroups.map(String),
  responsible_users: event.responsibleUsers.map(String),
  add_user: '',
})

/** `typeIds`: types that can be chosen. */
export function readEvent(values: FormValues, typeIds: readonly number[]): { input: EventInput; faults: Fault[] } {
  const input = {
    title: toSingleLine(fieldValue(values, 'title')),
    location: toSingleLine(fieldValue(values, 'location')),
    description: cleanLines(fieldValue(values, 'description')),
    typeId: readIds(values, 'type')[0] ?? 0,
    groups: readIds(values, 'groups'),
    responsibleGroups: readIds(values, 'responsible_groups'),
    responsibleUsers: readIds(values, 'responsible_users'),
  }
  const faults = checkEvent(input, typeIds)
  if (fieldValue(values, 'add_user').trim()) faults.push({ field: 'add_user', code: 'unknown_person' })
  return { input, faults }
}

/** Null if nothing is left. */
export const cleanLines = (text: string): string | null => text.replaceAll('\r\n', '\n').trim() || null

/** For the form and the API. Fields have the names of the API. */
export function checkEvent(
  { title, location, description, typeId }: Pick<EventInput, 'title' | 'location' | 'description' | 'typeId'>,
  typeIds: readonly number[],
): Fault[] {
  const faults: Fault[] = []
  for (const [field, text] of Object.entries({ title, location })) {
    if (!text) faults.push({ field, code: 'missing' })
    if (isLonger(text, MAX_TEXT_LENGTH)) faults.push({ field, code: 'too_long' })
  }
  if (isLonger(description ?? '', MAX_DESCRIPTION_LENGTH)) faults.push({ field: 'description', code: 'too_long' })
  if (!typeIds.includes(typeId)) faults.push({ field: 'type', code: typeId ? 'unknown_type' : 'missing' })
  return faults
}

/** In characters, not in UTF-16 units. */
const isLonger = (text: string, most: number): boolean => [...text].length > most
