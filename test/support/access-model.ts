import { SCOPES, type Scope } from '#platform/auth/scopes.ts'
import type { ApiAccess } from '#platform/http/access.ts'
import type { Person } from '#test/support/people.ts'

/** An independent model of the access rules, without the code under test. */

export type Asking =
  | { kind: 'anonymous' }
  | { kind: 'unknown token' }
  | { kind: 'partner' }
  /** `scopes` undefined: with a session. */
  | { kind: 'person'; person: Person; viewsProfiles: boolean; scopes?: readonly Scope[] }

export type Refusal = { status: number; code: string; challenge: string | undefined }
const REALM = 'Bearer realm="turnout"'

export function refusalOf(access: ApiAccess, asking: Asking): Refusal | undefined {
  const forbidden: Refusal = { status: 403, code: 'permission_denied', challenge: undefined }
  switch (access.kind) {
    case 'open':
      return undefined
    case 'partner':
      return asking.kind === 'partner' ? undefined : forbidden
    case 'any-user':
    case 'scope':
      break
  }
  if (asking.kind === 'anonymous') return { status: 401, code: 'not_authenticated', challenge: REALM }
  if (asking.kind === 'unknown token') return { status: 401, code: 'invalid_token', challenge: `${REALM}, error="invalid_token"` }
  if (asking.kind === 'partner') return forbidden
  if (access.kind === 'any-user') return undefined
  if (asking.scopes && !asking.scopes.includes(access.scope)) {
    const challenge = `${REALM}, error="insufficient_scope", scope="${access.scope}"`
    return { status: 403, code: 'insufficient_scope', challenge }
  }
  return access.permission === 'view_user' && !asking.viewsProfiles ? forbidden : undefined
}

/** All 64 subsets of the scopes. */
export const SUBSETS: Scope[][] = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, index) => bits & (2 ** index)),
)

/** The access that the contract requires for each endpoint. */
const PROFILES = 'CONFIDENTIAL_READ + view_user'
export const DECLARED: Record<string, string> = {
  'GET /api/': 'any-user',
  'GET /api/events/': 'PUBLIC_READ',
  'GET /api/events/{id}/': 'PUBLIC_READ',
  'GET /api/shifts/': 'PUBLIC_READ',
  'GET /api/shifts/{id}/': 'PUBLIC_READ',
  'GET /api/users/': PROFILES,
  'GET /api/users/{id}/': PROFILES,
  'GET /api/users/by_email/{email}/': PROFILES,
  'GET /api/users/me/': 'ME_READ',
  'GET /api/participations/': 'CONFIDENTIAL_READ',
  'GET /api/participations/{id}/': 'CONFIDENTIAL_READ',
  'GET /api/participations-userinfo/': PROFILES,
  'GET /api/participations-userinfo/{id}/': PROFILES,
  'GET /api/users/{user}/participations/': PROFILES,
  'GET /api/users/{user}/participations/{id}/': PROFILES,
  'GET /api/users/me/participations/': 'ME_READ',
  'GET /api/users/me/participations/{id}/': 'ME_READ',
  'GET /api/buildingblocks/': 'PUBLIC_READ',
  'GET /api/buildingblocks/{id}/': 'PUBLIC_READ',
  'GET /api/federation/events/': 'partner',
  'GET /api/federation/participations/': 'partner',
  'POST /api/federation/setup/': 'open',
  'DELETE /api/federation/guest/delete/': 'partner',
  'GET /api/schema/': 'open',
  'GET /api/schema/swagger-ui/': 'open',
}

export function spell(access: ApiAccess): string {
  if (access.kind !== 'scope') return access.kind
  return access.permission ? `${access.scope} + ${access.permission}` : access.scope
}
