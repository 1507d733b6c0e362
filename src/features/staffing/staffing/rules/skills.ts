import type { Inclusions, Skills } from './model.ts'

export function covers(held: Skills, needed: Skills): boolean {
  for (const id of needed) if (!held.has(id)) return false
  return true
}

export function expandSkills(ids: Iterable<number>, inclusions: Inclusions): Skills {
  const closure = new Set<number>()
  for (const id of ids) {
    closure.add(id)
    for (const included of inclusions.get(id) ?? []) closure.add(included)
  }
  return closure
}

/** Removes qualifications that others of the list include: a doctor is not listed as a medic, too. */
export function dropIncluded(ids: Iterable<number>, inclusions: Inclusions): number[] {
  const all = [...new Set(ids)].sort((a, b) => a - b)
  // Imported data may contain two that include each other; both stay.
  const isAbove = (other: number, id: number) => other !== id && inclusions.get(other)?.has(id) && !inclusions.get(id)?.has(other)
  return all.filter((id) => !all.some((other) => isAbove(other, id)))
}

/** A fraction in [0, 1], kept as two integers so that comparing is exact. */
export type SkillLevel = { below: number; related: number }

/** The share of included qualifications among all that the set includes or that include it: high means demanding. */
export function skillLevel(ids: Iterable<number>, inclusions: Inclusions): SkillLevel {
  const wanted = [...ids]
  const below = expandSkills(wanted, inclusions)
  let above = 0
  for (const [id, included] of inclusions) {
    if (!below.has(id) && wanted.some((one) => included.has(one))) above++
  }
  return { below: below.size, related: below.size + above }
}

/** Negative if `a` is lower. The empty set has the lowest level. */
export function compareSkillLevels(a: SkillLevel, b: SkillLevel): number {
  return a.below * Math.max(b.related, 1) - b.below * Math.max(a.related, 1)
}
