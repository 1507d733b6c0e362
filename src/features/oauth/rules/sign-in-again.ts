export type Demand = { prompts: readonly string[]; maxAge: number | undefined; askedAt: Date; signedInAt: Date; now: Date }

/** Whoever signed in after the application asked has done what it asked for, however short the age it allows. */
export function mustSignInAgain({ prompts, maxAge, askedAt, signedInAt, now }: Demand): boolean {
  if (signedInAt > askedAt) return false
  if (prompts.includes('login')) return true
  return maxAge !== undefined && now.getTime() - signedInAt.getTime() > maxAge * 1000
}
