import { Temporal } from 'temporal-polyfill'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { DEADLINES } from '#features/planning/shift-forms/rules/flow-checks.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { type ShiftTimes, toWallTime } from '#features/planning/shift-forms/rules/shift-times.ts'
import { printInstant, readFixedMoment } from '#features/staffing/staffing/rules/opening.ts'

/** The date in the time zone of the instance. */
export const dayOf = (at: Date, timeZone: string): string => toWallTime(at, timeZone).toPlainDate().toString()

export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days

/** Moves by calendar days and keeps the local time, also across daylight saving. */
export const moveByDays = (at: Date, days: number, timeZone: string): Date =>
  new Date(Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).add({ days }).epochMilliseconds)

/** Keeps the durations instead of the local times if daylight saving would reverse the order. */
export function moveTimes({ meeting, start, end }: ShiftTimes, days: number, timeZone: string): ShiftTimes {
  const from = moveByDays(start, days, timeZone)
  const until = moveByDays(end, days, timeZone)
  const before = moveByDays(meeting, days, timeZone)
  const later = (milliseconds: number) => new Date(from.getTime() + milliseconds)
  return {
    start: from,
    end: until > from ? until : later(end.getTime() - start.getTime()),
    meeting: before <= from ? before : later(meeting.getTime() - start.getTime()),
  }
}

/** Moves a fixed time; durations before the start (`P3D`) and invalid texts stay unchanged. */
export function moveStoredTime(text: string, days: number, timeZone: string): string {
  const at = readFixedMoment(text, timeZone)
  try {
    return at ? printInstant(moveByDays(at, days, timeZone), timeZone) : text
  } catch {
    // The result is beyond the last day of the calendar.
    return text
  }
}

/** Moves a shift by calendar days. Fixed deadlines move with it; relative ones count from the start. */
export function moveShift(shift: ShiftInput, days: number, timeZone: string): ShiftInput {
  const moved = Object.entries(shift.flowConfiguration).map(([key, value]) => [
    key,
    DEADLINES.includes(key) && typeof value === 'string' && value !== '' ? moveStoredTime(value, days, timeZone) : value,
  ])
  return {
    ...shiftFields.copy(shift),
    times: moveTimes(shift.times, days, timeZone),
    flowSlug: shift.flowSlug,
    flowConfiguration: Object.fromEntries(moved),
    structureSlug: shift.structureSlug,
    structureConfiguration: shift.structureConfiguration,
    questions: shift.questions,
  }
}

/** Points a coupled shift to the copy of its leader, or to none if the leader was not copied. */
export function relinkLeader(shift: ShiftInput, counterparts: ReadonlyMap<number, number>): ShiftInput {
  if (shift.flowSlug !== 'coupled') return shift
  const leader = counterparts.get(Number(shift.flowConfiguration.leader_shift_id)) ?? null
  return { ...shift, flowConfiguration: { ...shift.flowConfiguration, leader_shift_id: leader } }
}
