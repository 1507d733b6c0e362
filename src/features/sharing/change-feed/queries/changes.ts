import { type Kysely, type RawBuilder, sql } from 'kysely'
import { changeableBy, visibleTo } from '#features/events/events/access.ts'
import { visibleParticipations } from '#features/staffing/participations/access.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { readerOf } from '../access.ts'
import type { FeedState } from '../rules/cursor.ts'
import { type Change, isAccessOf, judgeChange, type What } from '../rules/visibility.ts'

/** `hasPending`: committed changes wait for a position. */
export type FeedRow = FeedState & { hasPending: boolean }

export async function readFeedState(db: Kysely<DB>): Promise<FeedRow> {
  return rowsOf(db).one(sql<FeedRow>`
    select f.id::text as id, f.position, f.removed_through as "removedThrough",
      exists (select from change_pending) as "hasPending"
    from change_feed f`)
}

/** Changes after a position, in order, for everybody. */
export async function findChangesAfter(db: Kysely<DB>, after: number, limit: number): Promise<Change[]> {
  return rowsOf(db).all(sql<Change>`
    select c.position, c.kind, c.record_id as "recordId", c.at::text as at, c.cause, c.person_id as "personId",
      c.before_groups as "beforeGroups", c.after_groups as "afterGroups", c.before_state as "beforeState", c.after_state as "afterState",
      c.users, c.lost_users as "lostUsers", c.gained_users as "gainedUsers", c.is_personal as "isPersonal",
      coalesce(c.is_new, true) as "isNew",
      c.is_participant_shown as "isParticipantShown", c.viewer_users as "viewerUsers", c.viewer_groups as "viewerGroups"
    from change c where c.position > ${after} order by c.position limit ${limit}`)
}

/** A change as one reader sees it. */
export type SeenChange = { position: number; kind: string; recordId: number; what: What; cause: string | null; at: string }
export type ChangePage = { seen: SeenChange[]; next: number; hasMore: boolean }

/** Whose changes are read; `refresh` reads the access of the person again, undefined if there is none any more. */
export type FeedCaller = { actor: UserActor; refresh: () => Promise<UserActor | undefined> }

export type Reading = { after: number; limit: number }

/** Whoever loses a record by these may know: what was cancelled can be read elsewhere. Other causes could tell about access. */
const TOLD_WHEN_GONE: ReadonlySet<string | null> = new Set(['event.cancelled', 'shift.cancelled'])

/** So many changes are looked through for one page. */
const SCANNED = 2_000

/** Reads a page from the database. */
export async function readChanges(db: Kysely<DB>, caller: FeedCaller, { after, limit }: Reading): Promise<ChangePage> {
  const changes = await findChangesAfter(db, after, SCANNED)
  return selectChanges(db, caller, { changes, isComplete: changes.length < SCANNED, after, limit })
}

type Selection = Reading & {
  /** After `after`, without gaps. */
  changes: readonly Change[]
  /** There were no more when they were read. */
  isComplete: boolean
}

/** What the caller may see of these changes. */
export async function selectChanges(
  db: Kysely<DB>,
  caller: FeedCaller,
  { changes, isComplete, after, limit }: Selection,
): Promise<ChangePage> {
  // The access was read before the changes, so it may be older than some of them.
  if (changes.some((change) => isAccessOf(change, readerOf(caller.actor)))) {
    const actor = await caller.refresh()
    if (!actor) return { seen: [], next: after, hasMore: false }
    caller.actor = actor
  }
  const accessChanged = await lastAccessChange(db, caller.actor, { changes, isComplete, after })
  const reader = readerOf(caller.actor)
  const seen: SeenChange[] = []
  const older: Change[] = []
  let next = after
  for (const change of changes) {
    if (seen.length === limit) break
    next = change.position
    const what = judgeChange(change, reader)
    if (!what) continue
    const isBefore = change.position < accessChanged
    // The caller had another access then, and is told to read the lists again.
    if (isBefore && what === 'gone') continue
    if (isBefore) older.push(change)
    seen.push({
      position: change.position,
      kind: change.kind,
      recordId: change.kind === 'access' ? reader.userId : change.recordId,
      what,
      cause: what === 'gone' && !TOLD_WHEN_GONE.has(change.cause) ? null : change.cause,
      at: change.at,
    })
  }
  const hasMore = !isComplete || next < (changes.at(-1)?.position ?? after)
  if (!older.length) return { seen, next, hasMore }
  const isVisible = await presentlyVisible(db, caller.actor, older)
  return { seen: seen.filter((each) => each.position >= accessChanged || isVisible(each)), next, hasMore }
}

