import { type Kysely, sql } from 'kysely'
import { requireActing } from '#features/accounts/users/commands/guardians.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { UnknownKeyError } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import type { FoundTime, ReadOptions } from '../rules/busy-times.ts'
import { type Failure, horizonOf, isHorizonNear, judgeStatus, nextRefresh } from '../rules/refreshing.ts'
import { availabilityChanged, requireUser } from './entries.ts'
import type { ReadCalendar } from './read-calendar.ts'

/** How calendars are fetched and read. */
export type CalendarAccess = { outbound: Outbound; read: ReadCalendar; chance?: () => number }

/** Of a file and of a response. */
export const MAX_CALENDAR_BYTES = 5_000_000
/** Of one person. */
const MAX_CALENDARS = 5

type Details = { name: string; countsAllDay: boolean }
type Added = { ok: true; id: number; count: number } | { ok: false; reason: Failure | 'too_many_calendars' }

/** The file is read and forgotten. */
export async function addCalendarFile(
  context: CommandContext,
  { read }: Pick<CalendarAccess, 'read'>,
  { text, ...details }: Details & { text: string },
): Promise<Added> {
  const userId = requireUser(context)
  const content = await read(text, readOptions(context))
  if (!content.ok) return content
  return insert(context, userId, { ...details, content, address: undefined })
}

/** Fetches the calendar at once, so that a wrong address is noticed while it is entered. */
export async function addCalendarAddress(
  context: CommandContext,
  access: CalendarAccess,
  { address, ...details }: Details & { address: string },
): Promise<Added> {
  const userId = requireUser(context)
  const fetched = await fetchCalendar(context, access, address)
  if (fetched.kind === 'failed') return { ok: false, reason: fetched.reason }
  // Without a validator in the request, a server does not answer "unchanged".
  if (fetched.kind === 'unchanged') return { ok: false, reason: 'status' }
  return insert(context, userId, { ...details, content: fetched, address })
}

type Content = { times: readonly FoundTime[]; unreadCount: number; etag?: string | undefined; lastModified?: string | undefined }

async function insert(
  context: CommandContext,
  userId: number,
  { name, countsAllDay, content, address }: Details & { content: Content; address: string | undefined },
): Promise<Added> {
  const { now, site } = context
  return transact(context.db, async (tx): Promise<Added> => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    if ((await countCalendars(tx, userId)) >= MAX_CALENDARS) return { ok: false, reason: 'too_many_calendars' }
    const { id } = await tx
      .insertInto('private_calendar')
      .values({
        user_id: userId,
        name,
        address_sealed: address === undefined ? null : site.keyring.seal(address),
        counts_all_day: countsAllDay,
        covers_until: horizonOf(now),
        unread_count: content.unreadCount,
        etag: content.etag ?? null,
        last_modified: content.lastModified ?? null,
        last_success_at: now,
        next_attempt_at: address === undefined ? null : nextRefresh(now, 0, Math.random()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeTimes(tx, id, content.times)
    await record(tx, context, availabilityChanged(userId))
    return { ok: true, id, count: content.times.length }
  })
}

async function countCalendars(tx: Tx, userId: number): Promise<number> {
  const rows = await tx.selectFrom('private_calendar').select('id').where('user_id', '=', userId).execute()
  return rows.length
}

async function writeTimes(tx: Tx, calendarId: number, times: readonly FoundTime[]): Promise<void> {
  await sql`
    insert into busy_time (calendar_id, start_time, end_time, is_all_day)
    select ${calendarId}, to_timestamp(t."fromMs" / 1000), to_timestamp(t."untilMs" / 1000), t."isAllDay"
    from json_to_recordset(${JSON.stringify(times)}::json) as t ("fromMs" float8, "untilMs" float8, "isAllDay" boolean)`.execute(
    tx,
  )
}

export async function changeCalendar(context: CommandContext, id: number, { name, countsAllDay }: Details): Promise<void> {
  await changeOwn(context, async (tx, userId) =>
    tx
      .updateTable('private_calendar')
      .set({ name, counts_all_day: countsAllDay })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst(),
  )
}

/** Its busy times are deleted with it. A calendar that is gone already is no error: another tab removed it. */
export async function removeCalendar(context: CommandContext, id: number): Promise<void> {
  await changeOwn(context, async (tx, userId) =>
    tx.deleteFrom('private_calendar').where('id', '=', id).where('user_id', '=', userId).returning('id').executeTakeFirst(),
  )
}

async function changeOwn(
  context: CommandContext,
  change: (tx: Tx, userId: number) => Promise<{ id: number } | undefined>,
): Promise<void> {
  const userId = requireUser(context)
  await transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    if (await change(tx, userId)) await record(tx, context, availabilityChanged(userId))
  })
}

type Refreshed = { ok: true } | { ok: false; reason: Failure }

