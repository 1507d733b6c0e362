import { STATE } from '#features/staffing/rules/model.ts'
import type { Kind } from './kinds.ts'

/** Of what the news is about, as it is now. */
export type Present = {
  kind: Kind
  data: Readonly<Record<string, unknown>>
  event: { isListed: boolean; isCancelled: boolean; isDeleted: boolean; location: string } | undefined
  shift: { meeting: Date; start: Date; end: Date } | undefined
  participation: { state: number; start: Date; end: Date; individualStart: Date | null; individualEnd: Date | null } | undefined
}

/** One piece of news with all that is needed to put it into words. */
export type Told = Present & {
  id: number
  createdAt: Date
  readAt: Date | null
  event:
    | (NonNullable<Present['event']> & {
        id: number
        title: string
        time: { start: Date; end: Date } | undefined
        cancellationReason: string | null
        /** The reader can open its page. */
        isShown: boolean
        isResponsible: boolean
      })
    | undefined
  shift: (NonNullable<Present['shift']> & { id: number; label: string }) | undefined
  participant: string | undefined
  actorId: number | null
  actor: string | undefined
  comment: string | undefined
  message: { subject: string; text: string } | undefined
}

const CONFIRMED = STATE.confirmed

const isSame = (stored: unknown, now: Date | null | undefined): boolean =>
  stored === null ? now === null : typeof stored === 'string' && Date.parse(stored) === now?.getTime()

/** Whether each field still has the value that the news tells. */
function stillHas(data: Present['data'], now: Record<string, (after: unknown) => boolean>): boolean {
  return Object.entries(now).every(([field, matches]) => {
    const pair = data[field]
    return !Array.isArray(pair) || matches(pair[1])
  })
}

function hasMovedOn({ data, participation }: Present): boolean {
  return participation?.state !== data.to
}

const individualTimes = ({ data, participation }: Present): boolean =>
  stillHas(data, {
    individual_start_time: (after) => isSame(after, participation?.individualStart),
    individual_end_time: (after) => isSame(after, participation?.individualEnd),
  })

const OBSOLETE: Record<Kind, (present: Present, now: Date) => boolean> = {
  participation_state: hasMovedOn,
  participation_times: (present) => present.participation?.state !== CONFIRMED || !individualTimes(present),
  participation_request: hasMovedOn,
  participation_change: hasMovedOn,
  participation_decline: () => false,
  participation_own_times: (present) => !individualTimes(present),
  shift_moved: ({ data, event, shift }) =>
    !event?.isListed ||
    !stillHas(data, {
      meeting_time: (after) => isSame(after, shift?.meeting),
      start_time: (after) => isSame(after, shift?.start),
      end_time: (after) => isSame(after, shift?.end),
      location: (after) => after === event.location,
    }),
  event_called_off: ({ data, event }) => {
    if (data.what === 'cancelled') return !event?.isCancelled
    if (data.what === 'restored') return !event?.isListed
    return data.what === 'deleted' && !event?.isDeleted
  },
  reminder: ({ event, participation }, now) =>
    !event?.isListed || participation?.state !== CONFIRMED || participation.start <= now,
  event_published: ({ event }) => !event?.isListed,
  event_message: () => false,
}

/** Something else is true by now, so telling it would mislead. */
export const isObsolete = (present: Present, now: Date): boolean => OBSOLETE[present.kind](present, now)
