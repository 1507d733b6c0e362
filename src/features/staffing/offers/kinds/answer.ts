import type { Link } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { makeOfferToken } from '../queries/offered.ts'
import { type OfferLink, offerPath } from '../rules/links.ts'

/** The page on which a person answers an offer without signing in. */
export const offerAnswer = (keyring: Keyring, link: OfferLink): { accept: Link } => ({
  accept: { path: offerPath(makeOfferToken(keyring, link)), label: (words) => words.t('notification.place_offered.answer') },
})
