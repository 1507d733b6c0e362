import type { Mark, Marks, Sight } from './marks.ts'

/** A row of the table `change` without its position. */
export type ChangeRow = {
  kind: string
  record_id: number
  at: Date
  cause: string | null
  person_id: number | null
  before_groups: number[] | null
  after_groups: number[] | null
  before_state: number | null
  after_state: number | null
  users: number[]
  lost_users: number[]
  gained_users: number[]
  is_personal: boolean
  is_new: boolean
  is_participant_shown: boolean
  viewer_users: number[]
  viewer_groups: number[]
}

export type EventPeople = {
  id: number
  audience_id: number
  listed: boolean
  show_participant_data: number
  /** See the event because of a grant or a participation, and are in no group of its audience. */
  users: number[]
  responsible_users: number[]
  responsible_groups: number[]
  confirmed: number[]
  /** Users with a participation, in any state; 0 for people without an account. */
  participants: number[]
}

/** Who may view a profile, or decides about the person's working hours. */
export type ProfileViewers = { isVisible: boolean; users: number[]; groups: number[]; hoursGroups: number[] }

/** The present state, which the triggers do not know. */
export type Surroundings = {
  now: Date
  events: EventPeople[]
  /** Groups by audience. */
  audiences: ReadonlyMap<number, number[]>
  /** Users of `sights` in a group of the event, by event. */
  members: ReadonlyMap<number, ReadonlySet<number>>
  /** Shifts by event. */
  shifts: ReadonlyMap<number, number[]>
  viewers: ReadonlyMap<number, ProfileViewers>
  causes: ReadonlyMap<number, { kind: string; subject_kind: string; subject_id: number | null; at: Date }>
}

const NOBODY = { lost: [], gained: [] }
type Difference = { lost: number[]; gained: number[] }

export function describeChanges({ xacts, marks, sights, journalIds }: Marks, surroundings: Surroundings): ChangeRow[] {
  const { now, audiences, causes } = surroundings
  const events = new Map(surroundings.events.map((event) => [event.id, event]))
  const differences = new Map(
    sights.map((sight) => [`${sight.xact} ${sight.eventId}`, differenceOf(sight, events.get(sight.eventId), surroundings)]),
  )
  const groupsOf = (audience: number | null): number[] | null => (audience === null ? null : (audiences.get(audience) ?? []))
  const entriesOf = (xact: string) => (journalIds.get(xact) ?? []).flatMap((id) => causes.get(id) ?? [])

  const rowOf = (mark: Mark, isPersonal: boolean): ChangeRow => {
    const entries = entriesOf(mark.xact)
    const event = mark.eventId === null ? undefined : events.get(mark.eventId)
    const { lost, gained } = differences.get(`${mark.xact} ${mark.eventId}`) ?? NOBODY
    return {
      kind: mark.kind,
      record_id: mark.recordId,
      at: entries[0]?.at ?? now,
      cause: entries.find((entry) => isAbout(entry, mark))?.kind ?? null,
      person_id: mark.personId,
      before_groups: groupsOf(mark.beforeAudience),
      after_groups: groupsOf(mark.afterAudience),
      before_state: mark.beforeState,
      after_state: mark.afterState,
      users: event?.users ?? [],
      lost_users: lost,
      gained_users: gained,
      is_personal: isPersonal,
      is_new: mark.isNew && !entries.some((entry) => restores(entry, mark)),
      ...viewersOf(mark, event, surroundings),
    }
  }
  return transactionsOf(xacts, marks, sights).flatMap(({ own, seen }) => [
    ...own.map((mark) => rowOf(mark, false)),
    ...seen
      .flatMap((sight) => personalMarks(sight, own, differences, events.get(sight.eventId), surroundings))
      .map((mark) => rowOf(mark, true)),
  ])
}

/** Kinds whose entries in the journal have another subject, with the kinds of these entries. */
const CAUSES: Record<string, { subject: string; entries: RegExp }> = {
  waiting_list: { subject: 'shift', entries: /^shift\.(?:line|offer)_/ },
  exchanges: { subject: 'shift', entries: /^shift\.(?:stand_in|swap)_/ },
  inquiries: { subject: 'shift', entries: /^shift\.(?:asked|asking_\w+|answered)$/ },
  attendance: { subject: 'event', entries: /^event\.real_times_/ },
  own_attendance: { subject: 'participation', entries: /^participation\.attendance_/ },
  availability: { subject: 'user', entries: /^user\.availability_changed$/ },
}

type Entry = { kind: string; subject_kind: string; subject_id: number | null }

