export const MODES = ['any', 'every', 'last'] as const
export type Mode = (typeof MODES)[number]
export const RECIPIENTS = ['all', 'lacking', 'holding'] as const
export type Recipients = (typeof RECIPIENTS)[number]

type Held = { expiresAt: Date | null; isExternal: boolean }

/** The later of both; null is unlimited. */
export const laterExpiry = (a: Date | null, b: Date | null): Date | null => (a === null || b === null ? null : a > b ? a : b)

const isValid = ({ expiresAt }: Held, now: Date): boolean => expiresAt === null || expiresAt >= now

type AskRefusal = 'held' | 'held_longer' | 'external'

/** Why a person cannot ask for a qualification that they hold already. */
export function refuseAsking(held: Held | undefined, expiresAt: Date | null, now: Date): AskRefusal | undefined {
  if (!held) return undefined
  if (held.isExternal) return 'external'
  if (!isValid(held, now)) return undefined
  if (held.expiresAt === null) return 'held'
  return expiresAt !== null && expiresAt <= held.expiresAt ? 'held_longer' : undefined
}

/** Whether an event gives its qualification to a person, or extends it. */
export function receives(
  recipients: Recipients,
  held: Held | undefined,
  { expiresAt, now }: { expiresAt: Date | null; now: Date },
): boolean {
  if (held?.isExternal) return false
  if (recipients === 'lacking' && held && isValid(held, now)) return false
  if (recipients === 'holding' && !held) return false
  return !held || laterExpiry(held.expiresAt, expiresAt)?.getTime() !== held.expiresAt?.getTime()
}

type Attendance = { userId: number; shiftId: number }

/** People who were confirmed in the shifts that the mode demands. */
export function attendees(mode: Mode, shifts: readonly { id: number; end: Date }[], attendance: readonly Attendance[]): number[] {
  const last = Math.max(...shifts.map(({ end }) => end.getTime()))
  const needed = new Set(shifts.filter(({ end }) => mode !== 'last' || end.getTime() === last).map(({ id }) => id))
  const byPerson = Map.groupBy(
    attendance.filter(({ shiftId }) => needed.has(shiftId)),
    ({ userId }) => userId,
  )
  return [...byPerson]
    .filter(([, present]) => mode !== 'every' || new Set(present.map(({ shiftId }) => shiftId)).size === needed.size)
    .map(([userId]) => userId)
    .sort((a, b) => a - b)
}

/** The data of a request; undefined for imported data without a qualification. */
type AskedQualification = {
  qualificationId: number
  eventId: number | undefined
  expiresAt: Date | null
  acquiredOn: string | undefined
  note: string
}

export function readAsked(data: Readonly<Record<string, unknown>>): AskedQualification | undefined {
  const qualificationId = Number(data.qualification_id)
  const eventId = Number(data.event_id)
  const expires = data.expires === null || data.expires === undefined ? null : new Date(String(data.expires))
  if (!Number.isSafeInteger(qualificationId) || qualificationId <= 0) return undefined
  if (expires && Number.isNaN(expires.getTime())) return undefined
  return {
    qualificationId,
    eventId: Number.isSafeInteger(eventId) && eventId > 0 ? eventId : undefined,
    expiresAt: expires,
    acquiredOn: typeof data.acquired === 'string' ? data.acquired : undefined,
    note: typeof data.note === 'string' ? data.note : '',
  }
}

/** What an event grants to its participants. */
export type EventQualification = {
  qualificationId: number
  title: string
  mode: Mode
  recipients: Recipients
  expiresAt: Date | null
  validMonths: number | null
  needsDecision: boolean
  appliedAt: Date | null
}
