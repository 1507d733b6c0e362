import { judgePassword, type Owner } from './passwords.ts'

/** For people, in words: what is refused is weak, everything else is at least fair. */
export const STRENGTHS = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof STRENGTHS)[number]

/** Length counts most, as long as it is not the same few characters: guessing takes time with both. */
export function strengthOf(password: string, owner: Owner): Strength {
  if (judgePassword(password, owner)) return 'weak'
  const [length, different] = [[...password].length, new Set(password).size]
  if (length >= 16 && different >= 9) return 'strong'
  if (length >= 12 && different >= 7) return 'good'
  return 'fair'
}
