import { type Actor, hasPermission, hasScope, isStaff } from '#platform/auth/actor.ts'
import { PERMISSIONS, type Permission } from '#platform/auth/permissions.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Editor } from './rules.ts'

/** Commands check again and do not rely on the check of the page. */
export function requirePermission(actor: Actor, permission: Permission): Editor {
  if (!hasPermission(actor, permission)) throw new Problem('permission_denied')
  return requireEditor(actor)
}

export function requireEditor(actor: Actor): Editor {
  // Managing people requires a session, or a token for it.
  if (actor.kind !== 'user' || !hasScope(actor, 'CONFIDENTIAL_WRITE')) throw new Problem('permission_denied')
  return {
    userId: actor.userId,
    isStaff: isStaff(actor),
    isSuperuser: actor.isSuperuser,
    groupIds: actor.groupIds,
    mayChangeGroups: hasPermission(actor, 'change_group'),
    permissions: new Set(PERMISSIONS.filter((permission) => hasPermission(actor, permission))),
  }
}

/** Settings of the organisation require a session; tokens are not enough. */
export function requireStaff(actor: Actor): Editor {
  const editor = requireEditor(actor)
  if (!editor.isStaff || (actor.kind === 'user' && actor.via.kind !== 'session')) throw new Problem('permission_denied')
  return editor
}

/** Hidden people (service accounts) are listed for administrators only. */
export const mayManageHidden = (actor: Actor): boolean => isStaff(actor)
