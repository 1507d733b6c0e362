import { type Actor, hasPermission, isStaff } from '#platform/auth/actor.ts'
import { PERMISSIONS, type Permission } from '#platform/auth/permissions.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Editor } from './rules.ts'

/** For commands: the page has asked already, and a command is not sure of its callers. */
export function requirePermission(actor: Actor, permission: Permission): Editor {
  if (!hasPermission(actor, permission)) throw new Problem('permission_denied')
  return requireEditor(actor)
}

export function requireEditor(actor: Actor): Editor {
  // A token changes nothing about people: who manages is here themselves.
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return {
    userId: actor.userId,
    isStaff: isStaff(actor),
    isSuperuser: actor.isSuperuser,
    groupIds: actor.groupIds,
    mayChangeGroups: hasPermission(actor, 'change_group'),
    permissions: new Set(PERMISSIONS.filter((permission) => hasPermission(actor, permission))),
  }
}

export function requireStaff(actor: Actor): Editor {
  const editor = requireEditor(actor)
  if (!editor.isStaff) throw new Problem('permission_denied')
  return editor
}

/** Service accounts are hidden from every list but that of administrators, who keep them. */
export const mayManageHidden = (actor: Actor): boolean => isStaff(actor)
