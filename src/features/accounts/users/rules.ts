import { Temporal } from 'temporal-polyfill'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { zoneOf } from '#platform/i18n/zone.ts'
import { isAddress } from '#platform/no-address.ts'

/** The group that administrators join. It is made in the language of the first of them. */
export const ADMINISTRATORS: Record<SourceLanguage, string> = { en: 'Administrators', de: 'Verwaltung' }

/** 3 to 40 letters, digits, dots, hyphens and underscores, beginning with a letter. Without an @, so that no user name is an address. */
export const USERNAME = /^[A-Za-z][A-Za-z0-9._-]{2,39}$/

const LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', œ: 'oe', ł: 'l', đ: 'd' }

/** A user name made of a name: `Mia Keller` becomes `mia.keller`. `isTaken` gets lower case. */
export function deriveUsername(name: string, isTaken: (username: string) => boolean): string {
  const plain = [...name.toLowerCase()]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '.')
    .replaceAll(/^[^a-z]+|\.+$/g, '')
    .slice(0, 30)
  const base = plain.length >= 3 ? plain : 'person'
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? base : `${base}${n}`
    if (!isTaken(candidate)) return candidate
  }
}

type Names = { email: string; username: string | null; contactEmail: string | null }
export const canSignIn = ({ email, username }: Pick<Names, 'email' | 'username'>): boolean =>
  isAddress(email) || username !== null
/** No mail with a link can reach the person; those who manage people pass it on. */
export const isUnreachable = ({ email, contactEmail }: Pick<Names, 'email' | 'contactEmail'>): boolean =>
  !isAddress(email) && contactEmail === null

/** What guardians may not act for: accounts that could do more than take part. */
type Powers = { isStaff: boolean; isSuperuser: boolean; isServiceAccount: boolean; permissionCount: number }
const hasPowers = ({ isStaff, isSuperuser, isServiceAccount, permissionCount }: Powers): boolean =>
  isStaff || isSuperuser || isServiceAccount || permissionCount > 0

export const GUARDIANSHIP_END_AGE = 18

export type GuardianshipRefusal =
  | 'same_person'
  | 'guardian_unknown'
  | 'guardian_minor'
  | 'guardian_has_guardian'
  | 'child_has_powers'
  | 'child_adult'
  | 'child_is_guardian'
  | 'exists'

type GuardianFacts = {
  userId: number
  dateOfBirth: string | null
  isActive: boolean
  isServiceAccount: boolean
  hasGuardian: boolean
}
type ChildFacts = Powers & { userId: number; dateOfBirth: string | null; isGuardian: boolean }

/** Why a person cannot become the guardian of another one; undefined: they can. */
export function refuseGuardianship(
  guardian: GuardianFacts,
  child: ChildFacts,
  { today, endsAtAge, exists }: { today: string; endsAtAge: boolean; exists: boolean },
): GuardianshipRefusal | undefined {
  if (guardian.userId === child.userId) return 'same_person'
  if (!guardian.isActive || guardian.isServiceAccount) return 'guardian_unknown'
  if (isMinorOn(guardian.dateOfBirth, today)) return 'guardian_minor'
  if (guardian.hasGuardian) return 'guardian_has_guardian'
  if (hasPowers(child)) return 'child_has_powers'
  if (child.isGuardian) return 'child_is_guardian'
  if (endsAtAge && child.dateOfBirth !== null && getAgeOn(child.dateOfBirth, today) >= GUARDIANSHIP_END_AGE) return 'child_adult'
  return exists ? 'exists' : undefined
}

/** What decides where the mails of a person go. */
type MailTarget<Language extends string = string> = {
  id: number
  name: string
  language: Language
  email: string
  /** The person has an address of their own, and mails to it do not come back. */
  isReachable: boolean
  contactEmail: string | null
}
export type Mailbox<Language extends string = string> = {
  email: string
  /** Of the person who reads the mail. */
  name: string
  language: Language
  /** Whom the mail is for, if others read this mailbox, too. */
  about: string | undefined
  /** The reader is a guardian of the person. */
  isGuardian: boolean
  /** The account whose own address it is; undefined: a shared address. */
  ownerId: number | undefined
}

