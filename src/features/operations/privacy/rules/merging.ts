/** The best first: confirmed, requested, being assigned, declined, rejected. */
const ORDER = [1, 0, 4, 2, 3]

/** Which of two participations in the same shift stays. Equal ones: that of the remaining account. */
export const isOtherBetter = (remaining: number, other: number): boolean => ORDER.indexOf(other) < ORDER.indexOf(remaining)

/** The later expiry, where none is the latest. */
export const laterExpiry = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : null)

export type MergedFields = {
  name: string
  email: string
  phone: string | null
  dateOfBirth: string | null
  lastSeenAt: Date | null
  createdAt: Date
}

/** The remaining account keeps what it has; what it lacks comes from the other one. */
export function mergeFields(remaining: MergedFields, other: MergedFields): MergedFields {
  const later = remaining.lastSeenAt && other.lastSeenAt && other.lastSeenAt > remaining.lastSeenAt ? other : remaining
  return {
    name: remaining.name,
    email: remaining.email,
    phone: remaining.phone ?? other.phone,
    dateOfBirth: remaining.dateOfBirth ?? other.dateOfBirth,
    lastSeenAt: later.lastSeenAt ?? other.lastSeenAt,
    createdAt: other.createdAt < remaining.createdAt ? other.createdAt : remaining.createdAt,
  }
}
