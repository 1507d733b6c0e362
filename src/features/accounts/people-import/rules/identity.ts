import { foldName } from '#platform/spreadsheet/fold-name.ts'
import type { PersonLanguage, RowInput } from './row.ts'

/** A person whom a row can be about, or whom it can name as a guardian. */
export type ExistingPerson = {
  userId: number
  name: string
  /** The own address; null: the person has none. */
  email: string | null
  username: string | null
  contactEmail: string | null
  birthDate: string | null
  phone: string | null
  language: PersonLanguage
  isActive: boolean
  /** The importer may not see the account. */
  isHidden: boolean
  groupIds: readonly number[]
  /** `until`: the day of `expiresAt`; null: without a limit. */
  grants: readonly { qualificationId: number; until: string | null; expiresAt: string | null; isExternal: boolean }[]
  guardianIds: readonly number[]
  isGuardian: boolean
  isStaff: boolean
  isSuperuser: boolean
  /** Given to the person directly. */
  ownPermissions: readonly string[]
}

/** People by what rows know of them; addresses and user names in lower case. */
export type KnownPeople = {
  byEmail: ReadonlyMap<string, ExistingPerson>
  byUsername: ReadonlyMap<string, ExistingPerson>
  byContact: ReadonlyMap<string, readonly ExistingPerson[]>
  childrenOf: ReadonlyMap<number, readonly ExistingPerson[]>
  /** People without an address of their own, by folded name. */
  byName: ReadonlyMap<string, readonly ExistingPerson[]>
}

export function indexPeople(people: readonly ExistingPerson[]): KnownPeople {
  const withoutAddress = people.filter(({ email }) => email === null)
  const children = people.flatMap((child) => child.guardianIds.map((guardianId) => ({ guardianId, child })))
  return {
    byEmail: new Map(people.flatMap((person) => (person.email === null ? [] : [[person.email.toLowerCase(), person]]))),
    byUsername: new Map(people.flatMap((person) => (person.username === null ? [] : [[person.username.toLowerCase(), person]]))),
    byContact: Map.groupBy(withoutAddress, ({ contactEmail }) => (contactEmail ?? '').toLowerCase()),
    childrenOf: new Map(
      [...Map.groupBy(children, ({ guardianId }) => guardianId)].map(([id, found]) => [id, found.map(({ child }) => child)]),
    ),
    byName: Map.groupBy(withoutAddress, ({ name }) => foldName(name)),
  }
}

/** The account that signs in with an address or user name. */
export const bySignInName = ({ byEmail, byUsername }: KnownPeople, name: string): ExistingPerson | undefined =>
  byEmail.get(name.toLowerCase()) ?? byUsername.get(name.toLowerCase())

/** Rows with the same key are about the same person. `isShared`: another person has the address of the row. */
export type Identity = { key: string; person: ExistingPerson | undefined; isShared: boolean }

/** Whom a list makes the owner of an address: `name` undefined if the importer may not see the account. */
type Owner = { name: string | undefined; username: string | null }

const isSameText = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()
const areDifferent = (a: string | null, b: string | null): boolean => a !== null && b !== null && !isSameText(a, b)
const namesOwnAddress = ({ email, guardians }: RowInput): boolean => guardians.some((name) => isSameText(name, email))

/**
 * Finds out whom each row is about. A user name names one person. Families share an address: it belongs to the person who has it, or
 * else to the first row with it, before all rows without a guardian. Rows of clearly other people share it and are known by address and
 * name. Rows without both are known by their guardians and the name, or only by the name if nobody else has it.
 */
export function identify(rows: readonly RowInput[], known: KnownPeople): (row: RowInput) => Identity {
  const owners = findOwners(rows, known)
  return (row) => {
    const person = findByUsername(row, known)
    if (person) return { key: keyOf(person), person, isShared: person.email === null && row.email !== '' }
    if (row.email) return identifyByAddress(row, known, owners.get(row.email.toLowerCase()))
    const found = findWithoutAddress(row, known)
    return { key: found ? keyOf(found) : newKey(row), person: found, isShared: false }
  }
}