/**
 * Where the mails of a person go. `news`: to their own address, or else to the address that they share, and to their guardians.
 * `access`, for links that open the account: to their own address, or else to the shared one, or else to the guardians. Each mailbox
 * gets a mail once.
 */
export function chooseMailboxes<Language extends string>(
  person: MailTarget<Language>,
  guardians: readonly MailTarget<Language>[],
  purpose: 'news' | 'access',
): Mailbox<Language>[] {
  const isShared = !person.isReachable
  const own = person.isReachable ? person.email : person.contactEmail
  const boxes: Mailbox<Language>[] = []
  const add = (email: string | null, box: Omit<Mailbox<Language>, 'email'>) => {
    if (email !== null && !boxes.some((each) => each.email.toLowerCase() === email.toLowerCase())) boxes.push({ email, ...box })
  }
  const { name, language } = person
  const addGuardians = () => {
    for (const guardian of guardians)
      add(guardian.isReachable ? guardian.email : guardian.contactEmail, {
        name: guardian.name,
        language: guardian.language,
        about: name,
        isGuardian: true,
        ownerId: guardian.isReachable ? guardian.id : undefined,
      })
  }
  // A guardian who reads the shared mailbox is greeted as such.
  if (isShared && purpose === 'news') addGuardians()
  add(own, { name, language, about: isShared ? name : undefined, isGuardian: false, ownerId: isShared ? undefined : person.id })
  if (purpose === 'news' || !boxes.length) addGuardians()
  return boxes
}

type EditedPerson = {
  name: string
  email: string
  username: string | null
  contactEmail: string | null
  dateOfBirth: string | null
  phone: string | null
  language: string
  groupIds: readonly number[]
  isStaff: boolean
  isVisible: boolean
}

/** Everything that the form of a person shows as one text. If it differs on saving, another request has changed the person. */
export const personState = (person: EditedPerson): string => {
  const { name, email, username, contactEmail, dateOfBirth, phone, language, groupIds, isStaff, isVisible } = person
  return JSON.stringify([
    name,
    email,
    username,
    contactEmail,
    dateOfBirth,
    phone,
    language,
    groupIds.toSorted((a, b) => a - b),
    isStaff,
    isVisible,
  ])
}

type EditedGroup = {
  name: string
  permissions: readonly string[]
  publishFor: readonly number[]
  decideHoursFor: readonly number[]
}

/** Everything that the form of a group shows as one text. */
export const groupState = ({ name, permissions, publishFor, decideHoursFor }: EditedGroup): string =>
  JSON.stringify([name, permissions, publishFor, decideHoursFor])

/** `YYYY-MM-DD` in the given time zone. */
export function dayOf(instant: Date, timeZone: string): string {
  const at = instant.getTime()
  return new Date(at + zoneOf(timeZone).offsetAt(at)).toISOString().slice(0, 10)
}

/** Completed years. A birthday on 29 February counts as 1 March in other years. */
export function getAgeOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

/** The first day on which a person is this old. Who was born on 29 February is older from 1 March in other years. */
export function getDayOfAge(dateOfBirth: string, age: number): string {
  const born = Temporal.PlainDate.from(dateOfBirth)
  const day = born.add({ years: age })
  return (day.day === born.day ? day : day.add({ days: 1 })).toString()
}

/** False if the birth date is unknown. */
export const isMinorOn = (dateOfBirth: string | null, day: string): boolean =>
  dateOfBirth !== null && getAgeOn(dateOfBirth, day) < 18

const EXPIRES_SOON_MS = 60 * 24 * 3600 * 1000

