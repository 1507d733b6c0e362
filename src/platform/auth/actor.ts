import type { Language } from '#platform/i18n/catalogue.ts'
import { BUNDLES, type Permission } from './permissions.ts'
import type { Scope } from './scopes.ts'

declare const made: unique symbol

/** Who is asking. Made by authenticators only: nothing else can claim to be somebody. */
export type Actor = AnonymousActor | UserActor | PartnerActor | VisitorActor | GuestActor
export type AnonymousActor = { readonly [made]: true; readonly kind: 'anonymous' }
export type UserActor = {
  readonly [made]: true
  readonly kind: 'user'
  readonly userId: number
  readonly displayName: string
  readonly email: string
  readonly language: Language
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly groupIds: readonly number[]
  readonly permissions: ReadonlySet<string>
  /** Of the look-up that told who this is; what else was read in that state is still true. */
  readonly databaseState?: string
  readonly via: { kind: 'session'; sessionHash: Buffer } | { kind: 'token'; tokenId: number; scopes: ReadonlySet<string> }
}
/** A partner instance that shows the federation token we gave it. */
export type PartnerActor = {
  readonly [made]: true
  readonly kind: 'partner'
  readonly federatedGuestId: number
  readonly tokenId: number
}

/**
 * A person of a partner instance. Signed in nowhere: no endpoint and no page lets them in unless it says so, and they see an event
 * only while it is shared with their instance.
 */
export type VisitorActor = {
  readonly [made]: true
  readonly kind: 'visitor'
  readonly visitorId: number
  readonly federatedGuestId: number
  readonly displayName: string
  readonly language: Language
}
/** Somebody who takes part in one event by a link, without an account; the same holds for them, for that event. */
export type GuestActor = {
  readonly [made]: true
  readonly kind: 'guest'
  readonly guestId: number
  readonly eventId: number
  readonly displayName: string
  readonly language: Language
}

type Plain<A extends Actor> = Omit<A, typeof made>

/** For authenticators. */
export function makeActor<A extends Actor>(facts: Plain<A>): A {
  return facts as unknown as A
}

export const ANONYMOUS: AnonymousActor = makeActor<AnonymousActor>({ kind: 'anonymous' })

/** Whoever may hand out every bundle need not ask for one: the first administrator sets up everything alone. */
const STAFF: ReadonlySet<string> = new Set([...BUNDLES.management, ...BUNDLES.blocks])

/** Globally; a permission on one object is looked up with that object. */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  if (actor.kind !== 'user') return false
  return actor.isSuperuser || (actor.isStaff && STAFF.has(permission)) || actor.permissions.has(permission)
}

export const isStaff = (actor: Actor): boolean => actor.kind === 'user' && (actor.isStaff || actor.isSuperuser)

export function hasScope(actor: UserActor, scope: Scope): boolean {
  return actor.via.kind === 'session' || actor.via.scopes.has(scope)
}
