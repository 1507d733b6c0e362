/** What a notification is about, as it is now. Ids, states and times of the moment it was created are in `data`. */
export type NotificationDetails = {
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
  /** State of the request that the notification is about. */
  requestState: string | undefined
  /** Name of the person whose request the notification is about. */
  requester: string | undefined
  /** The qualification that the notification is about. `expiresAt`: of the grant of the holder now; null: unlimited, or not held. */
  qualification: { title: string; expiresAt: Date | null; holder: string; isOwn: boolean } | undefined
  message: { subject: string; text: string } | undefined
  /** The child whose guardianships end. `endsOn`: `YYYY-MM-DD`; null: they do not end, or there are none any more. */
  guardianship: { name: string; endsOn: string | null; canSignIn: boolean } | undefined
  /** The question to the recipient. `isOpen`: not answered, withdrawn or answered otherwise. */
  inquiry:
    | { id: number; userId: number; shiftId: number; expiresAt: Date; isOpen: boolean; message: string; askedBy: string | null }
    | undefined
  /** What is offered to the recipient. `until` null: it ends with the shift. `isOpen`: not answered or withdrawn. */
  offer:
    | { kind: 'line' | 'stand_in' | 'swap'; id: number; userId: number; shiftId: number; until: Date | null; isOpen: boolean }
    | undefined
  /** The search for a stand-in that the notification is about. */
  standIn: { seeker: string; taker: string | undefined; state: string; message: string } | undefined
  /** The proposal to swap that the notification is about. `given`: the shift of the person who proposed; `wanted`: of the other. */
  swap: { proposer: string; other: string; state: string; message: string; given: SwapShift; wanted: SwapShift } | undefined
  /** Shifts that the notification names, that still lack people and that the recipient is responsible for. */
  shortShifts: readonly { title: string; label: string; start: Date; end: Date; missing: number }[]
}

type SwapShift = { title: string; label: string; start: Date; end: Date }

/** What a person answers by a link. */
export type Asked = NonNullable<NotificationDetails['inquiry']> | NonNullable<NotificationDetails['offer']>

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
