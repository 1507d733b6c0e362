import { foldName } from '#platform/spreadsheet/fold-name.ts'
import { type JudgedRow, type PlannedGuardians, planGuardians } from './guardians.ts'
import { canBeSamePerson, type ExistingPerson, type Identity, identify, type KnownPeople } from './identity.ts'
import type { Catalogue, Change, ForNew, ImportRights, Judgement, Plan, PlannedGrant, Reference, Verdict } from './judgement.ts'
import { joinUntil } from './lists.ts'
import { type RowInput, type RowProblem, saysTheSame } from './row.ts'

type Judging = {
  catalogue: Catalogue
  rights: ImportRights
  known: KnownPeople
  /** `YYYY-MM-DD` */
  today: string
  /** Guardianships end when the child comes of age. */
  endsAtAge: boolean
  /** What all new people get. */
  forNew?: ForNew | undefined
}

/** Judges every row, and then the guardians, who can be anywhere in the list. */
export function judgeRows(rows: readonly RowInput[], judging: Judging): Judgement[] {
  const identityOf = identify(rows, judging.known)
  const identified = rows.map((row) => ({ row, identity: identityOf(row) }))
  const byKey = Map.groupBy(identified, ({ identity }) => identity.key)
  const byUsername = Map.groupBy(
    identified.filter(({ row }) => row.username !== null),
    ({ row }) => row.username!.toLowerCase(),
  )
  const judged = identified.map(({ row, identity }): JudgedRow => {
    const others = byKey.get(identity.key)!.flatMap((other) => (other.row === row ? [] : [other.row]))
    const sameName = (row.username === null ? [] : byUsername.get(row.username.toLowerCase())!).flatMap((other) =>
      other.identity.key === identity.key ? [] : [other.row.number],
    )
    return { row, identity, judgement: judgeRow(row, identity, { ...judging, others, sameName }) }
  })
  const plannedFor = planGuardians(judged, judging)
  return judged.map((each) => withGuardians(each, plannedFor(each), judging))
}

type RowContext = Judging & {
  /** Rows about the same person. */
  others: readonly RowInput[]
  /** Numbers of rows about other people with the same user name. */
  sameName: readonly number[]
}

const refuse = (judgement: Judgement, verdict: Verdict, problems: RowProblem[]): Judgement => {
  const { plan: _, ...shown } = judgement
  return { ...shown, verdict, problems, changes: [] }
}

function judgeRow(row: RowInput, { key, person, isShared }: Identity, judging: RowContext): Judgement {
  const { rights, others } = judging
  const shown: Judgement = {
    number: row.number,
    verdict: 'same',
    problems: [],
    changes: [],
    name: row.name,
    email: row.email || (row.username ?? ''),
    key,
    person: person?.isHidden ? undefined : person,
  }
  if (row.problems.length) return refuse(shown, 'error', row.problems)
  if (!person && !row.email && row.username === null && !row.guardians.length)
    return refuse(shown, 'error', [{ code: 'email_missing' }])
  const different = others.filter((other) => !saysTheSame(other, row))
  if (different.length)
    return refuse(shown, 'conflict', [{ code: 'email_repeated', value: different.map(({ number }) => number).join(', ') }])
  const earlier = others.find(({ number }) => number < row.number)
  if (earlier) return refuse(shown, 'same', [{ code: 'row_repeated', value: String(earlier.number) }])
  const conflict = findNameConflict(row, person, judging) ?? (person && findConflict(row, person, rights))
  if (conflict) return refuse(shown, 'conflict', [conflict])
  const problems: RowProblem[] = []
  // A number that stays as it was is accepted in any form.
  if (!row.isPhoneValid && !isSamePhone(row.phone!, person?.phone ?? null))
    problems.push({ code: 'phone_invalid', value: row.phone! })
  const named = row.groups.flatMap((name) => keep(planGroup(name, person, judging), problems))
  const groups = person ? named : withGroupForNew(named, judging)
  const grants = row.qualifications.flatMap((wanted) => keep(planGrant(wanted, person, judging), problems))
  if (problems.length) return refuse(shown, 'error', problems)
  if (!person) {
    const language = row.language ?? judging.forNew?.language ?? null
    const values = valuesOf({ ...row, language })
    const address = isShared ? { contactEmail: row.email } : row.email ? { email: row.email } : {}
    return {
      ...shown,
      verdict: 'new',
      changes: [
        ...(isShared ? [{ field: row.username === null ? 'contact' : 'contact_changed', to: row.email } as const] : []),
        ...(row.username === null ? [] : [{ field: 'username', to: row.username } as const]),
        ...(row.birthDate === null ? [] : [{ field: 'birth_date', to: row.birthDate } as const]),
        ...(row.phone === null ? [] : [{ field: 'phone', to: row.phone } as const]),
        ...(row.language === null ? [] : [{ field: 'language', to: row.language } as const]),
        ...describe(groups, grants, person, judging.catalogue),
      ],
      plan: { ...values, ...address, groups, grants, guardians: [] },
    }
  }
  const { values, changes } = findChanges(row, person, { isShared, known: judging.known })
  const all = [...changes, ...describe(groups, grants, person, judging.catalogue)]
  if (!all.length) return shown
  if (!person.isActive) return refuse(shown, 'conflict', [{ code: 'person_inactive', value: person.name }])
  // User name and contact address decide who gets into the account.
  if ((values.username !== undefined || values.contactEmail !== undefined) && !rights.mayChangeAddress(person))
    return refuse(shown, 'conflict', [{ code: 'person_locked' }])
  return {
    ...shown,
    verdict: 'updated',
    changes: all,
    plan: { userId: person.userId, ...values, groups, grants, guardians: [] },
  }
}

