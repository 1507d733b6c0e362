import { createHash } from 'node:crypto'

/** Someone who could be asked. */
export type RankedPerson = {
  id: number
  name: string
  /** Times asked in the last 30 days. */
  asked: number
  /** Hours of confirmed shifts in the month of the shift. */
  hours: number
}

/**
 * Who was asked least comes first, then who has the fewest hours in the month of the shift. Among equals a draw decides, which is the same
 * for this shift each time: by name, the same people would come first for every shift.
 */
export function rankPeople<Person extends RankedPerson>(people: readonly Person[], shiftId: number): Person[] {
  const drawn = new Map(people.map(({ id }) => [id, createHash('sha256').update(`${shiftId} ${id}`).digest('hex')]))
  return [...people].sort((a, b) => a.asked - b.asked || a.hours - b.hours || (drawn.get(a.id)! < drawn.get(b.id)! ? -1 : 1))
}
