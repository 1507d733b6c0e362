const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const SESSION_IDLE_DAYS = 14
/** Ends active sessions, too. */
const SESSION_DAYS = 60
export const SESSION_SECONDS = SESSION_DAYS * 24 * 3600
/** Writes “last seen” at most once per interval, so that most reads do not write. */
const SEEN_INTERVAL_MS = 5 * MINUTE_MS
const LINK_HOURS = 24
/** Browsers keep cookies for at most 400 days. */
const DEVICE_DAYS = 400

export const sessionEnd = (start: Date): Date => new Date(start.getTime() + SESSION_DAYS * DAY_MS)

/** Sessions last seen at or before this time are idle. */
export const idleThreshold = (now: Date): Date => new Date(now.getTime() - SESSION_IDLE_DAYS * DAY_MS)

export const shouldRecordVisit = (lastSeen: Date, now: Date): boolean => now.getTime() - lastSeen.getTime() >= SEEN_INTERVAL_MS

export const linkEnd = (start: Date): Date => new Date(start.getTime() + LINK_HOURS * 60 * MINUTE_MS)

/** Links to a new password, to the first password of a new person, and the same from an administrator, without a mail. */
export type LinkPurpose = 'reset_password' | 'welcome' | 'invitation'
const RESET_HOURS = 1
const WELCOME_DAYS = 28
const INVITATION_DAYS = 7
const MAIL_LINK_TIME: Record<LinkPurpose, number> = {
  reset_password: RESET_HOURS * 60 * MINUTE_MS,
  welcome: WELCOME_DAYS * DAY_MS,
  invitation: INVITATION_DAYS * DAY_MS,
}

export const mailLinkEnd = (purpose: LinkPurpose, start: Date): Date => new Date(start.getTime() + MAIL_LINK_TIME[purpose])

export const deviceExpiryStart = (now: Date): Date => new Date(now.getTime() - DEVICE_DAYS * DAY_MS)

/** Time to enter the second factor. */
const PENDING_MINUTES = 10
export const PENDING_SECONDS = PENDING_MINUTES * 60
export const pendingEnd = (start: Date): Date => new Date(start.getTime() + PENDING_MINUTES * MINUTE_MS)
