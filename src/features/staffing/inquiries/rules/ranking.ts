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
  const drawn = new Map(people.map(({ id }) => [id, draw(shiftId, id)]))
  return [...people].sort((a, b) => a.asked - b.asked || a.hours - b.hours || drawn.get(a.id)! - drawn.get(b.id)! || a.id - b.id)
}

/** A number that looks random and is the same for the same pair. The constants are those of the 32-bit finaliser of MurmurHash3. */
function draw(shiftId: number, personId: number): number {
  let bits = Math.imul(shiftId, 0x9e3779b1) ^ personId
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
