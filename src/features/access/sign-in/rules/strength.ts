import { checkPasswordRules, type Owner } from './passwords.ts'

/** Refused passwords are weak, all others at least fair. */
export type Strength = 'weak' | 'fair' | 'good' | 'strong'

/** Rates by length and by the number of different characters. */
export function getStrength(password: string, owner: Owner): Strength {
  if (checkPasswordRules(password, owner)) return 'weak'
  const [length, different] = [[...password].length, new Set(password).size]
  if (length >= 16 && different >= 9) return 'strong'
  if (length >= 12 && different >= 7) return 'good'
  return 'fair'
}
