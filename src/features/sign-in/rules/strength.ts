import { checkPasswordRules, type Owner } from './passwords.ts'

/** Refused passwords are weak, all others at least fair. */
const STRENGTHS = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof STRENGTHS)[number]

/** Rates by length and by the number of different characters. */
export function getStrength(password: string, owner: Owner): Strength {
  if (checkPasswordRules(password, owner)) return 'weak'
  const [length, different] = [[...password].length, new Set(password).size]
  if (length >= 16 && different >= 9) return 'strong'
  if (length >= 12 && different >= 7) return 'good'
  return 'fair'
}
