import { makeOfferToken } from '#features/staffing/offers/queries/offered.ts'
import { offerPath, standInPath, swapPath } from '#features/staffing/offers/rules/links.ts'
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
