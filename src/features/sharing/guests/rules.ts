import type { Links } from '#features/staffing/participations/rules/links.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { Keyring } from '#platform/auth/secrets.ts'

const at = (token: string): string => `/guests/${encodeURIComponent(token)}/`

/** Where people register. The paths of guests are those of ephios, so links from there keep working. */
export const registrationPath = (eventId: number, token: string): string =>
  `/guests/register/${eventId}/${encodeURIComponent(token)}/`

/** The personal link. */
export const guestPath = at
export const ownDetailsPath = (token: string): string => `${at(token)}details/`
export const ownDeletionPath = (token: string): string => `${at(token)}delete/`
export const mailAgainPath = (token: string): string => `${at(token)}send-link/`

/** The link in mails: a button behind it proves the address. */
export const mailedPath = (mailToken: string): string => `/guests/mail/${encodeURIComponent(mailToken)}/`
/** The link in mails of earlier versions. */
export const formerMailedPath = (token: string, code: string): string => `${at(token)}mail/${code}/`

/** The sign-up pages as a guest reaches them. */
export const guestLinks = (token: string): Links => ({
  event: () => at(token),
  signup: (shiftId) => `${at(token)}shifts/${shiftId}/signup/`,
  decline: (shiftId) => `${at(token)}shifts/${shiftId}/decline/`,
  undo: (shiftId) => `${at(token)}shifts/${shiftId}/undo/`,
})

export const guestsPath = (eventId: number): string => `/events/${eventId}/guests/`

const CODE_LENGTH = 22

type Addressed = { id: number; email: string }

/**
 * In mails only, so whoever knows it can read mails to this address. Another address has another one. With the proof of the address it
 * becomes the token of the personal link, and the one that the screen showed to whoever registered ends.
 */
export const makeMailToken = (keyring: Pick<Keyring, 'fingerprint'>, { id, email }: Addressed): string =>
  `${id}-${keyring.fingerprint(`guest link\n${id}\n${email.toLowerCase()}`).toString('base64url')}`

/** The guest that a token of a mail names. Undefined if the token is malformed. The signature is not checked here. */
export function guestIdIn(mailToken: string): number | undefined {
  const [, id] = /^([1-9]\d{0,14})-[\w-]{43}$/.exec(mailToken) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The code in links of earlier versions, behind the token that the screen showed. */
export const mailCode = (keyring: Pick<Keyring, 'fingerprint'>, { id, email }: Addressed): string =>
  keyring.fingerprint(`guest mail\n${id}\n${email.toLowerCase()}`).toString('base64url').slice(0, CODE_LENGTH)

/** Why a registration link does not work. */
export type Closed = 'unknown' | 'off' | 'draft' | 'cancelled' | 'over'

type SharedEvent = { isLinkActive: boolean; isPublished: boolean; isDeleted: boolean; isCancelled: boolean; end: Date | null }

/** Undefined: people can register. `share` undefined: there is no such link. */
export function whyClosed(share: SharedEvent | undefined, now: Date): Closed | undefined {
  if (!share || share.isDeleted) return 'unknown'
  if (!share.isLinkActive) return 'off'
  if (!share.isPublished) return 'draft'
  if (share.isCancelled) return 'cancelled'
  return share.end && share.end < now ? 'over' : undefined
}

/** Nobody has proved these addresses; more of them are probably not people. */
export const MAX_UNPROVED_GUESTS = 300

export type DeclaredState = 'waiting' | 'verified' | 'rejected'
export type Declared = { id: number; title: string; state: DeclaredState }

export type PublicEvent = {
  id: number
  title: string
  description: string | null
  location: string
  typeTitle: string
  typeColor: string
  start: Date | null
  end: Date | null
  isLinkActive: boolean
  isPublished: boolean
  isDeleted: boolean
  isCancelled: boolean
  /** Signed-in readers use the normal page. */
  isOpenToReader: boolean
}

export type OwnGuest = {
  id: number
  eventId: number
  eventTitle: string
  start: Date | null
  end: Date | null
  isDeleted: boolean
  /** The event is published and its link is active. */
  isReachable: boolean
  name: string
  email: string
  birthDate: string
  phone: string | null
  isProved: boolean
}

export type OwnPlace = { label: string; start: Date; end: Date; state: State }

export type ManagedEvent = {
  id: number
  title: string
  location: string
  start: Date | null
  end: Date | null
  isPublished: boolean
  isCancelled: boolean
  /** Undefined: the event never had a link. */
  share: { tokenSealed: string; isActive: boolean } | undefined
}

export type ManagedGuest = {
  id: number
  name: string
  email: string
  phone: string | null
  birthDate: string
  registeredAt: Date
  isProved: boolean
  tokenSealed: string | null
  /** Why the last mail did not arrive. */
  mailFailure: string | null
  requested: number
  confirmed: number
  declared: Declared[]
}
