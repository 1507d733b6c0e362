import type { Site } from '#platform/auth/context.ts'
import { signUpRule } from '../points.ts'
import type { RuleVerdict } from '../rules/eligibility.ts'

type Asking = { site: Site; now: Date }
type Verdicts = ReadonlyMap<number, readonly RuleVerdict[]>

const NONE: Verdicts = new Map()

/** What the rules of extensions say, by person and shift. */
export async function findVerdicts(
  { site, now }: Asking,
  userIds: readonly number[],
  shiftIds: readonly number[],
): Promise<(userId: number) => Verdicts> {
  const rules = site.added(signUpRule)
  if (!rules.length || !userIds.length || !shiftIds.length) return () => NONE
  const found = (await Promise.all(rules.map((judge) => judge({ now, site, userIds, shiftIds })))).flat()
  const byPerson = Map.groupBy(found, ({ userId }) => userId)
  return (userId) => Map.groupBy(byPerson.get(userId) ?? [], ({ shiftId }) => shiftId)
}
