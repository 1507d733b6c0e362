import { match } from '../rules/matching.ts'
import type { MatchPerson, MatchPosition, Reason, Skills } from '../rules/model.ts'
import { covers } from '../rules/skills.ts'

/** Ids of participations are positive. */
const APPLICANT_ID = -1

/**
 * Whether there is a place for one more person: they must be qualified for some place (`not_qualified`), and for instant confirmation
 * a matching of all confirmed people must be possible with them (`full`).
 */
export function judgePlaces({
  skills,
  needs,
  confirmed,
  positions,
  instant,
}: {
  skills: Skills
  /** Needs of all places, taken or not. */
  needs: readonly Skills[]
  confirmed: readonly MatchPerson[]
  positions: readonly MatchPosition[]
  instant: boolean
}): Reason[] {
  if (!needs.length) return [{ code: 'full' }]
  if (!needs.some((needed) => covers(skills, needed)))
    return [{ code: 'not_qualified', missingAnyOf: listMissing(needs, skills) }]
  if (!instant) return []
  const without = match({ people: confirmed, positions }).assignment.size
  const applicant: MatchPerson = { id: APPLICANT_ID, state: 'confirmed', skills }
  return match({ people: [...confirmed, applicant], positions }).assignment.size > without ? [] : [{ code: 'full' }]
}

/** The distinct alternatives, the shortest first. */
function listMissing(needs: readonly Skills[], skills: Skills): number[][] {
  const ways = needs.map((needed) => [...needed].filter((id) => !skills.has(id)).sort((a, b) => a - b))
  return [...new Map(ways.map((way) => [way.join(), way])).values()].sort((a, b) => a.length - b.length)
}
