import { SCOPES, type Scope } from '#platform/auth/scopes.ts'

/** Known to secret scanners: a token that leaks into a repository is found by it. */
export const TOKEN_PREFIX = 'turnout_pat_'
export const DEFAULT_DAYS = 90

export type TokenWish = { description: string; scopes: readonly string[]; days: number }
export type TokenRefusal = 'no_description' | 'long_description' | 'no_scope' | 'unknown_scope' | 'bad_days'

/** All reasons at once; none: the token can be made. */
export function judgeToken({ description, scopes, days }: TokenWish, mostDays: number): TokenRefusal[] {
  const reasons: TokenRefusal[] = []
  if (!description.trim()) reasons.push('no_description')
  if (description.length > 1000) reasons.push('long_description')
  if (!scopes.length) reasons.push('no_scope')
  if (scopes.some((scope) => !SCOPES.includes(scope as Scope))) reasons.push('unknown_scope')
  if (!Number.isInteger(days) || days < 1 || days > mostDays) reasons.push('bad_days')
  return reasons
}
