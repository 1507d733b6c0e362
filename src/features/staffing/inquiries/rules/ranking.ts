/** Someone who could be asked. */
export type RankedPerson = {
  id: number
  name: string
  /** Times asked in the last 30 days. */
  asked: number
  /** Hours of confirmed shifts in the month of the shift. */
  hours: number
}

/** Who was asked least comes first, then who has the fewest hours this month, then by name. */
export function rankPeople<Person extends RankedPerson>(people: readonly Person[]): Person[] {
  return [...people].sort((a, b) => a.asked - b.asked || a.hours - b.hours || a.name.localeCompare(b.name) || a.id - b.id)
}