/** The group that all new people get, if the list does not name it anyway and the importer may assign it. */
function withGroupForNew(groups: Reference[], { forNew, catalogue, rights }: Judging): Reference[] {
  const group = forNew?.group
  if (group === undefined || groups.includes(group)) return groups
  return catalogue.groupNames.has(group) && rights.mayAssign(group) ? [...groups, group] : groups
}

function findNameConflict(row: RowInput, person: ExistingPerson | undefined, context: RowContext): RowProblem | undefined {
  const { known, sameName } = context
  if (row.username === null) return undefined
  if (sameName.length) return { code: 'username_repeated', value: sameName.join(', ') }
  const holder = known.byUsername.get(row.username.toLowerCase())
  if (holder && holder !== person) return { code: 'username_taken', value: row.username }
  const isOtherAddress = person?.email && row.email && person.email.toLowerCase() !== row.email.toLowerCase()
  return isOtherAddress ? { code: 'person_other_address', value: person.name } : undefined
}

/** Adds the guardians to the plan of a row, or refuses the row. */
function withGuardians(
  { identity, judgement }: JudgedRow,
  planned: PlannedGuardians | undefined,
  { rights }: Judging,
): Judgement {
  if (!planned) return judgement
  if (planned.problems.length) return refuse(judgement, 'error', planned.problems)
  if (!planned.guardians.length) return judgement
  const { person } = identity
  const value = planned.guardians.map(({ name }) => name).join(', ')
  if (!rights.mayChange || (person && !rights.mayChangeAddress(person)))
    return refuse(judgement, 'error', [{ code: 'guardian_locked', value }])
  if (person && !person.isActive) return refuse(judgement, 'conflict', [{ code: 'person_inactive', value: person.name }])
  const plan = judgement.plan ?? { userId: person!.userId, groups: [], grants: [], guardians: [] }
  return {
    ...judgement,
    verdict: judgement.verdict === 'same' ? 'updated' : judgement.verdict,
    changes: [...judgement.changes, ...planned.guardians.map(({ name }): Change => ({ field: 'guardian', to: name }))],
    plan: { ...plan, guardians: planned.guardians.map(({ key }) => key) },
  }
}

type Planned<T> = { problem: RowProblem } | { planned: T } | undefined

function keep<T>(result: Planned<T>, problems: RowProblem[]): T[] {
  if (result && 'problem' in result) problems.push(result.problem)
  return result && 'planned' in result ? [result.planned] : []
}

const valuesOf = ({
  name,
  username,
  birthDate,
  phone,
  language,
}: RowInput): Pick<Plan, 'name' | 'username' | 'birthDate' | 'phone' | 'language'> => ({
  name,
  ...(username === null ? {} : { username }),
  ...(birthDate === null ? {} : { birthDate }),
  ...(phone === null ? {} : { phone }),
  ...(language === null ? {} : { language }),
})

function findConflict(row: RowInput, person: ExistingPerson, { mayChange }: ImportRights): RowProblem | undefined {
  if (person.isHidden || !mayChange) return { code: 'person_locked' }
  return canBeSamePerson(person.name, row.name) ? undefined : { code: 'person_other_name', value: person.name }
}

function planGroup(
  name: string,
  person: ExistingPerson | undefined,
  { catalogue, rights }: Pick<Judging, 'catalogue' | 'rights'>,
): Planned<Reference> {
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
  { catalogue, rights }: Pick<Judging, 'catalogue' | 'rights'>,
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

function findChanges(
  row: RowInput,
  person: ExistingPerson,
  { isShared, known }: { isShared: boolean; known: KnownPeople },
): { values: Partial<Plan>; changes: Change[] } {
  const values: Partial<Plan> = {}
  const changes: Change[] = []
  if (row.name !== person.name) {
    values.name = row.name
    changes.push({ field: 'name', from: person.name, to: row.name })
  }
  if (row.username !== null && row.username.toLowerCase() !== person.username?.toLowerCase()) {
    values.username = row.username
    changes.push({ field: 'username', from: person.username ?? '', to: row.username })
  }
  if (isShared && !isReachedAt(row.email, person, known)) {
    values.contactEmail = row.email
    changes.push({ field: 'contact_changed', from: person.contactEmail ?? '', to: row.email })
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

/** By the contact address, or without one by the address of a guardian. */
function isReachedAt(email: string, person: ExistingPerson, { byEmail }: KnownPeople): boolean {
  const address = email.toLowerCase()
  if (person.contactEmail !== null) return person.contactEmail.toLowerCase() === address
  return person.guardianIds.includes(byEmail.get(address)?.userId ?? 0)
}

function describe(
  groups: readonly Reference[],
  grants: readonly PlannedGrant[],
  person: ExistingPerson | undefined,
  catalogue: Catalogue,
): Change[] {
  const nameIn = (names: ReadonlyMap<number, string>, reference: Reference) =>
    typeof reference === 'number' ? (names.get(reference) ?? '') : reference.create
  return [
    ...groups.map((group): Change => ({ field: 'group', to: nameIn(catalogue.groupNames, group) })),
    ...grants.map(({ qualification, until }): Change => {
      const title = nameIn(catalogue.qualificationNames, qualification)
      const held = person?.grants.find(({ qualificationId }) => qualificationId === qualification)
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
