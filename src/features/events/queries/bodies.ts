import { sql } from 'kysely'
import type { Ask } from '#platform/auth/ask.ts'
import { Fragments, perDatabase } from '#platform/db/fragments.ts'
import { JsonBytes } from '#platform/http/json.ts'
import type { Key } from './filters.ts'

export type ShiftRow = {
  id: number
  label: string
  event_id: number
  event_title: string
  meeting_time: string
  start_time: string
  end_time: string
  signup_flow_slug: string
  signup_flow_configuration: unknown
  structure_slug: string
  structure_configuration: unknown
  requested_count: number
  confirmed_count: number
  missing: number
  free: number | null
  min_count: number | null
  max_count: number | null
}

export type EventRow = {
  id: number
  title: string
  description: string | null
  location: string
  type_id: number
  type_title: string
  start_time: string | null
  end_time: string | null
  shifts: ShiftRow[]
}

const shiftColumns = sql`
  s.id, s.label, s.event_id, e.title as event_title,
  s.meeting_time::text as meeting_time, s.start_time::text as start_time, s.end_time::text as end_time,
  s.signup_flow_slug, s.signup_flow_configuration, s.structure_slug, s.structure_configuration,
  s.requested_count, s.confirmed_count, s.missing, s.free, s.min_count, s.max_count`

async function loadEvents(ask: Ask, ids: number[]): Promise<EventRow[]> {
  const [events, shifts] = await Promise.all([
    sql<Omit<EventRow, 'shifts'>>`
      select e.id, e.title, e.description, e.location, e.type_id, t.title as type_title,
        e.start_time::text as start_time, e.end_time::text as end_time
      from event e join event_type t on t.id = e.type_id where e.id = any (${ids}::bigint[])`.execute(ask.db),
    sql<ShiftRow>`
      select ${shiftColumns} from shift s join event e on e.id = s.event_id where s.event_id = any (${ids}::bigint[])
      order by s.meeting_time, s.start_time, s.id`.execute(ask.db),
  ])
  const byEvent = Map.groupBy(shifts.rows, ({ event_id }) => event_id)
  return events.rows.map((event) => ({ ...event, shifts: byEvent.get(event.id) ?? [] }))
}

async function loadShifts(ask: Ask, ids: number[]): Promise<ShiftRow[]> {
  const { rows } = await sql<ShiftRow>`
    select ${shiftColumns} from shift s join event e on e.id = s.event_id where s.id = any (${ids}::bigint[])`.execute(ask.db)
  return rows
}

/** About 20,000 records. */
const MOST_BYTES = 32 * 1024 * 1024
const fragments = perDatabase(() => new Fragments(MOST_BYTES))

/** Measurements and tests of the cold path. */
export const forgetBodies = (db: object): void => fragments(db).clear()

type Kind<Row> = { name: string; load: (ask: Ask, ids: number[]) => Promise<Row[]>; present: (row: Row, ask: Ask) => unknown }

/**
 * Bodies of the keys, in their order. A record that vanished or changed between the two looks is taken as it is now,
 * or left out; then it is not kept, since its key is of before.
 */
async function bodiesOf<Row extends { id: number }>(
  ask: Ask,
  keys: Key[],
  { name, load, present }: Kind<Row>,
): Promise<JsonBytes[]> {
  const kept = fragments(ask.db)
  const bodies = new Map<number, Buffer>()
  for (const { id, version } of keys) {
    const body = kept.get(`${name} ${id} ${version}`)
    if (body) bodies.set(id, body)
  }
  const missing = keys.filter(({ id }) => !bodies.has(id))
  if (missing.length) {
    const versions = new Map(missing.map(({ id, version }) => [id, version]))
    for (const row of await load(ask, [...versions.keys()])) {
      const body = Buffer.from(JSON.stringify(present(row, ask)))
      bodies.set(row.id, body)
      kept.set(`${name} ${row.id} ${versions.get(row.id)}`, body)
    }
  }
  return keys.flatMap(({ id }) => (bodies.has(id) ? [new JsonBytes(bodies.get(id)!)] : []))
}

export const eventBodies = (ask: Ask, keys: Key[], present: (row: EventRow, ask: Ask) => unknown): Promise<JsonBytes[]> =>
  bodiesOf(ask, keys, { name: 'event', load: loadEvents, present })

export const shiftBodies = (ask: Ask, keys: Key[], present: (row: ShiftRow, ask: Ask) => unknown): Promise<JsonBytes[]> =>
  bodiesOf(ask, keys, { name: 'shift', load: loadShifts, present })
