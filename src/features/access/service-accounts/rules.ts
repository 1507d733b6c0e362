import { type AddressRefusal, checkOrigin } from '#features/access/oauth/rules/addresses.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { readNetwork } from '#platform/auth/networks.ts'
import { isScope } from '#platform/auth/scopes.ts'
import { addDays, readDay, startOfDay } from '#platform/i18n/days.ts'

const MAX_NAME_LENGTH = 100
const MAX_PLACES = 50
/** How long before the expiry administrators get a mail. */
export const WARNING_DAYS = 14
/** How long the former key stays valid, in hours. */
export const DEFAULT_OVERLAP_HOURS = 7 * 24
export const OVERLAP_HOURS = [0, 1, 24, DEFAULT_OVERLAP_HOURS, 30 * 24]
const MAX_OVERLAP_HOURS = 90 * 24
const HOUR_MS = 3600 * 1000

export type ServiceAccountInput = {
  name: string
  scopes: readonly string[]
  groupIds: readonly number[]
  /** `YYYY-MM-DD`, the last day in the time zone of the instance; empty: without an expiry. */
  lastDay: string
  networks: readonly string[]
  origins: readonly string[]
}

export type Refusal =
  | { field: 'name'; reason: 'name_missing' | 'name_long' | 'name_taken' }
  | { field: 'scopes'; reason: 'scopes_missing' | 'scopes_unknown' }
  | { field: 'groups'; reason: 'groups_unknown' | 'groups_locked' }
  | { field: 'expires'; reason: 'expires_invalid' | 'expires_past' }
  | { field: 'networks'; reason: 'network_invalid'; value: string }
  | { field: 'networks' | 'origins'; reason: 'too_many' }
  | { field: 'origins'; reason: AddressRefusal; value: string }

type Bounds = { now: Date; timeZone: string }

/** All mistakes; of networks and origins the first. `formerExpiry`: an expiry in the past may stay as it is. */
export function checkServiceAccount(input: ServiceAccountInput, bounds: Bounds, formerExpiry: Date | null = null): Refusal[] {
  const refusals: Refusal[] = []
  if (!input.name) refusals.push({ field: 'name', reason: 'name_missing' })
  if (input.name.length > MAX_NAME_LENGTH) refusals.push({ field: 'name', reason: 'name_long' })
  if (!input.scopes.length) refusals.push({ field: 'scopes', reason: 'scopes_missing' })
  if (!input.scopes.every(isScope)) refusals.push({ field: 'scopes', reason: 'scopes_unknown' })
  if (input.lastDay && !readDay(input.lastDay)) refusals.push({ field: 'expires', reason: 'expires_invalid' })
  else if (input.lastDay) {
    const expiresAt = getExpiry(input.lastDay, bounds.timeZone)!
    if (expiresAt <= bounds.now && expiresAt.getTime() !== formerExpiry?.getTime())
      refusals.push({ field: 'expires', reason: 'expires_past' })
  }
  const network = input.networks.find((each) => readNetwork(each) === undefined)
  if (network !== undefined) refusals.push({ field: 'networks', reason: 'network_invalid', value: network })
  for (const field of ['networks', 'origins'] as const)
    if (input[field].length > MAX_PLACES) refusals.push({ field, reason: 'too_many' })
  for (const value of input.origins) {
    const reason = checkOrigin(value)
    if (!reason) continue
    refusals.push({ field: 'origins', reason, value })
    break
  }
  return refusals
}

/** The end of the last day. Null: never. */
export function getExpiry(lastDay: string, timeZone: string): Date | null {
  return lastDay ? startOfDay(addDays(lastDay, 1), timeZone) : null
}

/** The last day of an expiry, for the form. */
export const getLastDay = (expiresAt: Date | null, timeZone: string): string =>
  expiresAt ? dayOf(new Date(expiresAt.getTime() - 1), timeZone) : ''

export const normalNetworks = (networks: readonly string[]): string[] => [
  ...new Set(networks.flatMap((network) => readNetwork(network) ?? [])),
]

/** When the former keys end; undefined: the time is not allowed. */
export function getOverlapEnd(hours: number, now: Date): Date | undefined {
  const isAllowed = Number.isInteger(hours) && hours >= 0 && hours <= MAX_OVERLAP_HOURS
  return isAllowed ? new Date(now.getTime() + hours * HOUR_MS) : undefined
}

export const warningThreshold = (now: Date): Date => new Date(now.getTime() + WARNING_DAYS * 24 * HOUR_MS)

export type AccountState = 'active' | 'soon' | 'expired' | 'disabled' | 'without_key'
type Judged = { isActive: boolean; expiresAt: Date | null; validKeys: number }

export function getAccountState({ isActive, expiresAt, validKeys }: Judged, now: Date): AccountState {
  if (!isActive) return 'disabled'
  if (expiresAt && expiresAt <= now) return 'expired'
  if (!validKeys) return 'without_key'
  return expiresAt && expiresAt <= warningThreshold(now) ? 'soon' : 'active'
}

export type KeyState = 'active' | 'retiring' | 'expired' | 'revoked'

export function getKeyState({ expiresAt, revokedAt }: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return 'active'
  return expiresAt <= now ? 'expired' : 'retiring'
}
