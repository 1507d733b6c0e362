import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { BodyCache, perDatabase } from '#platform/db/body-cache.ts'
import { type Columns, type JsonRows, jsonRows, readJsonRows } from '#platform/db/json-rows.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { JsonBytes } from '#platform/http/json.ts'
import type { Key } from './filters.ts'
import { type EventRow, presentEvent, presentTitledShift, type ShiftRow, type TitledShiftRow } from './record-presenters.ts'
import { eventValueColumns, shiftValueColumns } from './shift-columns.ts'

const shiftColumns: Columns<ShiftRow> = {
  id: sql`s.id`,
  ...shiftValueColumns,
  event_id: sql`s.event_id`,
  meeting_time: sql`s.meeting_time::text`,
  start_time: sql`s.start_time::text`,
  end_time: sql`s.end_time::text`,
  signup_flow_slug: sql`s.signup_flow_slug`,
  signup_flow_configuration: sql`s.signup_flow_configuration`,
  structure_slug: sql`s.structure_slug`,
  structure_configuration: sql`s.structure_configuration`,
  requested_count: sql`s.requested_count`,
  confirmed_count: sql`s.confirmed_count`,
  missing: sql`s.missing`,
  free: sql`s.free`,
  min_count: sql`s.min_count`,
  max_count: sql`s.max_count`,
}
const titledShiftColumns: Columns<TitledShiftRow> = { ...shiftColumns, event_title: sql`e.title` }
export const eventColumns: Columns<Omit<EventRow, 'shifts'>> = {
  id: sql`e.id`,
  ...eventValueColumns,
  type_id: sql`e.type_id`,
  type_title: sql`t.title`,
  start_time: sql`e.start_time::text`,
  end_time: sql`e.end_time::text`,
}

async function loadEvents({ db }: RequestContext, ids: number[]): Promise<EventRow[]> {
  const { events, shifts } = await rowsOf(db).one(sql<{ events: JsonRows; shifts: JsonRows }>`
    select
      (select ${jsonRows(eventColumns)} from event e join event_type t on t.id = e.type_id
        where e.id = any (${ids}::bigint[])) as events,
      (select ${jsonRows(shiftColumns, sql`s.meeting_time, s.start_time, s.id`)} from shift s
        where s.event_id = any (${ids}::bigint[])) as shifts`)
  const byEvent = Map.groupBy(readJsonRows(shiftColumns, shifts), ({ event_id }) => event_id)
  return readJsonRows(eventColumns, events).map((event) => ({ ...event, shifts: byEvent.get(event.id) ?? [] }))
}

async function loadShifts({ db }: RequestContext, ids: number[]): Promise<TitledShiftRow[]> {
  const { rows } = await sql<{ shifts: JsonRows }>`
    select ${jsonRows(titledShiftColumns)} as shifts from shift s join event e on e.id = s.event_id
    where s.id = any (${ids}::bigint[])`.execute(db)
  return readJsonRows(titledShiftColumns, rows[0]!.shifts)
}

/** About 20,000 records. */
const MOST_BYTES = 32 * 1024 * 1024
const fragments = perDatabase(() => new BodyCache<JsonBytes>(MOST_BYTES))

/** For benchmarks and tests without a warm cache. */
export const forgetBodies = (db: object): void => fragments(db).clear()

type Kind<Row> = {
  name: string
  load: (context: RequestContext, ids: number[]) => Promise<Row[]>
  present: (row: Row, context: RequestContext) => unknown
}

/**
 * Bodies in the order of the keys. A record that changed between the two queries is returned as it is now
 * and not cached, because its key is outdated; a deleted one is left out.
 */
async function bodiesOf<Row extends { id: number }>(
  context: RequestContext,
  keys: Key[],
  { name, load, present }: Kind<Row>,
): Promise<JsonBytes[]> {
  const kept = fragments(context.db)
  // Times are written with the offset of the zone.
  const keyOf = (id: number, version: unknown) => `${name} ${id} ${version} ${context.site.timeZone}`
  const bodies = new Map<number, JsonBytes>()
  for (const { id, version } of keys) {
    const body = kept.get(keyOf(id, version))
    if (body) bodies.set(id, body)
  }
  const missing = keys.filter(({ id }) => !bodies.has(id))
  if (missing.length) {
    const versions = new Map(missing.map(({ id, version }) => [id, version]))
    for (const row of await load(context, [...versions.keys()])) {
      const body = new JsonBytes(Buffer.from(JSON.stringify(present(row, context))))
      bodies.set(row.id, body)
      kept.set(keyOf(row.id, versions.get(row.id)), body)
    }
  }
  return keys.flatMap(({ id }) => bodies.get(id) ?? [])
}

export const eventBodies = (context: RequestContext, keys: Key[]): Promise<JsonBytes[]> =>
  bodiesOf(context, keys, { name: 'event', load: loadEvents, present: presentEvent })

export const shiftBodies = (context: RequestContext, keys: Key[]): Promise<JsonBytes[]> =>
  bodiesOf(context, keys, { name: 'shift', load: loadShifts, present: presentTitledShift })