/** Removed shifts are inserted again, with what belongs to them and the same ids. */
function restores(entry: Entry, { kind, recordId, eventId }: Mark): boolean {
  if (entry.kind !== 'shift.restored' && entry.kind !== 'shift.reopened') return false
  return kind === 'shift' ? entry.subject_id === recordId : kind !== 'event' && eventId !== null
}

function isAbout(entry: Entry, { kind, recordId }: Mark): boolean {
  if (entry.subject_id !== recordId) return false
  const other = CAUSES[kind]
  return other ? entry.subject_kind === other.subject && other.entries.test(entry.kind) : entry.subject_kind === kind
}

type Transaction = { own: Mark[]; seen: Sight[] }

function transactionsOf(xacts: readonly string[], marks: readonly Mark[], sights: readonly Sight[]): Transaction[] {
  const all = new Map<string, Transaction>(xacts.map((xact) => [xact, { own: [], seen: [] }]))
  for (const mark of marks) all.get(mark.xact)!.own.push(mark)
  for (const sight of sights) all.get(sight.xact)!.seen.push(sight)
  return [...all.values()]
}

/** Without people who see the event anyway. */
function differenceOf(sight: Sight, event: EventPeople | undefined, { members }: Surroundings): Difference {
  const inGroups = members.get(sight.eventId)
  const isOutside = (id: number) => !inGroups?.has(id)
  return {
    gained: [...sight.gained].filter(isOutside),
    lost: [...sight.lost].filter((id) => isOutside(id) && !event?.users.includes(id)),
  }
}

/**
 * The event and its shifts appear or vanish for these people, though the records themselves did not change. So do participations:
 * these people are told to read their lists again.
 */
function personalMarks(
  { xact, eventId }: Sight,
  own: readonly Mark[],
  differences: ReadonlyMap<string, Difference>,
  event: EventPeople | undefined,
  { shifts }: Surroundings,
): Mark[] {
  const { lost, gained } = differences.get(`${xact} ${eventId}`) ?? NOBODY
  if (!event?.listed || (!lost.length && !gained.length)) return []
  const isMarked = (kind: string, id: number) => own.some((mark) => mark.kind === kind && mark.recordId === id)
  const records = [
    { kind: 'event', recordId: eventId, personId: null },
    ...(shifts.get(eventId) ?? []).map((recordId) => ({ kind: 'shift', recordId, personId: null })),
    ...[...lost, ...gained]
      .filter((id) => event.participants.some((other) => other !== id))
      .map((id) => ({ kind: 'access', recordId: id, personId: id })),
  ]
  return records
    .filter(({ kind, recordId }) => !isMarked(kind, recordId))
    .map(({ kind, recordId, personId }) => ({
      xact,
      kind,
      recordId,
      eventId,
      personId,
      beforeAudience: event.audience_id,
      afterAudience: event.audience_id,
      beforeState: null,
      afterState: null,
      isNew: false,
    }))
}

const EVERYBODY_WHO_SEES_THE_EVENT = [0, 3]

/** Kinds that depend on who may view a person. */
export const hasViewers = (kind: string): boolean => kind === 'participation' || kind === 'working_hours'

const FOR_PLANNERS = ['waiting_list', 'exchanges', 'inquiries', 'forecast', 'attendance']

/** As `identityShownTo` of participations and `seesHoursOf` of working hours. */
function viewersOf(
  { kind, personId }: Mark,
  event: EventPeople | undefined,
  { viewers }: Surroundings,
): Pick<ChangeRow, 'is_participant_shown' | 'viewer_users' | 'viewer_groups'> {
  const granted = personId === null ? undefined : viewers.get(personId)
  if (kind === 'working_hours')
    return {
      is_participant_shown: granted?.isVisible ?? false,
      viewer_users: [],
      viewer_groups: granted?.hoursGroups ?? [],
    }
  if (FOR_PLANNERS.includes(kind) && event)
    return {
      is_participant_shown: false,
      viewer_users: event.responsible_users,
      viewer_groups: event.responsible_groups,
    }
  if (kind !== 'participation' || !event) return { is_participant_shown: false, viewer_users: [], viewer_groups: [] }
  if (EVERYBODY_WHO_SEES_THE_EVENT.includes(event.show_participant_data))
    return { is_participant_shown: true, viewer_users: [], viewer_groups: [] }
  return {
    is_participant_shown: false,
    viewer_users: [...event.responsible_users, ...event.confirmed, ...(granted?.users ?? [])],
    viewer_groups: [...event.responsible_groups, ...(granted?.groups ?? [])],
  }
}
