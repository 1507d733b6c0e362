import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

type Scalar = number | boolean | null

/** Builds array literals directly, because the driver checks the type of every element, which is slow for bulk data. */
export function arrayOf(values: readonly Scalar[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Milliseconds since 1970. */
type Instant = number

export type EventRow = {
  id: number
  title: string
  description: string
  location: string
  typeId: number
  active: boolean
  cancelledAt: Instant | null
  deletedAt: Instant | null
  createdAt: Instant
  createdById: number
  start: Instant
  end: Instant
  audienceId: number
  shiftCount: number
}
export type ShiftRow = {
  id: number
  eventId: number
  /** Null while the event is not listed. */
  listedAudienceId: number | null
  label: string
  meeting: Instant
  start: Instant
  end: Instant
  flow: { slug: string; configuration: string }
  structure: { slug: string; configuration: string }
  requested: number
  confirmed: number
  missing: number
  free: number | null
  min: number | null
  max: number | null
}
export type ParticipationRow = {
  id: number
  shiftId: number
  eventId: number
  userId: number
  state: number
  individualStart: Instant | null
  start: Instant
  end: Instant
  structureData: string
  finished: boolean
  createdAt: Instant
}
export type Batch = {
  events: EventRow[]
  groupGrants: { eventId: number; groupId: number; permission: 'view' | 'change' }[]
  userGrants: { eventId: number; userId: number; permission: 'view' | 'change' }[]
  shifts: ShiftRow[]
  participations: ParticipationRow[]
}

export async function writeBatch(tx: Tx, { events, groupGrants, userGrants, shifts, participations }: Batch): Promise<void> {
  await writeEvents(tx, events)
  await sql`insert into event_group_grant (event_id, group_id, permission) select * from unnest(
    ${arrayOf(groupGrants.map(({ eventId }) => eventId))}::bigint[], ${arrayOf(groupGrants.map(({ groupId }) => groupId))}::bigint[],
    ${textArray(groupGrants.map(({ permission }) => permission))}::text[])`.execute(tx)
  await sql`insert into event_user_grant (event_id, user_id, permission) select * from unnest(
    ${arrayOf(userGrants.map(({ eventId }) => eventId))}::bigint[], ${arrayOf(userGrants.map(({ userId }) => userId))}::bigint[],
    ${textArray(userGrants.map(({ permission }) => permission))}::text[])`.execute(tx)
  await writeShifts(tx, shifts)
  await writeParticipations(tx, participations)
}

const time = (name: string) => sql`to_timestamp(${sql.ref(name)} / 1000)`

async function writeEvents(tx: Tx, rows: EventRow[]): Promise<void> {
  await sql`
    insert into event (id, title, description, location, type_id, active, cancelled_at, cancellation_reason, deleted_at,
      created_at, created_by_id, start_time, end_time, audience_id, shift_count)
    select id, title, description, location, type_id, active,
      ${time('cancelled')}, case when cancelled is not null then 'Abgesagt.' end, ${time('deleted')},
      ${time('created')}, created_by, ${time('starts')}, ${time('ends')}, audience_id, shift_count
    from unnest(
      ${arrayOf(rows.map(({ id }) => id))}::bigint[],
      ${textArray(rows.map(({ title }) => title))}::text[],
      ${textArray(rows.map(({ description }) => description))}::text[],
      ${textArray(rows.map(({ location }) => location))}::text[],
      ${arrayOf(rows.map(({ typeId }) => typeId))}::bigint[],
      ${arrayOf(rows.map(({ active }) => active))}::boolean[],
      ${arrayOf(rows.map(({ cancelledAt }) => cancelledAt))}::float8[],
      ${arrayOf(rows.map(({ deletedAt }) => deletedAt))}::float8[],
      ${arrayOf(rows.map(({ createdAt }) => createdAt))}::float8[],
      ${arrayOf(rows.map(({ createdById }) => createdById))}::bigint[],
      ${arrayOf(rows.map(({ start }) => start))}::float8[],
      ${arrayOf(rows.map(({ end }) => end))}::float8[],
      ${arrayOf(rows.map(({ audienceId }) => audienceId))}::bigint[],
      ${arrayOf(rows.map(({ shiftCount }) => shiftCount))}::integer[]
    ) as row (id, title, description, location, type_id, active, cancelled, deleted, created, created_by, starts, ends,
      audience_id, shift_count)`.execute(tx)
}

async function writeShifts(tx: Tx, rows: ShiftRow[]): Promise<void> {
  await sql`
    insert into shift (id, event_id, listed_audience_id, label, meeting_time, start_time, end_time, signup_flow_slug, signup_flow_configuration,
      structure_slug, structure_configuration, requested_count, confirmed_count, missing, free, min_count, max_count)
    select id, event_id, audience_id, label, ${time('meets')}, ${time('starts')}, ${time('ends')}, flow, flow_json::jsonb,
      structure, structure_json::jsonb, requested, confirmed, missing, free, least, most
    from unnest(
      ${arrayOf(rows.map(({ id }) => id))}::bigint[],
      ${arrayOf(rows.map(({ eventId }) => eventId))}::bigint[],
      ${arrayOf(rows.map(({ listedAudienceId }) => listedAudienceId))}::bigint[],
      ${textArray(rows.map(({ label }) => label))}::text[],
      ${arrayOf(rows.map(({ meeting }) => meeting))}::float8[],
      ${arrayOf(rows.map(({ start }) => start))}::float8[],
      ${arrayOf(rows.map(({ end }) => end))}::float8[],
      ${textArray(rows.map(({ flow }) => flow.slug))}::text[],
      ${textArray(rows.map(({ flow }) => flow.configuration))}::text[],
      ${textArray(rows.map(({ structure }) => structure.slug))}::text[],
      ${textArray(rows.map(({ structure }) => structure.configuration))}::text[],
      ${arrayOf(rows.map(({ requested }) => requested))}::integer[],
      ${arrayOf(rows.map(({ confirmed }) => confirmed))}::integer[],
      ${arrayOf(rows.map(({ missing }) => missing))}::integer[],
      ${arrayOf(rows.map(({ free }) => free))}::integer[],
      ${arrayOf(rows.map(({ min }) => min))}::integer[],
      ${arrayOf(rows.map(({ max }) => max))}::integer[]
    ) as row (id, event_id, audience_id, label, meets, starts, ends, flow, flow_json, structure, structure_json,
      requested, confirmed, missing, free, least, most)`.execute(tx)
}

async function writeParticipations(tx: Tx, rows: ParticipationRow[]): Promise<void> {
  await sql`
    insert into participation (id, shift_id, event_id, listed_audience_id, kind, user_id, state, individual_start_time,
      start_time, end_time, structure_data, finished, created_at)
    select id, shift_id, event_id, (select shift.listed_audience_id from shift where shift.id = shift_id), 'local', user_id, state,
      ${time('own_start')}, ${time('starts')}, ${time('ends')}, data::jsonb, finished, ${time('created')}
    from unnest(
      ${arrayOf(rows.map(({ id }) => id))}::bigint[],
      ${arrayOf(rows.map(({ shiftId }) => shiftId))}::bigint[],
      ${arrayOf(rows.map(({ eventId }) => eventId))}::bigint[],
      ${arrayOf(rows.map(({ userId }) => userId))}::bigint[],
      ${arrayOf(rows.map(({ state }) => state))}::smallint[],
      ${arrayOf(rows.map(({ individualStart }) => individualStart))}::float8[],
      ${arrayOf(rows.map(({ start }) => start))}::float8[],
      ${arrayOf(rows.map(({ end }) => end))}::float8[],
      ${textArray(rows.map(({ structureData }) => structureData))}::text[],
      ${arrayOf(rows.map(({ finished }) => finished))}::boolean[],
      ${arrayOf(rows.map(({ createdAt }) => createdAt))}::float8[]
    ) as row (id, shift_id, event_id, user_id, state, own_start, starts, ends, data, finished, created)`.execute(tx)
}
