import { match } from '../rules/matching.ts'
import type { MatchPerson, MatchPosition, Reason, Skills } from '../rules/model.ts'
import { covers } from '../rules/skills.ts'

/** Below every id of a participation, so that it is nobody's. */
const APPLICANT = -1

/**
 * Whether one more person finds a place among people who are confirmed. Where nobody decides, everybody who is confirmed keeps a
 * place and one more pair must be possible; that the person is qualified and that all is taken are told apart.
 */
export function judgePlaces({
  skills,
  needs,
  confirmed,
  positions,
  instant,
}: {
  skills: Skills
  /** What the places ask for, taken or not. */
  needs: readonly Skills[]
  confirmed: readonly MatchPerson[]
  positions: readonly MatchPosition[]
  instant: boolean
}): Reason[] {
  if (!needs.length) return [{ code: 'full' }]
  if (!needs.some((needed) => covers(skills, needed))) return [{ code: 'not_qualified', missingAnyOf: missingIn(needs, skills) }]
  if (!instant) return []
  const without = match({ people: confirmed, positions }).assignment.size
  const applicant: MatchPerson = { id: APPLICANT, state: 'confirmed', skills }
  return match({ people: [...confirmed, applicant], positions }).assignment.size > without ? [] : [{ code: 'full' }]
}

/** Each way to fit once, the shortest first. */
function missingIn(needs: readonly Skills[], skills: Skills): number[][] {
  const ways = needs.map((needed) => [...needed].filter((id) => !skills.has(id)).sort((a, b) => a - b))
  return [...new Map(ways.map((way) => [way.join(), way])).values()].sort((a, b) => a.length - b.length)
}
