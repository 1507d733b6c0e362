const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const DAY = /^\d{4}-\d\d-\d\d$/

/**
 * A time or a day as the log and the database write them, where a value can be anything. Texts of people can look like one, so only times
 * and days that exist count. A day is its noon in UTC.
 */
export function readStoredMoment(text: string): { at: Date; isDay: boolean } | undefined {
  const isDay = DAY.test(text)
  if (!isDay && !INSTANT.test(text)) return undefined
  const day = new Date(`${text.slice(0, 10)}T12:00:00Z`)
  const at = isDay ? day : new Date(text)
  const exists = !Number.isNaN(at.getTime()) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  return exists ? { at, isDay } : undefined
}
