import { isAnnounced } from './visibility.ts'

/** A row that a trigger wrote in the transaction of a change. */
export type Pending = {
  xact: string
  kind: string
  record_id: number
  event_id: number | null
  person_id: number | null
  before_audience_id: number | null
  after_audience_id: number | null
  before_state: number | null
  after_state: number | null
  is_new: boolean | null
}

/** What one transaction did to one record. */
export type Mark = {
  xact: string
  kind: string
  recordId: number
  eventId: number | null
  personId: number | null
  beforeAudience: number | null
  afterAudience: number | null
  beforeState: number | null
  afterState: number | null
  /** The transaction inserted the record. */
  isNew: boolean
}

/** Users who may have gained or lost the sight of an event because of a grant or a participation of their own. */
export type Sight = { xact: string; eventId: number; gained: Set<number>; lost: Set<number> }

export type Marks = {
  /** Transactions, in the order of their first row. */
  xacts: string[]
  marks: Mark[]
  sights: Sight[]
  journalIds: Map<string, number[]>
}

/** One mark per transaction and record, in the order of the first row: the first state before and the last state after. */
export function collectMarks(rows: readonly Pending[]): Marks {
  const marks = new Map<string, Mark>()
  const sights = new Map<string, Sight>()
  const journalIds = new Map<string, number[]>()
  for (const row of rows) {
    if (row.kind === 'journal') journalIds.set(row.xact, [...(journalIds.get(row.xact) ?? []), row.record_id])
    else if (row.kind === 'event_person') noteSight(sights, row)
    else if (isAnnounced(row.kind)) noteMark(marks, row)
  }
  return {
    xacts: [...new Set(rows.map(({ xact }) => xact))],
    marks: [...marks.values()].filter(isVisible),
    sights: [...sights.values()].filter(isReal),
    journalIds,
  }
}

function noteMark(marks: Map<string, Mark>, row: Pending): void {
  const key = [row.xact, row.kind, row.record_id, partOf(row)].join(' ')
  const known = marks.get(key)
  if (known) {
    known.afterAudience = row.after_audience_id
    known.afterState = row.after_state
    known.eventId = row.event_id
    known.personId = row.person_id ?? known.personId
    known.isNew ||= row.is_new ?? false
    return
  }
  marks.set(key, {
    xact: row.xact,
    kind: row.kind,
    recordId: row.record_id,
    eventId: row.event_id,
    personId: row.person_id,
    beforeAudience: row.before_audience_id,
    afterAudience: row.after_audience_id,
    beforeState: row.before_state,
    afterState: row.after_state,
    isNew: row.is_new ?? false,
  })
}

/** What a record with the same id is besides: the access of a group or a user, or the companions that one person brings to a shift. */
function partOf({ kind, person_id: person }: Pending): string {
  if (kind === 'access') return person === null ? 'group' : ''
  return kind === 'companions' ? String(person) : ''
}

function noteSight(sights: Map<string, Sight>, row: Pending): void {
  const key = `${row.xact} ${row.record_id}`
  const sight = sights.get(key) ?? { xact: row.xact, eventId: row.record_id, gained: new Set(), lost: new Set() }
  sights.set(key, sight)
  const userId = row.person_id!
  if (row.after_state !== null && !sight.lost.has(userId)) sight.gained.add(userId)
  if (row.before_state !== null && !sight.gained.delete(userId)) sight.lost.add(userId)
}

const isReal = ({ gained, lost }: Sight): boolean => gained.size > 0 || lost.size > 0

/** Nobody saw a draft before and after. People see their own profile even if it is hidden. */
const isVisible = ({ kind, beforeAudience, afterAudience }: Mark): boolean =>
  kind === 'access' || kind === 'user' || beforeAudience !== null || afterAudience !== null
