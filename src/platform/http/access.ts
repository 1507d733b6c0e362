import { type Actor, hasPermission, hasRecentProof, hasScope, isStaff, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Scope } from '#platform/auth/scopes.ts'
import { Problem } from './problem.ts'

/** Who may call an endpoint. Every endpoint declares it; there is no default. */
export type ApiAccess =
  | { kind: 'scope'; scope: Scope; permission?: Permission; also?: Scope }
  | { kind: 'any-user' }
  | { kind: 'partner' }
  | { kind: 'open'; why: string }

/** Pages for people with an account here. */
type UserAccess = { kind: 'signed-in' } | { kind: 'staff' } | { kind: 'permission'; permission: Permission }

/** Whoever gets past the access check of a page. */
export type CallerOf<Access extends PageAccess> = Access extends UserAccess ? UserActor : Actor

/** Who may open a page. */
export type PageAccess = UserAccess | { kind: 'open'; why: string } | { kind: 'visitor' } | { kind: 'guest' }

export const scope = (name: Scope, permission?: Permission): ApiAccess => ({
  kind: 'scope',
  scope: name,
  ...(permission ? { permission } : {}),
})
/** Reading what only those who write may see: needs the scope to read, too, because a WRITE scope alone reads nothing. */
export const readingToWrite = (read: Scope, write: Scope, name: Permission): ApiAccess => ({
  kind: 'scope',
  scope: write,
  permission: name,
  also: read,
})
export const anyUser: ApiAccess = { kind: 'any-user' }
/** Partner instances with the token we gave them. */
export const partner: ApiAccess = { kind: 'partner' }
export const open = (why: string): { kind: 'open'; why: string } => ({ kind: 'open', why })
export const signedIn: UserAccess = { kind: 'signed-in' }
export const staff: UserAccess = { kind: 'staff' }
/** People of partner instances only; the page itself redirects others to their own instance. */
export const visitor: PageAccess = { kind: 'visitor' }
/** Guests only, by the parameter `token` of the path; the page itself explains a link that does not work. */
export const guest: PageAccess = { kind: 'guest' }
export const permission = (name: Permission): UserAccess => ({ kind: 'permission', permission: name })

const KINDS = new Set(['scope', 'any-user', 'partner', 'open', 'signed-in', 'staff', 'permission', 'visitor', 'guest'])

/** Runtime check for values that were built around the types. */
export function assertAccess(value: { path: string; access?: { kind?: unknown } }): void {
  if (!value.access || !KINDS.has(String(value.access.kind))) {
    throw new Error(`${value.path} declares no access; every endpoint and page needs one`)
  }
}

const BEARER = 'Bearer realm="turnout"'
/** `network_not_allowed`, `origin_not_allowed`: a valid token that may not be used from there. */
export type Credentials = 'none' | 'valid' | 'invalid' | 'network_not_allowed' | 'origin_not_allowed'

export function checkApiAccess(access: ApiAccess, actor: Actor, credentials: Credentials): void {
  if (access.kind === 'open') return
  if (access.kind === 'partner') {
    // Partner instances end the link on 403 and ignore 401, so a dead token must be answered with 403.
    if (actor.kind !== 'partner') throw new Problem('permission_denied')
    return
  }
  if (credentials === 'invalid') {
    throw new Problem('invalid_token', { headers: { 'www-authenticate': `${BEARER}, error="invalid_token"` } })
  }
  if (credentials === 'network_not_allowed' || credentials === 'origin_not_allowed') throw new Problem(credentials)
  if (actor.kind === 'partner') throw new Problem('permission_denied')
  // Visitors and guests have no access to the API.
  if (actor.kind !== 'user') throw new Problem('not_authenticated', { headers: { 'www-authenticate': BEARER } })
  if (access.kind === 'any-user') return
  const missing = scopesOf(access).find((each) => !hasScope(actor, each))
  if (missing) {
    const challenge = `${BEARER}, error="insufficient_scope", scope="${missing}"`
    throw new Problem('insufficient_scope', { requiredScope: missing, headers: { 'www-authenticate': challenge } })
  }
  if (access.permission && !hasPermission(actor, access.permission)) throw new Problem('permission_denied')
}

/** The scopes that an endpoint needs, all of them. */
export const scopesOf = (access: ApiAccess): Scope[] =>
  access.kind === 'scope' ? [access.scope, ...(access.also ? [access.also] : [])] : []

/** Whether a caller of the API may read what the access protects. */
export function mayRead(access: ApiAccess, actor: Actor): boolean {
  if (actor.kind !== 'user') return false
  if (access.kind !== 'scope') return access.kind === 'any-user'
  const hasScopes = scopesOf(access).every((each) => hasScope(actor, each))
  return hasScopes && (!access.permission || hasPermission(actor, access.permission))
}

/**
 * For commands that sensitive pages run: whoever calls them with a session, a page or a script by the API, needs a recent proof. Tokens
 * have their scopes instead.
 */
export function checkRecentSignIn({ actor, now }: Pick<CommandContext, 'actor' | 'now'>): void {
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || hasRecentProof(actor, now)) return
  throw new Problem('recent_sign_in_required')
}

/** For endpoints that need a second permission. */
export function checkPermission(actor: Actor, permission: Permission): void {
  if (!hasPermission(actor, permission)) throw new Problem('permission_denied')
}

const WRITES: Record<string, 'add' | 'change' | 'delete'> = { POST: 'add', PUT: 'change', PATCH: 'change', DELETE: 'delete' }

/** Records that people with a permission write are refused to others with 403, before the method is (405). */
export function checkWritePermission(endpoint: { writePermissions?: 'event' | 'user' }, actor: Actor, method: string): void {
  const write = WRITES[method]
  if (!endpoint.writePermissions || !write) return
  if (!hasPermission(actor, `${write}_${endpoint.writePermissions}`)) throw new Problem('permission_denied')
}

/** `sign-in-first` if signing in would help; throws if it would not. */
export function checkPageAccess(access: PageAccess, actor: Actor): 'allowed' | 'sign-in-first' {
  if (access.kind === 'open' || access.kind === 'visitor' || access.kind === 'guest') return 'allowed'
  if (actor.kind !== 'user') return 'sign-in-first'
  if (access.kind === 'staff' && !isStaff(actor)) throw new Problem('permission_denied')
  if (access.kind === 'permission' && !hasPermission(actor, access.permission)) throw new Problem('permission_denied')
  return 'allowed'
}
