const DAY_MS = 24 * 3600_000

export const dueAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS)
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)
