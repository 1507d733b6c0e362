import { moveStoredTime, moveTimes } from './moving-dates.ts'
import type { ShiftWish } from './shift-form.ts'

const DEADLINES = ['signup_from', 'signup_until']

/** The same shift some days of the calendar later: fixed deadlines move along, relative ones count from its start anyway. */
export function moveShift(shift: ShiftWish, days: number, timeZone: string): ShiftWish {
  const moved = Object.entries(shift.flowConfiguration).map(([key, value]) => [
    key,
    DEADLINES.includes(key) && typeof value === 'string' && value !== '' ? moveStoredTime(value, days, timeZone) : value,
  ])
  return {
    label: shift.label,
    times: moveTimes(shift.times, days, timeZone),
    flowSlug: shift.flowSlug,
    flowConfiguration: Object.fromEntries(moved),
    structureSlug: shift.structureSlug,
    structureConfiguration: shift.structureConfiguration,
  }
}

/** Coupled shifts follow the counterpart of their leader; one that is not there any more is none. */
export function relink(shift: ShiftWish, counterparts: ReadonlyMap<number, number>): ShiftWish {
  if (shift.flowSlug !== 'coupled') return shift
  const leader = counterparts.get(Number(shift.flowConfiguration.leader_shift_id)) ?? null
  return { ...shift, flowConfiguration: { ...shift.flowConfiguration, leader_shift_id: leader } }
}
