import type { ProvidedEmail } from './claims.ts'

export type KnownAccount = {
  userId: number
  isActive: boolean
  /** Administrators, and people with permissions of their own or by a group. */
  hasPowers: boolean
  hasPassword: boolean
  hasFactor: boolean
  /** It is linked with an account at a provider already. */
  isLinked: boolean
}
export type AccountDecision =
  | { kind: 'sign_in' | 'link' | 'confirm'; userId: number }
  | { kind: 'create'; email: string }
  | { kind: 'refuse'; reason: 'inactive' | 'no_account' | 'email_missing' | 'email_unverified' }

/**
 * Whoever controls the provider, or gets an address there that somebody else had, could otherwise take over an account. So an account with
 * a way to sign in is linked only after its owner has used that way once. People with permissions do it even if they have to set a
 * password first.
 */
export const mayLinkByEmail = ({ hasPowers, hasPassword, hasFactor, isLinked }: KnownAccount): boolean =>
  !hasPowers && !hasPassword && !hasFactor && !isLinked

type AccountFacts = {
  /** The account that is linked with issuer and subject. */
  linked: KnownAccount | undefined
  email: ProvidedEmail
  /** The account with the verified address. */
  holder: KnownAccount | undefined
  createsAccounts: boolean
}

/** Which account a person who signed in at a provider gets. `confirm`: only the signed-in owner may link it. */
export function decideAccount(
  { linked, email, holder, createsAccounts }: AccountFacts,
  mayLink = mayLinkByEmail,
): AccountDecision {
  if (linked) return linked.isActive ? { kind: 'sign_in', userId: linked.userId } : { kind: 'refuse', reason: 'inactive' }
  if (!email.ok) return { kind: 'refuse', reason: email.reason }
  if (holder && !holder.isActive) return { kind: 'refuse', reason: 'inactive' }
  if (holder) return { kind: mayLink(holder) ? 'link' : 'confirm', userId: holder.userId }
  return createsAccounts ? { kind: 'create', email: email.email } : { kind: 'refuse', reason: 'no_account' }
}

type WaysInput = { providers: number; hidesLocal: boolean; redirects: boolean; wantsLocal: boolean; isSignedOut: boolean }

/** What the sign-in page shows. Without a provider the local form always stays, so that nobody is locked out. */
export function decideSignInWays({ providers, hidesLocal, redirects, wantsLocal, isSignedOut }: WaysInput): {
  showsLocal: boolean
  redirects: boolean
} {
  if (!providers || wantsLocal) return { showsLocal: true, redirects: false }
  return { showsLocal: !hidesLocal, redirects: redirects && providers === 1 && !isSignedOut }
}
