import { type Kysely, sql } from 'kysely'
import { findPlannedEvents } from '#features/planning/planning/queries/events.ts'
import { findShiftsOfEvents } from '#features/planning/planning/queries/shifts.ts'
import { type Actor, userIdOf } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { JournalKind } from '#platform/journal/kinds.ts'
import type { EntryChanges } from '#platform/journal/readers.ts'
import type { Generated, SeriesEvent } from '../rules/linking.ts'

export type Series = { id: number; start: string; rrule: string | null; exdates: string[]; rdates: string[] }

const columns = sql`r.id, r.start_date::text as start, r.rrule, r.exdates::text[] as exdates, r.rdates::text[] as rdates`

/** The series of an event; access to the event is checked elsewhere. */
export async function getSeriesOf(db: Kysely<DB>, eventId: number): Promise<Series | undefined> {
  return rowsOf(db).first(sql<Series>`
    select ${columns} from event_series r join event_series_member m on m.series_id = r.id where m.event_id = ${eventId}`)
}

export async function getSeries(db: Kysely<DB>, id: number): Promise<Series | undefined> {
  return rowsOf(db).first(sql<Series>`select ${columns} from event_series r where r.id = ${id}`)
}

type MemberRow = { eventId: number; date: string; generated: Generated }

/** Events of the series that the caller may change, in order of time, without those in the bin. */
export async function findSeriesEvents(db: Kysely<DB>, actor: Actor, seriesId: number): Promise<SeriesEvent[]> {
  const { rows } = await sql<MemberRow>`
    select m.event_id as "eventId", m.date::text as date, m.generated from event_series_member m
    where m.series_id = ${seriesId} order by m.date`.execute(db)
  const ids = rows.map(({ eventId }) => eventId)
  const events = new Map((await findPlannedEvents(db, actor, ids)).map((event) => [event.id, event]))
  const shifts = Map.groupBy(await findShiftsOfEvents(db, ids), ({ eventId }) => eventId)
  return rows.flatMap(({ eventId, date, generated }) => {
    const event = events.get(eventId)
    return event ? [{ date, event, shifts: shifts.get(eventId) ?? [], generated }] : []
  })
}

/** Dates of the series whose events are in the bin. */
export async function findBinnedDates(db: Kysely<DB>, seriesId: number): Promise<string[]> {
  const { rows } = await sql<{ date: string }>`
    select m.date::text as date from event_series_member m join event e on e.id = m.event_id
    where m.series_id = ${seriesId} and e.deleted_at is not null order by 1`.execute(db)
  return rows.map(({ date }) => date)
}

/** Steps on a series. */
const STEPS = [
  'event.series_created',
  'event.series_changed',
  'event.series_rule_changed',
  'event.series_cancelled',
  'event.series_deleted',
  'event.series_undone',
] as const satisfies JournalKind[]

type About = { id: number; subjectId: number; eventId: number }
type Step = EntryChanges<(typeof STEPS)[number]> & About & { requestId: string | null }
export type StepEntry = EntryChanges & About

/** The journal entry of a step on a series, if the caller made it. */
export async function getStep(db: Kysely<DB>, actor: Actor, id: number): Promise<Step | undefined> {
  const userId = userIdOf(actor)
  // never null: subjectId, eventId (steps on a series name their event)
  return rowsOf(db).first(sql<Step>`
    select j.id, j.kind, j.subject_id as "subjectId", j.event_id as "eventId", j.changes, j.request_id as "requestId"
    from journal j where j.id = ${id} and j.actor_kind = 'user' and j.actor_id = ${userId} and j.kind in (${journalKind(...STEPS)})`)
}

/** What a step did: entries of the same request, the last one first. */
export async function findStepEntries(db: Kysely<DB>, step: Step): Promise<StepEntry[]> {
  // never null: subjectId, eventId (entries about events and shifts)
  return rowsOf(db).all(sql<StepEntry>`
    select j.id, j.kind, j.subject_id as "subjectId", j.event_id as "eventId", j.changes from journal j
    where j.request_id = ${step.requestId} and j.id > ${step.id} and j.subject_kind in ('event', 'shift') and j.event_id is not null
    order by j.id desc`)
}
