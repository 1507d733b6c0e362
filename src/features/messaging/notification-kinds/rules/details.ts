/** What a notification is about, as it is now. Ids, states and times of the moment it was created are in `data`. */
export type NotificationDetails = NotificationParts & {
  id: number
  data: Readonly<Record<string, unknown>>
  createdAt: Date
  readAt: Date | null
  /** The recipient is a guardian of this person, whom the notification is for. */
  child: { userId: number; name: string } | undefined
  event: EventDetails | undefined
  /** `missing`: how many people it lacks in all, or at the worst moment (`shortfallOf`). */
  shift: { id: number; label: string; meeting: Date; start: Date; end: Date; missing: number } | undefined
  participation: ParticipationDetails | undefined
  /** Name of the participant. */
  participant: string | undefined
  actorId: number | null
  /** Name of the user who caused the notification. */
  actor: string | undefined
  comment: string | undefined
}

/** What notifications of some kinds are about. Features add to it by declaration merging, and read it by a `notificationPart`. */
export interface NotificationParts {
  /** A text that somebody wrote to the recipient. */
  message?: { subject: string; text: string } | undefined
}

type ParticipationDetails = {
  state: number
  start: Date
  end: Date
  individualStart: Date | null
  individualEnd: Date | null
  /** The person is confirmed, but no longer meets what the place needs. */
  isLapsed: boolean
}

/** When people meet; undefined if no meeting time is set, or if the person comes before it. */
export function meetingOf(shift: { meeting: Date; start: Date }, time: { start: Date }): Date | undefined {
  return shift.meeting < shift.start && shift.meeting < time.start ? shift.meeting : undefined
}

type EventDetails = {
  id: number
  title: string
  location: string
  time: { start: Date; end: Date } | undefined
  isListed: boolean
  isCancelled: boolean
  isDeleted: boolean
  cancellationReason: string | null
  /** The recipient can open the page of the event. */
  isShown: boolean
  /** The recipient is responsible for the event. */
  isResponsible: boolean
}