/** The position of the last change of the caller's own access after `after`; 0 if there is none. */
async function lastAccessChange(
  db: Kysely<DB>,
  actor: UserActor,
  { changes, isComplete, after }: Omit<Selection, 'limit'>,
): Promise<number> {
  if (isComplete) return changes.findLast((change) => isAccessOf(change, readerOf(actor)))?.position ?? 0
  const { position } = await rowsOf(db).one(sql<{ position: number }>`
    select coalesce(greatest(
      (select max(c.position) from change c where c.kind = 'access' and c.person_id = ${actor.userId} and c.position > ${after}),
      (select max(c.position) from change c where c.kind = 'access' and c.person_id is null and c.position > ${after}
        and c.record_id = any (${actor.groupIds}::bigint[]))
    ), 0) as position`)
  return position
}

/** Kinds that depend on more than scopes, permissions and the person. */
const CHECKED: ReadonlySet<string> = new Set([
  'event',
  'shift',
  'participation',
  'user',
  'waiting_list',
  'exchanges',
  'inquiries',
  'forecast',
  'attendance',
  'companions',
  'own_waiting_list',
])

/** Tells whether the caller may see a record now, by the conditions of the lists. */
async function presentlyVisible(
  db: Kysely<DB>,
  actor: UserActor,
  changes: readonly Change[],
): Promise<(change: { kind: string; recordId: number }) => boolean> {
  const idsOf = (kind: string) => [...new Set(changes.filter((change) => change.kind === kind).map(({ recordId }) => recordId))]
  const ofShifts = (kind: string, isSeen: RawBuilder<unknown>) => sql`
    select ${kind}::text, s.id from shift s join event e on e.id = s.event_id where s.id = any (${idsOf(kind)}::bigint[]) and ${isSeen}`
  const { rows } = await sql<{ kind: string; id: number }>`
    select 'event' as kind, e.id from event e where e.id = any (${idsOf('event')}::bigint[]) and ${visibleTo(actor)}
    union all
    select 'shift', s.id from shift s join event e on e.id = s.event_id
      where s.id = any (${idsOf('shift')}::bigint[]) and ${visibleTo(actor)}
    union all
    select 'participation', p.id from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
      where p.id = any (${idsOf('participation')}::bigint[]) and ${visibleParticipations(actor)}
    union all
    select 'user', u.id from user_profile u
      where u.id = any (${idsOf('user')}::bigint[]) and (u.is_visible or u.id = ${actor.userId})
    union all
    ${ofShifts('waiting_list', sql`${visibleTo(actor)} and ${changeableBy(actor)}`)}
    union all
    ${ofShifts('exchanges', sql`${visibleTo(actor)} and ${changeableBy(actor)}`)}
    union all
    ${ofShifts('inquiries', sql`e.listed and ${changeableBy(actor)}`)}
    union all
    ${ofShifts('forecast', sql`e.listed and ${changeableBy(actor)}`)}
    union all
    ${ofShifts('companions', visibleTo(actor))}
    union all
    select 'attendance', e.id from event e where e.id = any (${idsOf('attendance')}::bigint[]) and e.listed and ${changeableBy(actor)}
    union all
    select 'own_waiting_list', w.id from waiting_entry w join shift s on s.id = w.shift_id join event e on e.id = s.event_id
      where w.id = any (${idsOf('own_waiting_list')}::bigint[]) and w.user_id = ${actor.userId} and ${visibleTo(actor)}`.execute(
    db,
  )
  const visible = new Set(rows.map(({ kind, id }) => `${kind} ${id}`))
  return ({ kind, recordId }) => !CHECKED.has(kind) || visible.has(`${kind} ${recordId}`)
}
