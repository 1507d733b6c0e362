const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Without a visit for this long, a session ends. */
export const SESSION_IDLE_DAYS = 14
/** Visited or not, a session ends after this long. */
export const SESSION_DAYS = 60
export const SESSION_SECONDS = SESSION_DAYS * 24 * 3600
/** To the five minutes is exact enough for an idle limit of days, and keeps reads from writing. */
const SEEN_STEP = 5 * MINUTE
export const LINK_HOURS = 24
/** As long as browsers keep the cookie that names the device. */
const DEVICE_DAYS = 400

export const sessionEnd = (start: Date): Date => new Date(start.getTime() + SESSION_DAYS * DAY)

/** A session that was last seen at or before this time has been idle for too long. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - SESSION_IDLE_DAYS * DAY)

export const shouldNoteVisit = (lastSeen: Date, now: Date): boolean => now.getTime() - lastSeen.getTime() >= SEEN_STEP

export const linkEnd = (start: Date): Date => new Date(start.getTime() + LINK_HOURS * 60 * MINUTE)

/** Links that come by mail: to a new password, and for new people to their first one. */
export type LinkPurpose = 'reset_password' | 'welcome'
export const RESET_HOURS = 1
export const WELCOME_DAYS = 28
const MAIL_LINK_TIME: Record<LinkPurpose, number> = { reset_password: RESET_HOURS * 60 * MINUTE, welcome: WELCOME_DAYS * DAY }

export const mailLinkEnd = (purpose: LinkPurpose, start: Date): Date => new Date(start.getTime() + MAIL_LINK_TIME[purpose])

export const deviceForgottenSince = (now: Date): Date => new Date(now.getTime() - DEVICE_DAYS * DAY)
