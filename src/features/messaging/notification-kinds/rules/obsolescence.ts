import type { NotificationDetails } from './details.ts'

type Details = Pick<NotificationDetails, 'data' | 'participation'>

/** Whether a stored time (ISO 8601, or null) is this one. */
export const isSameTime = (stored: unknown, now: Date | null | undefined): boolean =>
  stored === null ? now === null : typeof stored === 'string' && Date.parse(stored) === now?.getTime()

/** Whether each changed field still has the value after the change. */
export function hasValuesAfter(data: Details['data'], isCurrent: Record<string, (after: unknown) => boolean>): boolean {
  return Object.entries(isCurrent).every(([field, matches]) => {
    const change = data[field]
    return !Array.isArray(change) || matches(change[1])
  })
}

/** Whether the participation left the state that the notification reports. */
export const hasLeftState = ({ data, participation }: Details): boolean => participation?.state !== data.to

export const hasIndividualTimes = ({ data, participation }: Details): boolean =>
  hasValuesAfter(data, {
    individual_start_time: (after) => isSameTime(after, participation?.individualStart),
    individual_end_time: (after) => isSameTime(after, participation?.individualEnd),
  })
