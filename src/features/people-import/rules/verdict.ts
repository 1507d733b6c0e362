import { foldName } from './columns.ts'
import { joinUntil } from './lists.ts'
import { type PersonLanguage, type RowInput, type RowProblem, saysTheSame } from './row.ts'

export const VERDICTS = ['new', 'updated', 'same', 'conflict', 'error'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The person who has the address of a row. */
export type ExistingPerson = {
  userId: number
  name: string
  birthDate: string | null
  phone: string | null
  language: PersonLanguage
  isActive: boolean
  /** The importer may not see the account. */
  isHidden: boolean
  groupIds: readonly number[]
  /** `until`: the day of `expiresAt`; null: without a limit. */
  grants: readonly { qualificationId: number; until: string | null; expiresAt: string | null; isExternal: boolean }[]
}

/** For a name that is unknown here: create it, leave it out, or use the group or qualification with this id. */
export type NameChoice = 'create' | 'skip' | number

/** What the importer may do, by the rules of the pages of people. */
export type ImportRights = {
  /** Existing people and qualifications of people. */
  mayChange: boolean
  mayAssign: (groupId: number) => boolean
  mayCreateGroups: boolean
  mayCreateQualifications: boolean
}

/** Keys are folded names. */
export type Catalogue = {
  groups: ReadonlyMap<string, number>
  groupNames: ReadonlyMap<number, string>
  groupChoices: Readonly<Record<string, NameChoice>>
  qualifications: ReadonlyMap<string, number>
  qualificationNames: ReadonlyMap<number, string>
  qualificationChoices: Readonly<Record<string, NameChoice>>
}

/** An id, or the name of a group or qualification that the import creates. */
export type Reference = number | { create: string }
type PlannedGrant = { qualification: Reference; until: string | null }

/** What the import does with a person; without `userId` it creates one. Absent values stay as they are. */
export type Plan = {
  userId?: number
  name?: string
  email?: string
  /** An address that another person signs in with: mails go there. */
  contactEmail?: string
  birthDate?: string
  phone?: string
  language?: PersonLanguage
  groups: Reference[]
  grants: PlannedGrant[]
}

/** One change for the preview; without `from` something is added. */
export type Change = {
  field: 'contact' | 'name' | 'birth_date' | 'phone' | 'language' | 'group' | 'qualification'
  from?: string
  to: string
}

export type Judgement = {
  number: number
  verdict: Verdict
  problems: RowProblem[]
  changes: Change[]
  plan?: Plan | undefined
  userId?: number | undefined
  name: string
  email: string
  /** See `keysOf`. */
  key: string
}

/** Names the person of a row; `isShared`: another person has the address of the row. */
type RowKey = { key: string; isShared: boolean }
export const sharedKey = (email: string, name: string): string => `${email.toLowerCase()}\n${foldName(name)}`
const ownKey = ({ email }: RowInput): RowKey => ({ key: email.toLowerCase(), isShared: false })

/**
 * Families share an address: it belongs to the person who has it, or else to the first row with it. Rows of clearly other people share it,
 * and are known by address and name.
 */
export function keysOf(rows: readonly RowInput[], people: ReadonlyMap<string, ExistingPerson>): (row: RowInput) => RowKey {
  const owners = new Map<string, string | undefined>()
  for (const row of rows) {
    const address = row.email.toLowerCase()
    const person = people.get(address)
    if (!owners.has(address) && row.problems.length === 0)
      owners.set(address, person ? (person.isHidden ? undefined : person.name) : row.name)
  }
  return (row) => {
    const owner = owners.get(row.email.toLowerCase())
    if (owner === undefined || canBeSamePerson(owner, row.name)) return ownKey(row)
    return { key: sharedKey(row.email, row.name), isShared: true }
  }
}

/** People by the key of their rows. */
type Judging = {
  catalogue: Catalogue
  rights: ImportRights
  people: ReadonlyMap<string, ExistingPerson>
  keyOf?: (row: RowInput) => RowKey
}

/** Rows by the key of their person. */
export type Addresses = ReadonlyMap<string, readonly RowInput[]>
export const addressesOf = (rows: readonly RowInput[], keyOf: (row: RowInput) => RowKey = ownKey): Addresses =>
  Map.groupBy(rows, (row) => keyOf(row).key)

export function judgeRow(row: RowInput, addresses: Addresses, judging: Judging): Judgement {
  const { key, isShared } = (judging.keyOf ?? ownKey)(row)
  const person = judging.people.get(key)
  const shown = {
    number: row.number,
    name: row.name,
    email: row.email,
    key,
    userId: person?.isHidden ? undefined : person?.userId,
  }
  const refuse = (verdict: Verdict, problems: RowProblem[]): Judgement => ({ ...shown, verdict, problems, changes: [] })
  if (row.problems.length) return refuse('error', row.problems)
  const others = (addresses.get(key) ?? []).filter((other) => other !== row)
  const different = others.filter((other) => !saysTheSame(other, row))
  if (different.length)
    return refuse('conflict', [{ code: 'email_repeated', value: different.map(({ number }) => number).join(', ') }])
  const earlier = others.find(({ number }) => number < row.number)
  if (earlier) return refuse('same', [{ code: 'row_repeated', value: String(earlier.number) }])
  const conflict = person && findConflict(row, person, judging.rights)
  if (conflict) return refuse('conflict', [conflict])
  const problems: RowProblem[] = []
  // A number that stays as it was is accepted in any form.
  if (!row.isPhoneValid && !isSamePhone(row.phone!, person?.phone ?? null))
    problems.push({ code: 'phone_invalid', value: row.phone! })
  const groups = row.groups.flatMap((name) => keep(planGroup(name, person, judging), problems))
  const grants = row.qualifications.flatMap((wanted) => keep(planGrant(wanted, person, judging), problems))
  if (problems.length) return refuse('error', problems)
  if (!person)
    return {
      ...shown,
      verdict: 'new',
      problems,
      changes: isShared ? [{ field: 'contact', to: row.email }] : [],
      plan: { ...valuesOf(row), ...(isShared ? { contactEmail: row.email } : { email: row.email }), groups, grants },
    }
  const { values, changes } = findChanges(row, person)
  const all = [...changes, ...describe(groups, grants, person, judging.catalogue)]
  if (!all.length) return { ...shown, verdict: 'same', problems, changes: [] }
  if (!person.isActive) return refuse('conflict', [{ code: 'person_inactive', value: person.name }])
  return { ...shown, verdict: 'updated', problems, changes: all, plan: { userId: person.userId, ...values, groups, grants } }
}

type Planned<T> = { problem: RowProblem } | { planned: T } | undefined

function keep<T>(result: Planned<T>, problems: RowProblem[]): T[] {
  if (result && 'problem' in result) problems.push(result.problem)
  return result && 'planned' in result ? [result.planned] : []
}

const valuesOf = ({ name, birthDate, phone, language }: RowInput): Pick<Plan, 'name' | 'birthDate' | 'phone' | 'language'> => ({
  name,
  ...(birthDate === null ? {} : { birthDate }),
  ...(phone === null ? {} : { phone }),
  ...(language === null ? {} : { language }),
})

function findConflict(row: RowInput, person: ExistingPerson, { mayChange }: ImportRights): RowProblem | undefined {
  if (person.isHidden || !mayChange) return { code: 'person_locked' }
  return canBeSamePerson(person.name, row.name) ? undefined : { code: 'person_other_name', value: person.name }
}

const wordsOf = (name: string): string[] =>
  name
    .split(/[\s,.-]+/)
    .map(foldName)
    .filter(Boolean)

/**
 * Families share an address, and a row must not rename a mother to her son. The same first name, a missing or added part, another
 * order and typing errors can be the same person.
 */
export function canBeSamePerson(present: string, wanted: string): boolean {
  const before = wordsOf(present)
  const after = wordsOf(wanted)
  if (before[0] === after[0]) return true
  const contains = (all: readonly string[], some: readonly string[]) => some.every((word) => all.includes(word))
  if (contains(before, after) || contains(after, before)) return true
  const [a, b] = [before.toSorted().join(''), after.toSorted().join('')]
  return Math.min(a.length, b.length) > 6 && distance(a, b) <= 2
}

/** Insertions, deletions and replacements of characters (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (left === right ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

function planGroup(name: string, person: ExistingPerson | undefined, { catalogue, rights }: Judging): Planned<Reference> {
  const folded = foldName(name)
  const known = catalogue.groups.get(folded) ?? catalogue.groupChoices[folded]
  if (known === undefined) return { problem: { code: 'group_unknown', value: name } }
  if (known === 'skip') return undefined
  if (known === 'create')
    return rights.mayCreateGroups ? { planned: { create: name } } : { problem: { code: 'group_locked', value: name } }
  if (person?.groupIds.includes(known)) return undefined
  const present = catalogue.groupNames.get(known)
  if (present === undefined) return { problem: { code: 'group_gone', value: name } }
  return rights.mayAssign(known) ? { planned: known } : { problem: { code: 'group_locked', value: present } }
}

function planGrant(
  { name, qualificationId, until }: RowInput['qualifications'][number],
  person: ExistingPerson | undefined,
  { catalogue, rights }: Judging,
): Planned<PlannedGrant> {
  const folded = foldName(name)
  const known = qualificationId ?? catalogue.qualifications.get(folded) ?? catalogue.qualificationChoices[folded]
  if (known === undefined) return { problem: { code: 'qualification_unknown', value: name } }
  if (known === 'skip') return undefined
  if (known === 'create') {
    const isAllowed = rights.mayCreateQualifications && rights.mayChange
    return isAllowed
      ? { planned: { qualification: { create: name }, until } }
      : { problem: { code: 'qualification_locked', value: name } }
  }
  const held = person?.grants.find((grant) => grant.qualificationId === known)
  // Without a day, what the person holds stays as it is.
  if (held && (until === null || held.until === until)) return undefined
  const title = catalogue.qualificationNames.get(known)
  if (title === undefined) return { problem: { code: 'qualification_gone', value: name } }
  if (!rights.mayChange) return { problem: { code: 'qualification_locked', value: title } }
  if (held?.isExternal) return { problem: { code: 'qualification_external', value: title } }
  return { planned: { qualification: known, until } }
}

function findChanges(row: RowInput, person: ExistingPerson): { values: Partial<Plan>; changes: Change[] } {
  const values: Partial<Plan> = {}
  const changes: Change[] = []
  if (row.name !== person.name) {
    values.name = row.name
    changes.push({ field: 'name', from: person.name, to: row.name })
  }
  if (row.birthDate !== null && row.birthDate !== person.birthDate) {
    values.birthDate = row.birthDate
    changes.push({ field: 'birth_date', from: person.birthDate ?? '', to: row.birthDate })
  }
  if (row.phone !== null && !isSamePhone(row.phone, person.phone)) {
    values.phone = row.phone
    changes.push({ field: 'phone', from: person.phone ?? '', to: row.phone })
  }
  if (row.language !== null && row.language !== person.language) {
    values.language = row.language
    changes.push({ field: 'language', from: person.language, to: row.language })
  }
  return { values, changes }
}

function describe(
  groups: readonly Reference[],
  grants: readonly PlannedGrant[],
  person: ExistingPerson,
  catalogue: Catalogue,
): Change[] {
  const nameIn = (names: ReadonlyMap<number, string>, reference: Reference) =>
    typeof reference === 'number' ? (names.get(reference) ?? '') : reference.create
  return [
    ...groups.map((group): Change => ({ field: 'group', to: nameIn(catalogue.groupNames, group) })),
    ...grants.map(({ qualification, until }): Change => {
      const title = nameIn(catalogue.qualificationNames, qualification)
      const held = person.grants.find(({ qualificationId }) => qualificationId === qualification)
      const to = joinUntil(title, until)
      return held ? { field: 'qualification', from: joinUntil(title, held.until), to } : { field: 'qualification', to }
    }),
  ]
}

/** Spaces and punctuation do not matter. */
function isSamePhone(wanted: string, present: string | null): boolean {
  const digits = (text: string) => text.replaceAll(/[^\d+]/g, '')
  return present !== null && (wanted === present || (digits(wanted) !== '' && digits(wanted) === digits(present)))
}

export type UnknownName = { kind: 'group' | 'qualification'; key: string; name: string; count: number }

/** Names in the list that do not exist here, with the number of rows, most frequent first. */
export function findUnknownNames(
  rows: readonly RowInput[],
  { groups, qualifications }: Pick<Catalogue, 'groups' | 'qualifications'>,
): UnknownName[] {
  const found = new Map<string, UnknownName>()
  const count = (kind: UnknownName['kind'], name: string) => {
    const key = foldName(name)
    const entry = found.get(`${kind}:${key}`)
    if (entry) entry.count++
    else found.set(`${kind}:${key}`, { kind, key, name, count: 1 })
  }
  for (const row of rows) {
    for (const name of row.groups) if (!groups.has(foldName(name))) count('group', name)
    for (const { name, qualificationId } of row.qualifications)
      if (qualificationId === undefined && !qualifications.has(foldName(name))) count('qualification', name)
  }
  return [...found.values()].sort((a, b) => a.kind.localeCompare(b.kind) || b.count - a.count || a.name.localeCompare(b.name))
}
