import { type Kysely, sql } from 'kysely'
import { openTo } from '#features/events/events/access.ts'
import { type Actor, userIdOf } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { Span } from '#platform/time-span.ts'
import { MAX_MONTH_COPIES, monthsFrom, type SourceEvent } from '../rules/months.ts'

/** From the first to the last of these months. */
export function spanOfMonths(first: string, count: number, timeZone: string): Span {
  const after = monthsFrom(first, count + 1).at(-1)!
  return { start: startOfDay(`${first}-01`, timeZone), end: startOfDay(`${after}-01`, timeZone) }
}

type Caller = { db: Kysely<DB>; actor: Actor }

/** Events that begin then and that the caller may copy; those that are cancelled are counted. */
export async function findSourceEvents(
  { db, actor }: Caller,
  { start, end }: Span,
  type: number | undefined,
): Promise<{ events: SourceEvent[]; cancelled: number }> {
  // never null: start (the condition compares it)
  const { rows } = await sql<SourceEvent & { isCancelled: boolean }>`
    select e.id, e.title, e.start_time as start, e.cancelled_at is not null as "isCancelled",
      exists (select from event_series_member m where m.event_id = e.id) as "isLinked"
    from event e
    where e.start_time >= ${start} and e.start_time < ${end} and e.deleted_at is null and ${openTo(actor)}
      and (${type ?? null}::bigint is null or e.type_id = ${type ?? null})
    order by e.start_time, e.id limit ${MAX_MONTH_COPIES + 1}`.execute(db)
  return {
    events: rows.filter(({ isCancelled }) => !isCancelled).map(({ isCancelled: _cancelled, ...event }) => event),
    cancelled: rows.filter(({ isCancelled }) => isCancelled).length,
  }
}

/** Titles and starts of the events then that the caller may open. */
export async function findKnownStarts({ db, actor }: Caller, { start, end }: Span): Promise<{ title: string; start: Date }[]> {
  // never null: start (the condition compares it)
  return rowsOf(db).all(sql<{ title: string; start: Date }>`
    select e.title, e.start_time as start from event e
    where e.start_time >= ${start} and e.start_time < ${end} and e.deleted_at is null and ${openTo(actor)}`)
}

/** Those of the events that the caller made as copies, that are drafts and without participations. */
export async function findOwnDrafts({ db, actor }: Caller, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from event e
    where e.id = any (${ids}::bigint[]) and e.deleted_at is null and not e.active
      and not exists (select from participation p where p.event_id = e.id)
      and exists (select from journal j where j.kind = ${journalKind('event.duplicated')} and j.subject_kind = 'event' and j.subject_id = e.id
        and j.actor_kind = 'user' and j.actor_id = ${userIdOf(actor)})
    order by e.id`.execute(db)
  return rows.map(({ id }) => id)
}
