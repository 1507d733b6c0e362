import type { Permission } from '#platform/auth/permissions.ts'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'
import type { ApiAccess } from '#platform/http/access.ts'
import type { Person } from '#test/support/people.ts'

/** An independent model of the access rules, without the code under test. */

export type Asking =
  | { kind: 'anonymous' }
  | { kind: 'unknown token' }
  | { kind: 'partner' }
  /** `scopes` undefined: with a session. */
  | { kind: 'person'; person: Person; has: (permission: Permission) => boolean; scopes?: readonly Scope[] }

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
  const missing = [access.scope, access.also].find((each) => each && !(asking.scopes ?? SCOPES).includes(each))
  if (missing) {
    const challenge = `${REALM}, error="insufficient_scope", scope="${missing}"`
    return { status: 403, code: 'insufficient_scope', challenge }
  }
  return access.permission && !asking.has(access.permission) ? forbidden : undefined
}

/** All 64 subsets of the scopes. */
export const SUBSETS: readonly Scope[][] = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, index) => bits & (2 ** index)),
)

/** The sets that decide about an access: exactly what it needs, each set that lacks one of it, and all scopes. */
export function decidingSubsets(access: ApiAccess): readonly Scope[][] {
  const needed = access.kind === 'scope' ? [access.scope, access.also].filter((scope) => scope !== undefined) : []
  return SUBSETS.filter(
    (subset) =>
      subset.length === SCOPES.length ||
      (subset.length === needed.length && needed.every((scope) => subset.includes(scope))) ||
      (subset.length === SCOPES.length - 1 && needed.some((scope) => !subset.includes(scope))),
  )
}

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
  'GET /api/me/capabilities/': 'any-user',
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
  'GET /api/event-types/': 'PUBLIC_READ',
  'GET /api/event-types/{id}/': 'PUBLIC_READ',
  'GET /api/qualifications/': 'PUBLIC_READ',
  'GET /api/qualifications/{id}/': 'PUBLIC_READ',
  'GET /api/qualification-categories/': 'PUBLIC_READ',
  'GET /api/qualification-categories/{id}/': 'PUBLIC_READ',
  'GET /api/groups/': 'CONFIDENTIAL_READ + view_group',
  'GET /api/groups/{id}/': 'CONFIDENTIAL_READ + view_group',
  'GET /api/groups/{id}/members/': PROFILES,
  'GET /api/users/{user}/qualifications/': PROFILES,
  'GET /api/users/{user}/qualifications/{id}/': PROFILES,
  'GET /api/users/me/qualifications/': 'ME_READ',
  'GET /api/users/me/qualifications/{id}/': 'ME_READ',
  'GET /api/resources/': 'PUBLIC_READ',
  'GET /api/resources/{id}/': 'PUBLIC_READ',
  'GET /api/resource-categories/': 'PUBLIC_READ',
  'GET /api/resource-categories/{id}/': 'PUBLIC_READ',
  'GET /api/working-hours/': 'CONFIDENTIAL_READ',
  'GET /api/working-hours/{id}/': 'CONFIDENTIAL_READ',
  'GET /api/users/me/working-hours/': 'ME_READ',
  'GET /api/users/me/working-hours/{id}/': 'ME_READ',
  'GET /api/users/me/notifications/': 'ME_READ',
  'GET /api/users/me/notifications/{id}/': 'ME_READ',
  'GET /api/federation/events/': 'partner',
  'GET /api/federation/participations/': 'partner',
  'POST /api/federation/setup/': 'open',
  'DELETE /api/federation/guest/delete/': 'partner',
  'POST /api/federation/subscription/': 'partner',
  'POST /api/federation/changes/': 'partner',
  'POST /api/federation/objections/': 'partner',
  'POST /api/federation/declines/': 'partner',
  'POST /api/federation/notices/': 'open',
  'GET /api/shifts/{id}/eligibility/': 'ME_READ',
  'GET /api/shifts/{id}/candidates/': 'CONFIDENTIAL_READ',
  'POST /api/shifts/{id}/signup/': 'ME_WRITE',
  'POST /api/shifts/{id}/decline/': 'ME_WRITE',
  'PATCH /api/users/me/participations/{id}/': 'ME_WRITE',
  'POST /api/shifts/{id}/participations/': 'CONFIDENTIAL_WRITE',
  'PATCH /api/participations/{id}/': 'CONFIDENTIAL_WRITE',
  'POST /api/participations/{id}/comments/': 'CONFIDENTIAL_WRITE',
  'POST /api/participations/{id}/keep/': 'CONFIDENTIAL_WRITE',
  'GET /api/events/drafts/': 'PUBLIC_WRITE & PUBLIC_READ + add_event',
  'GET /api/events/drafts/{id}/': 'PUBLIC_WRITE & PUBLIC_READ + add_event',
  'GET /api/events/bin/': 'PUBLIC_WRITE & PUBLIC_READ + delete_event',
  'GET /api/events/cancelled/': 'PUBLIC_READ',
  'GET /api/events/cancelled/{id}/': 'PUBLIC_READ',
  'GET /api/shifts/removed/': 'PUBLIC_READ',
  'GET /api/shifts/removed/{id}/': 'PUBLIC_READ',
  'GET /api/users/me/participations/cancelled/': 'ME_READ',
  'GET /api/users/me/participations/cancelled/{id}/': 'ME_READ',
  'POST /api/shifts/{id}/cancel/': 'PUBLIC_WRITE',
  'POST /api/shifts/{id}/restore/': 'PUBLIC_WRITE',
  'GET /api/events/{id}/planning/': 'PUBLIC_WRITE & PUBLIC_READ',
  'GET /api/shifts/{id}/planning/': 'PUBLIC_WRITE & PUBLIC_READ',
  'GET /api/users/me/waiting-list/': 'ME_READ',
  'GET /api/users/me/waiting-list/{id}/': 'ME_READ',
  'GET /api/shifts/{id}/waiting-list/': 'CONFIDENTIAL_READ',
  'POST /api/shifts/{id}/waiting-list/join/': 'ME_WRITE',
  'POST /api/shifts/{id}/waiting-list/leave/': 'ME_WRITE',
  'POST /api/users/me/waiting-list/{id}/answer/': 'ME_WRITE',
  'GET /api/shortages/': 'PUBLIC_READ',
  'GET /api/reports/': 'CONFIDENTIAL_READ',
  'GET /api/events/{id}/attendance/': 'CONFIDENTIAL_READ',
  'GET /api/shifts/{id}/inquiries/': 'CONFIDENTIAL_READ',
  'GET /api/shifts/{id}/forecast/': 'CONFIDENTIAL_READ',
  'GET /api/shifts/{id}/exchanges/': 'CONFIDENTIAL_READ',
  'GET /api/users/me/exchanges/': 'ME_READ',
  'POST /api/shifts/{id}/stand-in/': 'ME_WRITE',
  'POST /api/shifts/{id}/stand-in/cancel/': 'ME_WRITE',
  'POST /api/users/me/stand-ins/{id}/answer/': 'ME_WRITE',
  'POST /api/shifts/{shift}/stand-ins/{id}/decide/': 'CONFIDENTIAL_WRITE',
  'GET /api/shifts/{id}/swap-places/': 'ME_READ & CONFIDENTIAL_READ',
  'POST /api/shifts/{id}/swap/': 'ME_WRITE',
  'POST /api/users/me/swaps/{id}/answer/': 'ME_WRITE',
  'POST /api/users/me/swaps/{id}/withdraw/': 'ME_WRITE',
  'POST /api/shifts/{shift}/swaps/{id}/decide/': 'CONFIDENTIAL_WRITE',
  'POST /api/shifts/{id}/inquiries/': 'CONFIDENTIAL_WRITE',
  'POST /api/shifts/{shift}/inquiries/{id}/stop/': 'CONFIDENTIAL_WRITE',
  'GET /api/users/me/inquiries/': 'ME_READ',
  'POST /api/users/me/inquiries/{id}/answer/': 'ME_WRITE',
  'POST /api/events/{id}/attendance/': 'CONFIDENTIAL_WRITE',
  'GET /api/users/me/participations/{id}/attendance/': 'ME_READ',
  'POST /api/users/me/participations/{id}/attendance/': 'ME_WRITE',
  'GET /api/shifts/{id}/companions/': 'ME_READ',
  'PATCH /api/shifts/{id}/companions/': 'ME_WRITE',
  'GET /api/shifts/{id}/proposal/': 'CONFIDENTIAL_READ',
  'GET /api/users/me/details/': 'ME_READ',
  'PATCH /api/users/me/details/': 'ME_WRITE',
  'GET /api/users/me/picture/': 'ME_READ',
  'PATCH /api/users/me/picture/': 'ME_WRITE',
  'GET /api/users/me/availability/': 'ME_READ',
  'PATCH /api/users/me/availability/': 'ME_WRITE',
  'POST /api/events/': 'PUBLIC_WRITE + add_event',
  'PATCH /api/events/{id}/': 'PUBLIC_WRITE',
  'DELETE /api/events/{id}/': 'PUBLIC_WRITE + delete_event',
  'POST /api/events/{id}/restore/': 'PUBLIC_WRITE + delete_event',
  'POST /api/events/{id}/publish/': 'PUBLIC_WRITE + add_event',
  'POST /api/events/{id}/cancel/': 'PUBLIC_WRITE',
  'POST /api/events/{id}/reopen/': 'PUBLIC_WRITE',
  'POST /api/events/{id}/duplicate/': 'PUBLIC_WRITE + add_event',
  'POST /api/events/{id}/shifts/': 'PUBLIC_WRITE',
  'POST /api/shifts/{id}/duplicate/': 'PUBLIC_WRITE',
  'POST /api/event-types/': 'PUBLIC_WRITE + add_event_type',
  'PATCH /api/event-types/{id}/': 'PUBLIC_WRITE + change_event_type',
  'DELETE /api/event-types/{id}/': 'PUBLIC_WRITE + delete_event_type',
  'POST /api/buildingblocks/': 'PUBLIC_WRITE + change_building_block',
  'PATCH /api/buildingblocks/{id}/': 'PUBLIC_WRITE + change_building_block',
  'DELETE /api/buildingblocks/{id}/': 'PUBLIC_WRITE + change_building_block',
  'PATCH /api/shifts/{id}/': 'PUBLIC_WRITE',
  'DELETE /api/shifts/{id}/': 'PUBLIC_WRITE',
  'POST /api/shifts/{id}/undo/': 'ME_WRITE',
  'PATCH /api/users/me/': 'ME_WRITE',
  'GET /api/users/me/notification-choices/': 'ME_READ',
  'PATCH /api/users/me/notification-choices/': 'ME_WRITE',
  'POST /api/users/me/notifications/read/': 'ME_WRITE',
  'POST /api/users/me/notifications/{id}/read/': 'ME_WRITE',
  'POST /api/users/me/working-hours/': 'ME_WRITE',
  'GET /api/users/me/working-hours-requests/': 'ME_READ',
  'GET /api/users/me/working-hours-requests/{id}/': 'ME_READ',
  'POST /api/users/me/working-hours-requests/{id}/withdraw/': 'ME_WRITE',
  'POST /api/users/': 'CONFIDENTIAL_WRITE + add_user',
  'PATCH /api/users/{id}/': 'CONFIDENTIAL_WRITE + change_user',
  'DELETE /api/users/{id}/': 'CONFIDENTIAL_WRITE + delete_user',
  'POST /api/users/{id}/activate/': 'CONFIDENTIAL_WRITE + change_user',
  'POST /api/users/{id}/deactivate/': 'CONFIDENTIAL_WRITE + change_user',
  'POST /api/groups/': 'CONFIDENTIAL_WRITE + add_group',
  'PATCH /api/groups/{id}/': 'CONFIDENTIAL_WRITE + change_group',
  'DELETE /api/groups/{id}/': 'CONFIDENTIAL_WRITE + delete_group',
  'POST /api/groups/{id}/members/add/': 'CONFIDENTIAL_WRITE + change_group',
  'POST /api/groups/{id}/members/remove/': 'CONFIDENTIAL_WRITE + change_group',
  'POST /api/users/{user}/qualifications/': 'CONFIDENTIAL_WRITE + change_user',
  'PATCH /api/users/{user}/qualifications/{id}/': 'CONFIDENTIAL_WRITE + change_user',
  'DELETE /api/users/{user}/qualifications/{id}/': 'CONFIDENTIAL_WRITE + change_user',
  'POST /api/qualifications/': 'CONFIDENTIAL_WRITE + add_qualification',
  'PATCH /api/qualifications/{id}/': 'CONFIDENTIAL_WRITE + change_qualification',
  'DELETE /api/qualifications/{id}/': 'CONFIDENTIAL_WRITE + delete_qualification',
  'POST /api/qualification-categories/': 'CONFIDENTIAL_WRITE + add_qualification',
  'PATCH /api/qualification-categories/{id}/': 'CONFIDENTIAL_WRITE + change_qualification',
  'DELETE /api/qualification-categories/{id}/': 'CONFIDENTIAL_WRITE + delete_qualification',
  'POST /api/working-hours/': 'CONFIDENTIAL_WRITE',
  'PATCH /api/working-hours/{id}/': 'CONFIDENTIAL_WRITE',
  'DELETE /api/working-hours/{id}/': 'CONFIDENTIAL_WRITE',
  'GET /api/requests/': 'CONFIDENTIAL_READ',
  'GET /api/requests/{id}/': 'CONFIDENTIAL_READ',
  'POST /api/requests/{id}/approve/': 'CONFIDENTIAL_WRITE',
  'POST /api/requests/{id}/reject/': 'CONFIDENTIAL_WRITE',
  'POST /api/batch/': 'any-user',
  'GET /api/webhooks/': 'ME_READ',
  'GET /api/webhooks/{id}/': 'ME_READ',
  'GET /api/webhooks/{id}/deliveries/': 'ME_READ',
  'POST /api/webhooks/': 'ME_WRITE',
  'PATCH /api/webhooks/{id}/': 'ME_WRITE',
  'DELETE /api/webhooks/{id}/': 'ME_WRITE',
  'POST /api/webhooks/{id}/rotate-secret/': 'ME_WRITE',
  'POST /api/webhooks/{id}/test/': 'ME_WRITE',
  'POST /api/webhooks/{id}/deliveries/{delivery}/resend/': 'ME_WRITE',
  'GET /api/changes/': 'any-user',
  'GET /api/changes/stream/': 'any-user',
  'GET /api/schema/': 'open',
  'GET /api/schema/swagger-ui/': 'open',
}

export function spell(access: ApiAccess): string {
  if (access.kind !== 'scope') return access.kind
  const scopes = access.also ? `${access.scope} & ${access.also}` : access.scope
  return access.permission ? `${scopes} + ${access.permission}` : scopes
}
