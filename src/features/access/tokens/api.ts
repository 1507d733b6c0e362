import { type Credential, hasPermission, hasScope, type UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { anyUser, checkApiAccess } from '#platform/http/access.ts'
import { type Endpoint, methodOf, recordEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findOwnGroups } from './queries/groups.ts'
import { capabilitiesRecord } from './schema.ts'

/** What the credential of the caller may do. `endpoints` is a function, because this endpoint is part of the list. */
export function capabilitiesEndpoint({ endpoints }: { endpoints: () => readonly Endpoint[] }): Endpoint {
  return recordEndpoint({
    path: '/api/me/capabilities/',
    access: anyUser,
    name: 'Capabilities',
    operationId: 'me_capabilities_retrieve',
    tag: 'users',
    summary: 'What the credential of this request may do',
    description:
      'Scopes, permissions and groups of the caller, and which operations they open. Some operations also depend on the record, for example on whether the caller is responsible for the event.',
    suffix: false,
    parameters: {},
    record: capabilitiesRecord,
    get: findOwnGroups,
    present: (groups, context) => {
      const actor = requireUser(context)
      return {
        credential: presentCredential(actor, context),
        scopes: SCOPES.filter((scope) => hasScope(actor, scope)),
        permissions: PERMISSIONS.filter((permission) => hasPermission(actor, permission)),
        groups,
        operations: endpoints().map((endpoint) => operationFor(actor, endpoint)),
      }
    },
  })
}

function requireUser({ actor }: RequestContext): UserActor {
  if (actor.kind !== 'user') throw new Problem('not_authenticated')
  return actor
}

function presentCredential({ via }: UserActor, { site }: RequestContext) {
  if (via.kind === 'session') return { kind: 'session', name: null, expires_at: null }
  const { kind, name, expiresAt }: Partial<Credential> = via.credential ?? {}
  return { kind, name, expires_at: expiresAt ? wireDate(expiresAt, site.timeZone) : null }
}

/** Asks the check that requests pass, so that both always agree. */
function operationFor(actor: UserActor, endpoint: Endpoint) {
  const operation = { operation_id: endpoint.operationId, method: methodOf(endpoint), path: endpoint.path as string }
  try {
    checkApiAccess(endpoint.access, actor, 'valid')
    return { ...operation, allowed: true, reason: null, required_scope: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...operation, allowed: false, reason: error.code, required_scope: error.requiredScope ?? null }
  }
}
