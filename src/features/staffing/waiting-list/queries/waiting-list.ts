import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type EntryState, MAX_LISTED, type PassedOver, type WaitingListMode } from '../rules/waiting-list.ts'

const isOpen = sql`w.state in ('waiting', 'offered')`

export type WaitingListEntry = {
  id: number
  userId: number
  name: string
  since: Date
  state: EntryState
  offeredUntil: Date | null
  passedOver: PassedOver | null
  offeredBy: string | null
  reason: string
}

/** Everybody who waits or has waited for a place, those who still do first. The caller plans the shift. */
export async function findEntries(db: Kysely<DB>, shiftId: number): Promise<WaitingListEntry[]> {
  return rowsOf(db).all(sql<WaitingListEntry>`
    select w.id, w.user_id as "userId", u.display_name as name, w.since, w.state, w.offered_until as "offeredUntil",
      w.passed_over as "passedOver", a.display_name as "offeredBy", w.reason
    from waiting_entry w join user_profile u on u.id = w.user_id left join user_profile a on a.id = w.offered_by_id
    where w.shift_id = ${shiftId} order by not ${isOpen}, w.since, w.id limit ${MAX_LISTED}`)
}

/** Those who wait, in order. The caller holds the lock of the event. */
export async function findWaiting(db: Kysely<DB>, shiftId: number, limit: number): Promise<{ id: number; userId: number }[]> {
  return rowsOf(db).all(sql<{ id: number; userId: number }>`
    select w.id, w.user_id as "userId" from waiting_entry w where w.shift_id = ${shiftId} and w.state = 'waiting'
    order by w.since, w.id limit ${limit}`)
}

export type OpenEntry = {
  id: number
  userId: number
  shiftId: number
  eventId: number
  state: EntryState
  since: Date
  offeredUntil: Date | null
}

export async function getEntry(db: Kysely<DB>, which: RawBuilder<unknown>): Promise<OpenEntry | undefined> {
  return rowsOf(db).first(sql<OpenEntry>`
    select w.id, w.user_id as "userId", w.shift_id as "shiftId", s.event_id as "eventId", w.state, w.since, w.offered_until as "offeredUntil"
    from waiting_entry w join shift s on s.id = w.shift_id where ${which}`)
}

export const getEntryById = (db: Kysely<DB>, id: number): Promise<OpenEntry | undefined> => getEntry(db, sql`w.id = ${id}`)

/** The entry by which the person waits now. */
export const getOpenEntry = (db: Kysely<DB>, shiftId: number, userId: number): Promise<OpenEntry | undefined> =>
  getEntry(db, sql`w.shift_id = ${shiftId} and w.user_id = ${userId} and ${isOpen}`)

export async function getWaitingListMode(db: Kysely<DB>, shiftId: number): Promise<WaitingListMode> {
  const row = await db.selectFrom('waiting_line').select('mode').where('shift_id', '=', shiftId).executeTakeFirst()
  return (row?.mode as WaitingListMode | undefined) ?? 'automatic'
}

/** Shifts with expired offers or with a waiting list that is due, by event. */
export async function findDue(db: Kysely<DB>, now: Date): Promise<{ shiftId: number; eventId: number }[]> {
  return rowsOf(db).all(sql<{ shiftId: number; eventId: number }>`
    select s.id as "shiftId", s.event_id as "eventId" from shift s where s.id in (
      select w.shift_id from waiting_entry w where w.state = 'offered' and w.offered_until <= ${now}
      union select l.shift_id from waiting_line l where l.is_due)
    order by s.event_id, s.id limit 200`)
}

export async function findWithExpiredOffers(db: Kysely<DB>, now: Date): Promise<{ shiftId: number; eventId: number }[]> {
  return rowsOf(db).all(sql<{ shiftId: number; eventId: number }>`
    select s.id as "shiftId", s.event_id as "eventId" from shift s
    where s.id in (select w.shift_id from waiting_entry w where w.state = 'offered' and w.offered_until <= ${now})
    order by s.event_id, s.id limit 200`)
}

/** First: 1. */
export async function getPosition(db: Kysely<DB>, entryId: number): Promise<number> {
  const { position } = await rowsOf(db).one(sql<{ position: number }>`
    select count(w.id)::int as position from waiting_entry o
      join waiting_entry w on w.shift_id = o.shift_id and ${isOpen} and (w.since, w.id) <= (o.since, o.id)
    where o.id = ${entryId}`)
  return position
}
