type SignInDemand = { prompts: readonly string[]; maxAge: number | undefined; askedAt: Date; signedInAt: Date; now: Date }

/** A sign-in after the request is sufficient, regardless of max_age. */
export function mustSignInAgain({ prompts, maxAge, askedAt, signedInAt, now }: SignInDemand): boolean {
  if (signedInAt > askedAt) return false
  if (prompts.includes('login')) return true
  return maxAge !== undefined && now.getTime() - signedInAt.getTime() > maxAge * 1000
}
