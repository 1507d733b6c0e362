import { type Actor, hasScope, isStaff, type UserActor } from '#platform/auth/actor.ts'
import type { Scope } from '#platform/auth/scopes.ts'

type Owned = { ownerId: number }

export const isOwner = (actor: Actor, { ownerId }: Owned): actor is UserActor => actor.kind === 'user' && actor.userId === ownerId

/** Administrators see, pause and delete all webhooks. */
export const mayManage = (actor: Actor, webhook: Owned): boolean => isOwner(actor, webhook) || isStaff(actor)

/**
 * What is sent where is the business of the owner alone: with another address, an administrator would receive what only the owner may
 * see. A token with fewer scopes than the webhook has must not learn more by it either.
 */
export function lacksScope(actor: UserActor, scopes: readonly string[]): Scope | undefined {
  return (scopes as Scope[]).find((scope) => !hasScope(actor, scope))
}

/** A webhook would outlive the consent that the person gave to the application. */
export const isApplication = ({ via }: UserActor): boolean => via.kind === 'token' && via.credential?.kind === 'application'
