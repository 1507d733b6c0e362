import { type GroupRights, hasRights } from '#features/accounts/users/rules.ts'

const DAY_MS = 24 * 3_600_000

export const MAX_LINK_DAYS = 365
export const MAX_LINK_USES = 1000
export const DEFAULT_LINK = { days: 14, max_uses: 30, approval: 'yes' } as const

export const joinLinkEnd = (start: Date, days: number): Date => new Date(start.getTime() + days * DAY_MS)

/** How long an address can be confirmed. */
export const registrationEnd = (start: Date): Date => new Date(start.getTime() + 2 * DAY_MS)

/** Addresses that nobody has confirmed. More of them are an attack. */
export const MAX_UNCONFIRMED = 500

/** People whose request was refused can still be accepted for this long, then their data are deleted. */
export const refusedUntil = (now: Date): Date => new Date(now.getTime() - 30 * DAY_MS)

export type LinkState = { expiresAt: Date; revokedAt: Date | null; uses: number; maxUses: number }
export type LinkEnd = 'revoked' | 'expired' | 'used_up'

/** Undefined: people can join by the link. */
export function whyClosed({ expiresAt, revokedAt, uses, maxUses }: LinkState, now: Date): LinkEnd | undefined {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt <= now) return 'expired'
  return uses >= maxUses ? 'used_up' : undefined
}

/**
 * A link that anybody can pass on must not hand out rights: groups with permissions take requests only, and only people who have these
 * permissions themselves offer the group.
 */
export function refuseLink(
  group: GroupRights,
  editor: { isStaff: boolean; permissions: ReadonlySet<string> },
  needsApproval: boolean,
): 'rights' | 'needs_approval' | undefined {
  if (!editor.isStaff && group.permissions.some((permission) => !editor.permissions.has(permission))) return 'rights'
  return hasRights(group) && !needsApproval ? 'needs_approval' : undefined
}
