import { requireEditor } from '#features/accounts/users/access.ts'
import { mayChangeEmail, mayChangeMembership } from '#features/accounts/users/rules.ts'
import { type Actor, hasPermission, isStaff } from '#platform/auth/actor.ts'
import { Problem } from '#platform/http/problem.ts'
import type { ImportRights } from './rules/judgement.ts'

/** For the command line: the operator has full access to the database anyway. */
const OPERATOR: ImportRights = {
  mayChange: true,
  mayAssign: () => true,
  mayCreateGroups: true,
  mayCreateQualifications: true,
  mayChangeAddress: () => true,
}

/** What a list may change when this person imports it: nothing that they could not do on the pages of people. */
export function rightsOf(actor: Actor): ImportRights {
  if (actor.kind === 'anonymous') return OPERATOR
  const editor = requireEditor(actor)
  if (!hasPermission(actor, 'add_user')) throw new Problem('permission_denied')
  return {
    mayChange: hasPermission(actor, 'change_user') && hasPermission(actor, 'view_user'),
    mayAssign: (groupId) => mayChangeMembership(editor, groupId),
    mayCreateGroups: hasPermission(actor, 'add_group') && hasPermission(actor, 'change_group'),
    mayCreateQualifications: hasPermission(actor, 'add_qualification'),
    mayChangeAddress: (person) => mayChangeEmail(editor, person),
  }
}

/** Lists contain personal data: only their owner and administrators see them. */
export const maySeeImport = (actor: Actor, { createdById }: { createdById: number | null }): boolean =>
  isStaff(actor) || (actor.kind === 'user' && createdById === actor.userId)