/** For the person, whatever the plan says. */
export async function refreshOwnCalendar(context: CommandContext, access: CalendarAccess, id: number): Promise<Refreshed> {
  const userId = requireUser(context)
  const calendar = await getFetched(context.db, id)
  if (calendar?.user_id !== userId) throw new Problem('not_found')
  return refresh(context, access, calendar)
}

/** For the job. Undefined: the calendar was removed meanwhile. */
export async function refreshCalendar(
  context: CommandContext,
  access: CalendarAccess,
  id: number,
): Promise<Refreshed | undefined> {
  const calendar = await getFetched(context.db, id)
  return calendar && refresh(context, access, calendar)
}

type FetchedCalendar = {
  id: number
  user_id: number
  address_sealed: string | null
  etag: string | null
  last_modified: string | null
  covers_until: Date
  failures_in_row: number
}

async function getFetched(db: Kysely<DB>, id: number): Promise<FetchedCalendar | undefined> {
  return db
    .selectFrom('private_calendar')
    .select(['id', 'user_id', 'address_sealed', 'etag', 'last_modified', 'covers_until', 'failures_in_row'])
    .where('id', '=', id)
    .where('address_sealed', 'is not', null)
    .executeTakeFirst()
}

/** Holds no lock during the request. Nothing but the reason of a failure is kept: messages of errors contain parts of the address. */
async function refresh(context: CommandContext, access: CalendarAccess, calendar: FetchedCalendar): Promise<Refreshed> {
  const { now } = context
  const address = readAddress(context, calendar.address_sealed!)
  const known = isHorizonNear(calendar.covers_until, now)
    ? undefined
    : { etag: calendar.etag, lastModified: calendar.last_modified }
  const fetched: Fetched =
    address === undefined ? { kind: 'failed', reason: 'secret' } : await fetchCalendar(context, access, address, known)
  const chance = (access.chance ?? Math.random)()
  await transact(context.db, async (tx) => {
    const row = await tx.selectFrom('private_calendar').select('id').where('id', '=', calendar.id).forUpdate().executeTakeFirst()
    if (!row) return
    const write = tx.updateTable('private_calendar').where('id', '=', calendar.id)
    if (fetched.kind === 'failed') {
      const failures = calendar.failures_in_row + 1
      const next = nextRefresh(now, failures, chance)
      return write.set({ failure: fetched.reason, failures_in_row: failures, next_attempt_at: next }).execute()
    }
    const success = { last_success_at: now, failure: null, failures_in_row: 0, next_attempt_at: nextRefresh(now, 0, chance) }
    if (fetched.kind === 'unchanged') return write.set(success).execute()
    const { times, unreadCount, etag, lastModified } = fetched
    await tx.deleteFrom('busy_time').where('calendar_id', '=', calendar.id).execute()
    await writeTimes(tx, calendar.id, times)
    return write
      .set({
        ...success,
        covers_until: horizonOf(now),
        unread_count: unreadCount,
        etag: etag ?? null,
        last_modified: lastModified ?? null,
      })
      .execute()
  })
  return fetched.kind === 'failed' ? { ok: false, reason: fetched.reason } : { ok: true }
}

function readAddress({ site }: CommandContext, sealed: string): string | undefined {
  try {
    return site.keyring.unseal(sealed)
  } catch (error) {
    if (error instanceof UnknownKeyError) return undefined
    throw error
  }
}

type Fetched = ({ kind: 'content' } & Content) | { kind: 'unchanged' } | { kind: 'failed'; reason: Failure }
type Known = { etag: string | null; lastModified: string | null }

async function fetchCalendar(
  context: CommandContext,
  { outbound, read }: CalendarAccess,
  address: string,
  { etag, lastModified }: Known = { etag: null, lastModified: null },
): Promise<Fetched> {
  const headers = {
    accept: 'text/calendar, */*;q=0.5',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
  try {
    const response = await outbound.send(address, { headers })
    const verdict = judgeStatus(response.status, etag !== null || lastModified !== null)
    if (verdict === 'unchanged') return { kind: 'unchanged' }
    if (verdict !== 'content') return { kind: 'failed', reason: verdict }
    const content = await read(response.text, readOptions(context))
    if (!content.ok) return { kind: 'failed', reason: content.reason }
    const validators = { etag: validator(response.headers.etag), lastModified: validator(response.headers['last-modified']) }
    return { kind: 'content', ...content, ...validators }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { kind: 'failed', reason: error.code }
  }
}

const MAX_VALIDATOR_LENGTH = 200

/** It is sent back as a header, so a server must not be able to fill the table or to break the next request. */
const validator = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(text) ? text : undefined

const readOptions = ({ now, site }: CommandContext): ReadOptions => ({
  fromMs: now.getTime(),
  untilMs: horizonOf(now).getTime(),
  timeZone: site.timeZone,
  host: new URL(site.url).host,
})