export const keyOf = ({ userId }: Pick<ExistingPerson, 'userId'>): string => `#${userId}`
function newKey({ username, guardians, name }: RowInput): string {
  if (username !== null) return `@${username.toLowerCase()}`
  return [...guardians.map((guardian) => guardian.toLowerCase()).toSorted(), foldName(name)].join('\n')
}

function findOwners(rows: readonly RowInput[], { byEmail, byContact }: KnownPeople): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  const good = rows.filter((row) => row.email && !row.problems.length)
  const withoutGuardianFirst = good.toSorted((a, b) => Math.min(1, a.guardians.length) - Math.min(1, b.guardians.length))
  for (const row of withoutGuardianFirst) {
    const address = row.email.toLowerCase()
    const person = byEmail.get(address)
    if (person) owners.set(address, { name: person.isHidden ? undefined : person.name, username: person.username })
    else if (!owners.has(address) && !pickByName(row, byContact.get(address) ?? []))
      owners.set(address, { name: row.name, username: row.username })
  }
  return owners
}

function findByUsername(row: RowInput, { byUsername }: KnownPeople): ExistingPerson | undefined {
  const person = row.username === null ? undefined : byUsername.get(row.username.toLowerCase())
  return person && !person.isHidden && canBeSamePerson(person.name, row.name) ? person : undefined
}

function identifyByAddress(row: RowInput, known: KnownPeople, owner: Owner | undefined): Identity {
  const address = row.email.toLowerCase()
  const person = known.byEmail.get(address)
  const sharing = pickByName(row, [...(known.byContact.get(address) ?? []), ...(person ? childrenOf(person, known) : [])])
  const own: Identity = { key: person ? keyOf(person) : address, person, isShared: false }
  const shared: Identity = {
    key: sharing ? keyOf(sharing) : row.username === null ? `${address}\n${foldName(row.name)}` : newKey(row),
    person: sharing,
    isShared: true,
  }
  if (namesOwnAddress(row)) return shared
  if (person && foldName(person.name) === foldName(row.name)) {
    const isOther = sharing && row.birthDate !== null && sharing.birthDate === row.birthDate && person.birthDate !== row.birthDate
    return isOther ? shared : own
  }
  if (sharing) return shared
  if (!owner || owner.name === undefined) return own
  // Two new rows with two user names are two people, whatever their names are.
  if (!person && areDifferent(owner.username, row.username)) return shared
  return canBeSamePerson(owner.name, row.name) ? own : shared
}

const childrenOf = ({ userId }: ExistingPerson, known: KnownPeople): readonly ExistingPerson[] =>
  (known.childrenOf.get(userId) ?? []).filter(({ email }) => email === null)

/** The one with the name of the row, and with its birth date if several have the name. */
function pickByName(row: RowInput, people: readonly ExistingPerson[]): ExistingPerson | undefined {
  const named = people.filter(
    ({ name, username, isHidden }) => !isHidden && foldName(name) === foldName(row.name) && !areDifferent(username, row.username),
  )
  return named.find(({ birthDate }) => birthDate !== null && birthDate === row.birthDate) ?? named[0]
}

function findWithoutAddress(row: RowInput, known: KnownPeople): ExistingPerson | undefined {
  const guardians = row.guardians.flatMap((name) => bySignInName(known, name) ?? [])
  const child = pickByName(
    row,
    guardians.flatMap((guardian) => known.childrenOf.get(guardian.userId) ?? []),
  )
  if (child || row.guardians.length || row.username !== null) return child
  const named = (known.byName.get(foldName(row.name)) ?? []).filter(
    ({ username, contactEmail, birthDate }) =>
      username === null && contactEmail === null && (row.birthDate === null || birthDate === null || birthDate === row.birthDate),
  )
  return pickByName(row, named)
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
