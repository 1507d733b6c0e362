import { SCOPES } from '#platform/auth/scopes.ts'

/** Scopes that applications can request: those of the API and of OpenID Connect. */
const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'groups'] as const
export const OFFERED_SCOPES = [...IDENTITY_SCOPES, ...SCOPES] as const
export type OfferedScope = (typeof OFFERED_SCOPES)[number]

export const isOffered = (scope: string): scope is OfferedScope => (OFFERED_SCOPES as readonly string[]).includes(scope)
export const isWriting = (scope: string): boolean => scope.endsWith('_WRITE')

/** Repeated blanks produce an empty, unknown scope. */
export const splitScopes = (text: string): string[] => [...new Set(text.split(' '))]

export const isCovered = (asked: readonly string[], granted: readonly string[]): boolean =>
  asked.every((scope) => granted.includes(scope))

/** Without duplicates, in display order. */
export const mergeScopes = (...lists: readonly (readonly string[])[]): string[] =>
  OFFERED_SCOPES.filter((scope) => lists.some((list) => list.includes(scope)))
