import { type Fault, type FormValues, idsIn, many, one } from './form-values.ts'

export type EventRead = {
  title: string
  location: string
  description: string | null
  typeId: number
  groups: number[]
  responsibleGroups: number[]
  responsibleUsers: number[]
}

/** `label` is what is typed to choose somebody: their name, with the address where two have the same one. */
export type PersonLabel = { id: number; label: string }

const LONGEST = 254
const LONGEST_DESCRIPTION = 20_000

export function labelPeople(people: readonly { id: number; name: string; email: string }[]): PersonLabel[] {
  const counts = new Map<string, number>()
  for (const { name } of people) counts.set(name, (counts.get(name) ?? 0) + 1)
  return people.map(({ id, name, email }) => ({ id, label: counts.get(name) === 1 ? name : `${name} (${email})` }))
}

const sameText = (text: string): string => text.trim().toLowerCase()

/** Somebody whose name was typed becomes one of those who are chosen. */
export function takePerson(values: FormValues, people: readonly PersonLabel[]): FormValues {
  const typed = sameText(one(values, 'add_user'))
  const found = typed ? people.find(({ label }) => sameText(label) === typed) : undefined
  if (!found) return values
  const chosen = [...new Set([...many(values, 'responsible_users'), String(found.id)])]
  return { ...values, responsible_users: chosen, add_user: '' }
}

export const eventValues = (event: EventRead): FormValues => ({
  title: event.title,
  location: event.location,
  description: event.description ?? '',
  type: String(event.typeId),
  groups: event.groups.map(String),
  responsible_groups: event.responsibleGroups.map(String),
  responsible_users: event.responsibleUsers.map(String),
  add_user: '',
})

/** `typeIds`: those that can be chosen. A name that belongs to nobody is said so. */
export function readEvent(values: FormValues, typeIds: readonly number[]): { wish: EventRead; faults: Fault[] } {
  const faults: Fault[] = []
  const text = (name: 'title' | 'location') => {
    const value = one(values, name).trim()
    if (!value) faults.push({ field: name, code: 'missing' })
    if ([...value].length > LONGEST) faults.push({ field: name, code: 'too_long' })
    return value
  }
  const [title, location] = [text('title'), text('location')]
  const description = one(values, 'description').replaceAll('\r\n', '\n').trim()
  if ([...description].length > LONGEST_DESCRIPTION) faults.push({ field: 'description', code: 'too_long' })
  const typeId = idsIn(values, 'type')[0] ?? 0
  if (!typeIds.includes(typeId)) faults.push({ field: 'type', code: 'missing' })
  if (one(values, 'add_user').trim()) faults.push({ field: 'add_user', code: 'unknown_person' })
  const people = {
    groups: idsIn(values, 'groups'),
    responsibleGroups: idsIn(values, 'responsible_groups'),
    responsibleUsers: idsIn(values, 'responsible_users'),
  }
  return { wish: { title, location, description: description || null, typeId, ...people }, faults }
}