/** `expiresAt` null: unlimited. */
export function getValidity(expiresAt: Date | null, now: Date): 'valid' | 'soon' | 'expired' {
  if (!expiresAt) return 'valid'
  if (expiresAt < now) return 'expired'
  return expiresAt.getTime() - now.getTime() <= EXPIRES_SOON_MS ? 'soon' : 'valid'
}

/** The last millisecond of a day in the given time zone. */
export function endOfDay(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - 1)
}

/** The last millisecond of the day so many months after `start`. */
export function expiryAfter(start: Date, months: number, timeZone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  const next = day.add({ months }).add({ days: 1 })
  return new Date(next.toZonedDateTime(timeZone).epochMilliseconds - 1)
}

const UNSEEN_MS = 183 * 24 * 3600 * 1000

/** Not seen for about half a year; people who never signed in count from their creation. */
export const isUnseen = (lastSeenAt: Date | null, createdAt: Date, now: Date): boolean =>
  now.getTime() - (lastSeenAt ?? createdAt).getTime() > UNSEEN_MS

/** What decides which changes a person may make to others. */
export type Editor = {
  userId: number
  isStaff: boolean
  isSuperuser: boolean
  groupIds: readonly number[]
  mayChangeGroups: boolean
  permissions: ReadonlySet<string>
}
export type Target = {
  userId: number
  isStaff: boolean
  isSuperuser: boolean
  groupIds: readonly number[]
  /** Given to the person directly, not through a group. */
  ownPermissions: readonly string[]
}

/**
 * Changing the e-mail address of an account allows taking it over with a password link. So the editor must already have
 * every right of that account.
 */
export function mayChangeEmail(editor: Editor, target: Target): boolean {
  if (editor.userId === target.userId) return true
  if (target.isSuperuser) return editor.isSuperuser
  if (editor.isStaff) return true
  if (target.isStaff || target.ownPermissions.some((permission) => !editor.permissions.has(permission))) return false
  return editor.mayChangeGroups || target.groupIds.every((id) => editor.groupIds.includes(id))
}

/** For deactivating, revoking and deleting. Only administrators may close accounts of administrators. */
export function mayCloseAccount(editor: Editor, target: Target): boolean {
  if (target.isSuperuser) return editor.isSuperuser
  return editor.isStaff || !target.isStaff
}

export const mayChangeStaff = (editor: Editor, target: Pick<Target, 'isSuperuser'>): boolean =>
  target.isSuperuser ? editor.isSuperuser : editor.isStaff

/** People may change memberships of groups that they are in themselves. */
export const mayChangeMembership = (editor: Editor, groupId: number): boolean =>
  editor.mayChangeGroups || editor.groupIds.includes(groupId)

/** The memberships after saving; undefined: the form contains a group that the editor may not assign. */
export function membershipsAfter(editor: Editor, present: readonly number[], wanted: readonly number[]): number[] | undefined {
  const locked = present.filter((id) => !mayChangeMembership(editor, id))
  if (wanted.some((id) => !mayChangeMembership(editor, id) && !locked.includes(id))) return undefined
  return [...new Set([...locked, ...wanted])].sort((a, b) => a - b)
}

type EditorRights = {
  mayChangeEmail: boolean
  mayChangeStaff: boolean
  closeRefusal: 'self' | 'administrator' | undefined
}

/** What the caller may change about a person, for pages; the commands check again. */
export function getEditorRights(editor: Editor, person: Target): EditorRights {
  return {
    mayChangeEmail: mayChangeEmail(editor, person),
    mayChangeStaff: mayChangeStaff(editor, person),
    closeRefusal: getCloseRefusal(editor, person),
  }
}

function getCloseRefusal(editor: Editor, person: Target): EditorRights['closeRefusal'] {
  if (editor.userId === person.userId) return 'self'
  return mayCloseAccount(editor, person) ? undefined : 'administrator'
}

type Named = { id: number; name: string }

