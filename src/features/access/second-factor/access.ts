import type { CommandContext } from '#platform/auth/context.ts'
import { Problem } from '#platform/http/problem.ts'

/** The own factors are changed in a session; tokens are not enough. */
export function requireOwner({ actor }: Pick<CommandContext, 'actor'>): number {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return actor.userId
}

/** Binds challenges and set-ups to the session in which they began. */
export function requireSession({ actor }: Pick<CommandContext, 'actor'>): string {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return actor.via.sessionHash.toString('hex')
}
