import type { FillProblem, FillShift } from '#features/staffing/auto-fill/rules/problem.ts'

const HOUR_MS = 3_600_000
const at = (hour: number): Date => new Date(Date.UTC(2030, 0, 7) + hour * HOUR_MS)

/** A month with parallel shifts, scarce qualifications, eleven hours of rest and at most 24 hours a week. */
export function largeProblem(seed: number): FillProblem {
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
  const shifts = Array.from({ length: 100 }, (_, index) => {
    const start = Math.floor(index / 4) * 24 + [6, 8, 14, 20][index % 4]!
    return { id: index + 1, start: at(start), end: at(start + 8) }
  })
  const places = shifts.flatMap(({ id }) => [
    { id: `${id}-medic`, shiftId: id, count: 1, value: 1000 },
    { id: `${id}-driver`, shiftId: id, count: 1, value: 1000 },
    { id: `${id}-helper`, shiftId: id, count: 4, value: 1000 },
  ])
  const people = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    isMedic: random(10) === 0,
    isDriver: random(6) === 0,
    load: random(100),
  }))
  const options = people.flatMap(({ id, isMedic, isDriver, load }) =>
    shifts.flatMap((shift) => {
      if (random(10) < 6) return []
      const cost = load - (random(4) === 0 ? 150 : 0)
      const kinds = [...(isMedic ? ['medic'] : []), ...(isDriver ? ['driver'] : []), 'helper']
      return kinds.map((kind) => ({ personId: id, placeId: `${shift.id}-${kind}`, cost }))
    }),
  )
  const isCompatible = (_: number, taken: readonly FillShift[]): boolean => {
    const sorted = [...taken].sort((a, b) => a.start.getTime() - b.start.getTime())
    const rests = sorted.every((shift, index) => {
      const before = sorted[index - 1]
      return !before || shift.start.getTime() - before.end.getTime() >= 11 * HOUR_MS
    })
    const hours = new Map<number, number>()
    for (const { start } of sorted) {
      const week = Math.floor((start.getTime() - at(0).getTime()) / (7 * 24 * HOUR_MS))
      hours.set(week, (hours.get(week) ?? 0) + 8)
    }
    return rests && [...hours.values()].every((sum) => sum <= 24)
  }
  return { shifts, places, options, repeatCost: 20, restHours: 11, isCompatible }
}
