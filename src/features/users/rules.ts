import { Temporal } from 'temporal-polyfill'

/** `YYYY-MM-DD` in the zone of the instance: ages and days are of that zone. */
export function dayOf(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** Completed years; who is born on 29 February has a birthday on 1 March in other years. */
export function ageOn(dateOfBirth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

/** Nobody is a minor by an unknown birth date. */
export const isMinorOn = (dateOfBirth: string | null, day: string): boolean =>
  dateOfBirth !== null && ageOn(dateOfBirth, day) < 18

const SOON = 60 * 24 * 3600 * 1000

/** How it stands with a qualification that somebody holds until a certain time; null: without end. */
export function validityOf(expiresAt: Date | null, now: Date): 'valid' | 'soon' | 'expired' {
  if (!expiresAt) return 'valid'
  if (expiresAt < now) return 'expired'
  return expiresAt.getTime() - now.getTime() <= SOON ? 'soon' : 'valid'
}

/** The last moment of a day in that zone: a qualification is good until then. */
export function endOfDay(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - 1)
}

const UNSEEN = 183 * 24 * 3600 * 1000

/** Nobody has seen them for about half a year; who never came is counted from the day they were created. */
export const isUnseen = (lastSeenAt: Date | null, createdAt: Date, now: Date): boolean =>
  now.getTime() - (lastSeenAt ?? createdAt).getTime() > UNSEEN

/** Whoever changes people, as far as it decides what they may change. */
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
  /** Given to the person alone and not through a group. */
  ownPermissions: readonly string[]
}

/**
 * Whoever changes the address of an account can take it over by a link to a new password. So they must be able to do
 * already whatever that account can.
 */
export function mayChangeEmail(editor: Editor, target: Target): boolean {
  if (editor.userId === target.userId) return true
  if (target.isSuperuser) return editor.isSuperuser
  if (editor.isStaff) return true
  if (target.isStaff || target.ownPermissions.some((permission) => !editor.permissions.has(permission))) return false
  return editor.mayChangeGroups || target.groupIds.every((id) => editor.groupIds.includes(id))
}

/** Ends sessions, takes the password away, deletes: administrators are closed by administrators only. */
export function mayCloseAccount(editor: Editor, target: Target): boolean {
  if (target.isSuperuser) return editor.isSuperuser
  return editor.isStaff || !target.isStaff
}

export const mayChangeStaff = (editor: Editor, target: Pick<Target, 'isSuperuser'>): boolean =>
  target.isSuperuser ? editor.isSuperuser : editor.isStaff

/** Groups whose membership they may change; what they may not change stays as it is. */
export const mayChangeMembership = (editor: Editor, groupId: number): boolean =>
  editor.mayChangeGroups || editor.groupIds.includes(groupId)

/** The memberships after a save; undefined: somebody asks for a group that is not theirs to give. */
export function membershipsAfter(editor: Editor, present: readonly number[], wanted: readonly number[]): number[] | undefined {
  const locked = present.filter((id) => !mayChangeMembership(editor, id))
  if (wanted.some((id) => !mayChangeMembership(editor, id) && !locked.includes(id))) return undefined
  return [...new Set([...locked, ...wanted])].sort((a, b) => a - b)
}

/** What a form says about bundles, laid over what a group can do already: what is in no ticked bundle stays as it is. */
export function permissionsAfter(
  bundles: Readonly<Record<string, readonly string[]>>,
  present: readonly string[],
  ticked: readonly string[],
): string[] {
  const loose = loosePermissions(bundles, present)
  return [...new Set([...ticked.flatMap((name) => bundles[name] ?? []), ...loose])].sort()
}

/** Bundles of which a group has everything. */
export const bundlesIn = (bundles: Readonly<Record<string, readonly string[]>>, present: readonly string[]): string[] =>
  Object.keys(bundles).filter((name) => bundles[name]!.every((permission) => present.includes(permission)))

/** What a group can do beside its bundles; an import brings such. */
export function loosePermissions(bundles: Readonly<Record<string, readonly string[]>>, present: readonly string[]): string[] {
  const bundled = new Set(bundlesIn(bundles, present).flatMap((name) => bundles[name]!))
  return present.filter((permission) => !bundled.has(permission))
}

/** What a spreadsheet would take for a formula becomes text. */
export const harmlessCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
export const csvLine = (cells: readonly string[]): string =>
  cells.map((cell) => `"${harmlessCell(cell).replaceAll('"', '""')}"`).join(',')
