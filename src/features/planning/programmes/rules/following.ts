const HOUR_MS = 3600_000
const MAX_HOURS = 24
export const UNDO_MS = 24 * HOUR_MS

/** After each failure in a row twice as long, up to a day. */
export const nextRequestAt = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(2 ** failures, MAX_HOURS) * HOUR_MS)

/** Why the programme could not be read from its address. */
export type FetchFailure = {
  code: 'forbidden' | 'unreachable' | 'too_slow' | 'too_large' | 'encoded' | 'redirected' | 'status' | 'file'
  /** The status of the response, or the fault of the file. */
  value?: string
  line?: number
}

export type FormerLink = { id: number; shiftId: number | null; keys: string[]; label: string; start: string; end: string }
/** The last step, and the links before it. */
export type Former = { step: number; at: string; links: FormerLink[] }

export const canUndo = (former: Former | null, now: Date): former is Former =>
  former !== null && now.getTime() - Date.parse(former.at) < UNDO_MS
