import type { CommandContext } from '#platform/auth/context.ts'
import type { AuthorizationSecrets, SignedInPerson } from '../provider.ts'

/** Time to sign in at the provider. */
const MAX_SIGN_IN_MS = 30 * 60_000
/** Time to sign in with a password and to confirm a link. */
const MAX_CONFIRMATION_MS = 15 * 60_000

/** `confirm`: a signed-in person shows again who they are. */
export type Purpose = 'sign_in' | 'link' | 'test' | 'confirm'
export type PendingSignIn = AuthorizationSecrets & {
  kind: 'pending'
  purpose: Purpose
  providerId: number
  next: string
  /** Who started it; for other purposes than signing in. */
  userId: number | null
  until: number
}
type PendingLink = {
  kind: 'link'
  providerId: number
  issuer: string
  subject: string
  /** The account that the link is for. */
  userId: number
  next: string
  until: number
}
export type StateCookie = { start: string; maxAgeSeconds: number }

type Context = Pick<CommandContext, 'site' | 'now'>
type Without<Value, Key extends PropertyKey> = Value extends unknown ? Omit<Value, Key> : never

function seal({ site, now }: Context, value: Without<PendingSignIn | PendingLink, 'until'>, lifetimeMs: number): StateCookie {
  const text = JSON.stringify({ ...value, until: now.getTime() + lifetimeMs })
  return { start: site.keyring.seal(text), maxAgeSeconds: lifetimeMs / 1000 }
}

function unseal<Kind extends 'pending' | 'link'>(
  { site, now }: Context,
  kind: Kind,
  cookie: string | undefined,
): Extract<PendingSignIn | PendingLink, { kind: Kind }> | undefined {
  if (!cookie) return undefined
  try {
    const value = JSON.parse(site.keyring.unseal(cookie)) as PendingSignIn | PendingLink
    return value.kind === kind && value.until > now.getTime()
      ? (value as Extract<PendingSignIn | PendingLink, { kind: Kind }>)
      : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

export const sealSignIn = (context: Context, pending: Omit<PendingSignIn, 'kind' | 'until'>): StateCookie =>
  seal(context, { kind: 'pending', ...pending }, MAX_SIGN_IN_MS)

/** When the browser was sent to the provider. */
export const startOf = ({ until }: Pick<PendingSignIn, 'until'>): Date => new Date(until - MAX_SIGN_IN_MS)

/** Undefined if this browser did not start a sign-in, or it has expired. */
export const readPendingSignIn = (context: Context, cookie: string | undefined): PendingSignIn | undefined =>
  unseal(context, 'pending', cookie)

export const sealLink = (
  context: Context,
  providerId: number,
  { issuer, subject }: SignedInPerson,
  { userId, next }: { userId: number; next: string },
): StateCookie => seal(context, { kind: 'link', providerId, issuer, subject, userId, next }, MAX_CONFIRMATION_MS)

/** The link that waits for a confirmation; undefined if there is none or it has expired. */
export const readPendingLink = (context: Context, cookie: string | undefined): PendingLink | undefined =>
  unseal(context, 'link', cookie)
