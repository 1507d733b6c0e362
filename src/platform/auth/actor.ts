import type { Language } from '#platform/i18n/languages.ts'
import { BUNDLES, type Permission } from './permissions.ts'
import type { Scope } from './scopes.ts'

declare const brand: unique symbol

/** The caller of a request. Branded, so that only authenticators can create one. */
export type Actor = AnonymousActor | UserActor | PartnerActor | VisitorActor | GuestActor
type AnonymousActor = { readonly [brand]: true; readonly kind: 'anonymous' }
export type UserActor = {
  readonly [brand]: true
  readonly kind: 'user'
  readonly userId: number
  readonly displayName: string
  readonly email: string
  /** The guardian who acts for this person. Then the person has no permissions, and the journal names the guardian. */
  readonly by?: { readonly userId: number; readonly displayName: string }
  /** The administrator who looks at pages as this person, and until when. Nothing can be changed meanwhile. */
  readonly viewedBy?: { readonly userId: number; readonly displayName: string; readonly until: Date }
  /** The person has had children here; only known for sessions. Spares others the query for whom they act now. */
  readonly isGuardian?: boolean
  readonly language: Language
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly groupIds: readonly number[]
  readonly permissions: ReadonlySet<string>
  /** Label of the database state in which the events that the caller sees are as now. */
  readonly eventsState?: string
  /** Label of the database state in which the caller was read. With the same label, all that pages show is as then. */
  readonly storedState?: string
  readonly via: SessionUse | TokenUse
}
type SessionUse = {
  kind: 'session'
  sessionHash: Buffer
  /** When the person last proved who they are. Absent: unknown, which counts as long ago. */
  provedAt?: Date
  /** When the person last proved it at this instance, by password, code or passkey. Identity providers do not count. */
  ownProvedAt?: Date
  /** The person needs a second factor and has none. From this time on, setting one up is all that they can do. */
  factorDueAt?: Date
}
type TokenUse = {
  kind: 'token'
  tokenId: number
  /** Of an application: what the person authorised. Its tokens last for an hour each. */
  grantId?: number
  scopes: ReadonlySet<string>
  credential?: Credential
  /** Works at the address of the Model Context Protocol only, and the journal says that an assistant acted. */
  isForAssistant?: boolean
  limits?: TokenLimits
}
/** From where a token may be used. */
export type TokenLimits = {
  /** Undefined: from every address. */
  isAllowedAddress: ((address: string) => boolean) | undefined
  /** Origins of pages whose scripts may use it. */
  origins: ReadonlySet<string>
}
/** What a bearer token is, to tell its holder. `name`: of the token, the application or the service account. */
export type Credential = {
  kind: 'personal_token' | 'application' | 'service_account'
  name: string
  expiresAt: Date | null
}
/** A partner instance, identified by the federation token that it got from this instance. */
export type PartnerActor = {
  readonly [brand]: true
  readonly kind: 'partner'
  readonly federatedGuestId: number
  readonly tokenId: number
}

/**
 * A person of a partner instance, without an account here. Endpoints and pages deny visitors unless they declare otherwise, and
 * visitors see an event only while it is shared with their instance.
 */
export type VisitorActor = {
  readonly [brand]: true
  readonly kind: 'visitor'
  readonly visitorId: number
  readonly federatedGuestId: number
  readonly displayName: string
  readonly language: Language
}
/** A participant of one event by a link, without an account; has access to that event only. */
export type GuestActor = {
  readonly [brand]: true
  readonly kind: 'guest'
  readonly guestId: number
  readonly eventId: number
  readonly displayName: string
  readonly language: Language
}

type Plain<A extends Actor> = Omit<A, typeof brand>

/** For authenticators and tests only. */
export function makeActor<A extends Actor>(values: Plain<A>): A {
  return values as unknown as A
}

export const ANONYMOUS: AnonymousActor = makeActor<AnonymousActor>({ kind: 'anonymous' })

/** Administrators can grant these bundles, so they have them without a grant: the first one must be able to set up everything. */
const STAFF_PERMISSIONS: ReadonlySet<string> = new Set(Object.values(BUNDLES).flat())

/** Global permissions only; permissions on one object are checked with that object. */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  if (actor.kind !== 'user') return false
  return actor.isSuperuser || (actor.isStaff && STAFF_PERMISSIONS.has(permission)) || actor.permissions.has(permission)
}

/** How long a proof is enough for sensitive pages. */
const RECENT_MS = 15 * 60_000

/** Whether the person has shown a moment ago who they are. Tokens never have. */
export function hasRecentProof(actor: Actor, now: Date): boolean {
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || !actor.via.provedAt) return false
  return now.getTime() - actor.via.provedAt.getTime() < RECENT_MS
}

/** Whether the person has proved it a moment ago by password, code or passkey of the account, as changes of these require. */
export function hasRecentOwnProof(actor: Actor, now: Date): boolean {
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || !actor.via.ownProvedAt) return false
  return now.getTime() - actor.via.ownProvedAt.getTime() < RECENT_MS
}

/** The time to set up a second factor is over. Tokens that were made before go on. */
export function lacksFactor(actor: Actor, now: Date): boolean {
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || !actor.via.factorDueAt) return false
  return actor.via.factorDueAt <= now
}

/** Names the credential that a person uses. Tokens of one grant are one credential, because applications get a new one every hour. */
export function credentialKey({ via }: Pick<UserActor, 'via'>): string {
  if (via.kind === 'session') return `session ${via.sessionHash.toString('hex')}`
  return via.grantId === undefined ? `token ${via.tokenId}` : `grant ${via.grantId}`
}

/** For columns that name who did something. */
export const userIdOrNull = (actor: Actor): number | null => (actor.kind === 'user' ? actor.userId : null)

/** For conditions: callers who are not users have 0, which no row has. */
export const userIdOf = (actor: Actor): number => userIdOrNull(actor) ?? 0

export const isStaff = (actor: Actor): boolean => actor.kind === 'user' && (actor.isStaff || actor.isSuperuser)

export function hasScope(actor: UserActor, scope: Scope): boolean {
  return actor.via.kind === 'session' || actor.via.scopes.has(scope)
}
