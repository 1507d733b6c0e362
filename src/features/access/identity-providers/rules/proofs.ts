import type { Claims } from './claims.ts'

const readSeconds = ({ auth_time: seconds }: Claims): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined

/** Counts as long ago. */
export const UNKNOWN_TIME = new Date(0)

/**
 * When the person last proved at the provider who they are; a time in the future counts as now. Without a time, the person may have been
 * signed in there for days. `trusts`: the provider asks at each sign-in, although it does not say so.
 */
export function readAuthTime(claims: Claims, now: Date, trusts: boolean): Date {
  const seconds = readSeconds(claims)
  if (seconds === undefined) return claims.auth_time === undefined && trusts ? now : UNKNOWN_TIME
  return new Date(Math.min(now.getTime(), seconds * 1000))
}

/** Clocks of providers may be so much behind. */
const MAX_CLOCK_SKEW_MS = 60_000

/** Whether the person has shown at the provider who they are since then. `without_time`: it does not say when, and is not trusted to ask. */
export function judgeProof(claims: Claims, since: Date, trusts: boolean): 'proved' | 'too_old' | 'without_time' {
  if (claims.auth_time === undefined) return trusts ? 'proved' : 'without_time'
  const seconds = readSeconds(claims)
  return seconds !== undefined && seconds * 1000 >= since.getTime() - MAX_CLOCK_SKEW_MS ? 'proved' : 'too_old'
}

/** Values of `amr` (RFC 8176) by what they prove: something that one knows, has or is. */
const FACTORS: readonly (readonly string[])[] = [
  ['pwd', 'pin', 'kba'],
  ['otp', 'hwk', 'swk', 'pop', 'sc', 'sms', 'tel'],
  ['face', 'fpt', 'iris', 'retina', 'vbm'],
]

const MAX_METHODS = 50

/**
 * Whether the provider states that the person has proved two factors: by `amr`, or by a value of `acr` that an administrator has entered.
 * Only the ID token counts, because it is signed.
 */
export function statesSecondFactor(idToken: Claims, acrs: readonly string[]): boolean {
  const { amr, acr } = idToken
  if (typeof acr === 'string' && acr !== '' && acrs.includes(acr)) return true
  if (!Array.isArray(amr) || amr.length > MAX_METHODS) return false
  if (amr.includes('mfa')) return true
  return FACTORS.filter((methods) => methods.some((method) => amr.includes(method))).length > 1
}

type FactorSettings = { trustsFactor: boolean; factorAcrs: string }

/** `stated`: the provider says so, and no administrator has allowed it to count. */
export function judgeFactor(idToken: Claims, { trustsFactor, factorAcrs }: FactorSettings): 'counts' | 'stated' | 'none' {
  if (!statesSecondFactor(idToken, factorAcrs.split(' ').filter(Boolean))) return 'none'
  return trustsFactor ? 'counts' : 'stated'
}
