/** A change with everything that decides who learns of it, so that no query per reader is needed. */
export type Change = {
  position: number
  kind: string
  recordId: number
  /** As stored, in UTC. */
  at: string
  cause: string | null
  personId: number | null
  /** Null: nobody saw the record, because it was hidden or did not exist. */
  beforeGroups: number[] | null
  afterGroups: number[] | null
  beforeState: number | null
  afterState: number | null
  users: number[]
  lostUsers: number[]
  gainedUsers: number[]
  isPersonal: boolean
  /** Its transaction inserted the record. */
  isNew: boolean
  isParticipantShown: boolean
  viewerUsers: number[]
  viewerGroups: number[]
}

/** The caller as far as it decides what they see. */
export type Reader = {
  userId: number
  groupIds: ReadonlySet<number>
  seesAllEvents: boolean
  changesAllEvents: boolean
  viewsUsers: boolean
  viewsGroups: boolean
  decidesAllHours: boolean
  scopes: { public: boolean; me: boolean; confidential: boolean }
}

/** A record is `created` once; `visible`: it existed before, and the reader sees it now. */
export type What = 'created' | 'visible' | 'updated' | 'gone'

/** State of a record at one of the two sides of a change. */
type Side = { groups: number[] | null; state: number | null; people: (userId: number) => boolean }

const beforeOf = (change: Change): Side => ({
  groups: change.beforeGroups,
  state: change.beforeState,
  people: (id) => change.lostUsers.includes(id) || (change.users.includes(id) && !change.gainedUsers.includes(id)),
})
const afterOf = (change: Change): Side => ({
  groups: change.afterGroups,
  state: change.afterState,
  people: (id) => change.users.includes(id),
})

const intersects = (groups: readonly number[], reader: Reader): boolean => groups.some((id) => reader.groupIds.has(id))

/** As `visibleTo` of events. */
function seesEvent({ groups, people }: Side, reader: Reader): boolean {
  if (groups === null) return false
  return reader.seesAllEvents || intersects(groups, reader) || people(reader.userId)
}

/** As `identityShownTo` of participations. */
function seesParticipant(change: Change, reader: Reader): boolean {
  return (
    change.isParticipantShown ||
    change.personId === reader.userId ||
    (reader.viewsUsers && change.personId !== null) ||
    reader.changesAllEvents ||
    change.viewerUsers.includes(reader.userId) ||
    intersects(change.viewerGroups, reader)
  )
}

const DISPATCHED = 4

/** In one of the lists: own participations, those that take part, and with `view_user` those in all states. */
function seesParticipation(change: Change, side: Side, reader: Reader): boolean {
  if (side.groups === null || side.state === null) return false
  const isEventSeen = seesEvent(side, reader)
  if (reader.scopes.me && change.personId === reader.userId && (side.state !== DISPATCHED || isEventSeen)) return true
  if (!reader.scopes.confidential || !isEventSeen) return false
  const isListed = side.state === 0 || side.state === 1 || reader.viewsUsers
  return isListed && seesParticipant(change, reader)
}

/** Everybody sees their own profile, also a hidden one. */
function seesUser(change: Change, { groups }: Side, reader: Reader): boolean {
  if (reader.scopes.me && change.personId === reader.userId) return true
  return groups !== null && reader.scopes.confidential && reader.viewsUsers
}

/** As `seesHoursOf` of working hours. */
function seesHours(change: Change, { groups }: Side, reader: Reader): boolean {
  if (groups === null) return false
  if (reader.scopes.me && change.personId === reader.userId) return true
  const isOverseen = reader.viewsUsers || reader.decidesAllHours || intersects(change.viewerGroups, reader)
  return reader.scopes.confidential && change.isParticipantShown && isOverseen
}

type Sees = (change: Change, side: Side, reader: Reader) => boolean

/** As `changeableBy` of events. */
const mayChangeEvent = ({ viewerUsers, viewerGroups }: Change, reader: Reader): boolean =>
  reader.changesAllEvents || viewerUsers.includes(reader.userId) || intersects(viewerGroups, reader)

/** Of events that are neither drafts nor cancelled nor deleted. */
const seesForPlanning: Sees = (change, { groups }, reader) =>
  groups !== null && reader.scopes.confidential && mayChangeEvent(change, reader)
/** Their pages also ask whether the reader sees the event. */
const seesForPlanningOfSeen: Sees = (change, side, reader) => seesForPlanning(change, side, reader) && seesEvent(side, reader)

const seesOwn: Sees = ({ personId }, { groups }, reader) => groups !== null && reader.scopes.me && personId === reader.userId
const seesOwnOfSeen: Sees = (change, side, reader) => seesOwn(change, side, reader) && seesEvent(side, reader)

const seesPublicRecord: Sees = (_change, { groups }, reader) => groups !== null && reader.scopes.public
const seesPublicEvent: Sees = (_change, side, reader) => reader.scopes.public && seesEvent(side, reader)

/** Kinds of records that the feed announces, and who sees them. */
const SEES: Record<string, Sees> = {
  event: seesPublicEvent,
  shift: seesPublicEvent,
  participation: seesParticipation,
  user: seesUser,
  event_type: seesPublicRecord,
  qualification: seesPublicRecord,
  resource: seesPublicRecord,
  group: (_change, { groups }, reader) => groups !== null && reader.scopes.confidential && reader.viewsGroups,
  working_hours: seesHours,
  waiting_list: seesForPlanningOfSeen,
  exchanges: seesForPlanningOfSeen,
  inquiries: seesForPlanning,
  forecast: seesForPlanning,
  attendance: seesForPlanning,
  own_waiting_list: seesOwnOfSeen,
  own_exchanges: seesOwn,
  own_inquiries: seesOwn,
  own_attendance: seesOwn,
  availability: seesOwn,
  companions: seesOwnOfSeen,
}

/** Kinds whose changes somebody sees. */
export const isAnnounced = (kind: string): boolean => kind === 'access' || Object.hasOwn(SEES, kind)

export const isAccessOf = ({ kind, personId, recordId }: Change, reader: Pick<Reader, 'userId' | 'groupIds'>): boolean =>
  kind === 'access' && (personId === null ? reader.groupIds.has(recordId) : personId === reader.userId)

/** What the reader learns of a change; undefined: nothing. */
export function judgeChange(change: Change, reader: Reader): What | undefined {
  if (change.kind === 'access') return isAccessOf(change, reader) ? 'updated' : undefined
  const sees = SEES[change.kind]
  if (!sees) return undefined
  if (change.isPersonal && !change.lostUsers.includes(reader.userId) && !change.gainedUsers.includes(reader.userId))
    return undefined
  const before = sees(change, beforeOf(change), reader)
  const after = sees(change, afterOf(change), reader)
  if (!after) return before ? 'gone' : undefined
  if (before) return 'updated'
  return change.isNew ? 'created' : 'visible'
}
