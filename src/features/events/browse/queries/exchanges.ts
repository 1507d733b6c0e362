import { standInPath, swapPath } from '#features/staffing/exchanges/rules/links.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { offerPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { ExchangeShift } from './shifts.ts'

/** Where the person answers, or sees what they asked for. */
export function exchangePath(
  keyring: Keyring,
  userId: number,
  shiftId: number,
  { what, id, linkShift }: ExchangeShift['exchange'],
): string {
  if (what === 'sought') return standInPath(shiftId)
  if (what === 'out' || what === 'accepted') return swapPath(shiftId)
  const kind = what === 'asked' ? 'stand_in' : 'swap'
  return offerPath(makeOfferToken(keyring, { kind, id, userId, shiftId: linkShift }))
}
