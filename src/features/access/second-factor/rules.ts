import { type Editor, mayChangeEmail, type Target } from '#features/accounts/users/rules.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** RFC 6238, with the values that every app supports. */
const TOTP_STEP_SECONDS = 30
/** Clocks of phones may differ by so many steps in both directions. */
const TOTP_WINDOW = 1
export const TOTP_DIGITS = 6

const stepAt = (now: Date): number => Math.floor(now.getTime() / SECOND_MS / TOTP_STEP_SECONDS)

/** Steps whose codes are accepted now. A code works once, so steps up to the last used one are left out. */
export function acceptedSteps(now: Date, lastStep: number | undefined): number[] {
  const current = stepAt(now)
  return Array.from({ length: 2 * TOTP_WINDOW + 1 }, (_, at) => current - TOTP_WINDOW + at).filter(
    (step) => lastStep === undefined || step > lastStep,
  )
}

/** Apps show codes in groups. Undefined: no code. */
export function readTotpCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** Time to scan the code and to enter the first one. */
const SETUP_MS = 30 * MINUTE_MS
export const setupEnd = (now: Date): Date => new Date(now.getTime() + SETUP_MS)

export const RECOVERY_CODES = 10
/** Without characters that look alike. 16 of 31 are 79 bits, too many to try out even if the hashes are known. */
export const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
export const RECOVERY_LENGTH = 16

/** In groups of four, to be read and typed. */
export const formatRecoveryCode = (code: string): string => code.match(/.{1,4}/g)!.join('-')

/** Undefined: no recovery code. */
export function readRecoveryCode(text: string): string | undefined {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '')
  const isCode = code.length === RECOVERY_LENGTH && [...code].every((letter) => RECOVERY_ALPHABET.includes(letter))
  return isCode ? code : undefined
}

const TRUST_DAYS = 30
export const trustEnd = (now: Date): Date => new Date(now.getTime() + TRUST_DAYS * DAY_MS)

const CHALLENGE_MS = 5 * MINUTE_MS
export const challengeEnd = (now: Date): Date => new Date(now.getTime() + CHALLENGE_MS)

export type RelyingParty = { id: string; origin: string }

/** Undefined: browsers have no passkeys for the address of the instance, because it is an IP address or not protected by TLS. */
export function relyingPartyOf(siteUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(siteUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (!isLocal && (protocol !== 'https:' || /^\[|^[\d.]+$/.test(hostname))) return undefined
  return { id: hostname, origin }
}

const dueAt = (since: Date, graceDays: number): Date => new Date(since.getTime() + graceDays * DAY_MS)

export const DEFAULT_GRACE_DAYS = 14
export const MAX_GRACE_DAYS = 365

/** `graceDays` null: none is required, or the person has one. `since` null: required from now on. */
export function factorDueAt({ graceDays, since }: { graceDays: number | null; since: Date | null }, now: Date): Date | undefined {
  return graceDays === null ? undefined : dueAt(since ?? now, graceDays)
}

/** Who may change the address of an account can take it over anyway; nobody resets the own factors here. */
export const mayResetFactors = (editor: Editor, person: Target): boolean =>
  editor.userId !== person.userId && mayChangeEmail(editor, person)
