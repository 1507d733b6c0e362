import { type RawBuilder, sql } from 'kysely'
import { eventFields } from '../rules/event-fields.ts'
import { shiftFields } from '../rules/shift-fields.ts'

type Times = { start: RawBuilder<unknown>; end: RawBuilder<unknown> }

const SHIFT_TIMES: Times = { start: sql`s.start_time`, end: sql`s.end_time` }

/** Columns of `SignupStats`, from `shift` as `s`. */
export const statsColumns: RawBuilder<unknown> = sql`
  s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount",
  s.missing, s.free, s.min_count as "minCount", s.max_count as "maxCount", s.shortfall`

/** A condition on `shift` as `s`: somebody is missing at some time. The same as `shortfallOf` above 0. */
export const isShort: RawBuilder<unknown> = sql`(s.missing > 0 or s.shortfall > 0)`

/** Columns of `ShiftValues`, from `shift` as `s`. */
export const shiftValueColumns = shiftFields.map((name) => sql.ref(`s.${name}`))

/** Columns of `EventValues`, from `event` as `e`. */
export const eventValueColumns = eventFields.map((name) => sql.ref(`e.${name}`))

/** Columns of `Shift`, from `shift` as `s`. `times`: other times to show, such as those of a participation. */
export const shiftColumns = ({ start, end }: Times = SHIFT_TIMES): RawBuilder<unknown> => sql`
  s.id, ${sql.join(Object.values(shiftValueColumns))}, case when s.meeting_time < s.start_time then s.meeting_time else ${start} end as meeting, ${start} as start, ${end} as "end", ${statsColumns}`

/** Columns of `EventOfShift`, from `event` as `e`. */
export const eventOfShiftColumns: RawBuilder<unknown> = sql`
  e.id as "eventId", e.title as "eventTitle", e.location, e.cancellation_reason as "cancellationReason"`

/** Columns of `TypeOfEvent`, from `event_type` as `t`. */
export const typeColumns: RawBuilder<unknown> = sql`t.title as "typeTitle", t.color as "typeColor"`
