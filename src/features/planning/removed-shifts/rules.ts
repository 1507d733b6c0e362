/** How long a deleted shift can be restored. */
export const KEPT_HOURS = 24
const KEPT_MS = KEPT_HOURS * 3_600_000

type Removal = { isCancelled: boolean; removedAt: Date }

/** Until when a deleted shift can be restored. */
export const restorableUntil = ({ removedAt }: Pick<Removal, 'removedAt'>): Date => new Date(removedAt.getTime() + KEPT_MS)

/** Shifts that were deleted later can be restored. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS)

/** A cancelled shift at any time, a deleted one for a day. */
export const canRestore = (removal: Removal, now: Date): boolean => removal.isCancelled || now < restorableUntil(removal)