/** Groups that the editor may assign, and names of the groups of a person that the editor may not remove. */
export function splitGroups(
  editor: Editor,
  all: readonly Named[],
  present: readonly number[],
): { open: Named[]; locked: string[] } {
  const open = all.filter(({ id }) => mayChangeMembership(editor, id))
  const locked = all.filter(({ id }) => present.includes(id) && !mayChangeMembership(editor, id)).map(({ name }) => name)
  return { open, locked }
}

/** What members of a group may do for the whole organisation, or for other groups. */
export type GroupRights = {
  permissions: readonly string[]
  publishFor: readonly number[]
  decideHoursFor: readonly number[]
}
export const NO_RIGHTS: GroupRights = { permissions: [], publishFor: [], decideHoursFor: [] }

/** Whether the group gives a right that the other list does not contain. */
export const exceedsRights = (group: GroupRights, known: GroupRights): boolean =>
  group.permissions.some((each) => !known.permissions.includes(each)) ||
  group.publishFor.some((each) => !known.publishFor.includes(each)) ||
  group.decideHoursFor.some((each) => !known.decideHoursFor.includes(each))

/** Groups with rights are given to people by a decision about these rights, never by a name or a link alone. */
export const hasRights = (group: GroupRights): boolean => exceedsRights(group, NO_RIGHTS)

/** Permissions of the selected bundles plus those that belong to no bundle of the group, which stay. */
export function permissionsAfter(
  bundles: Readonly<Record<string, readonly string[]>>,
  present: readonly string[],
  ticked: readonly string[],
): string[] {
  const loose = loosePermissions(bundles, present)
  return [...new Set([...ticked.flatMap((name) => bundles[name] ?? []), ...loose])].sort()
}

/** Bundles of which a group has every permission. */
export const bundlesIn = (bundles: Readonly<Record<string, readonly string[]>>, present: readonly string[]): string[] =>
  Object.keys(bundles).filter((name) => bundles[name]!.every((permission) => present.includes(permission)))

/** Permissions outside of the bundles of a group; imports create them. */
export function loosePermissions(bundles: Readonly<Record<string, readonly string[]>>, present: readonly string[]): string[] {
  const bundled = new Set(bundlesIn(bundles, present).flatMap((name) => bundles[name]!))
  return present.filter((permission) => !bundled.has(permission))
}

/** A text that names a person. `instance`: imprint, privacy notice or name of the organisation. */
export type Mention = { kind: 'event' | 'page' | 'instance'; id: number | null; title: string }

/** A place at a partner instance, which only that instance can free. */
export type PlaceAtPartner = { host: string; title: string; shift: string; start: Date; end: Date; isConfirmed: boolean }

/** A place in a shift. `event` undefined: the caller may not see the event. */
export type AccountPlace = {
  start: Date
  end: Date
  isConfirmed: boolean
  /** Label of the shift. */
  shift: string
  event: { title: string; href: string } | undefined
}

const DAY_MS = 24 * 3600 * 1000
/** A full mailbox or a server that is down for some days is no reason to stop. */
const SOFT_DAYS = 4
const SOFT_COUNT = 3
/** Later failures have another cause. */
const SOFT_GAP_DAYS = 14

type SoftFailures = { soft_since: Date | null; soft_last_at: Date | null; soft_count: number }

/** Temporary failures: several over several days mean that the address does not work. */
export function countSoftFailure(stored: SoftFailures | undefined, now: Date): { since: Date; count: number; isEnough: boolean } {
  const isNew =
    !stored?.soft_since || !stored.soft_last_at || now.getTime() - stored.soft_last_at.getTime() > SOFT_GAP_DAYS * DAY_MS
  const since = isNew ? now : stored.soft_since!
  const count = isNew ? 1 : stored.soft_count + 1
  return { since, count, isEnough: count >= SOFT_COUNT && now.getTime() - since.getTime() >= SOFT_DAYS * DAY_MS }
}
