import type { Language } from '#platform/i18n/languages.ts'
import type { Actor, GuestActor, UserActor, VisitorActor } from './actor.ts'

/** Identifies a bearer token; undefined if it is unknown, expired or revoked, or if its owner is inactive. */
export type BearerAuthenticator = (token: string, now: Date) => Promise<Actor | undefined>

/** Identifies a session. Requests of polling scripts must not extend it. */
export type SessionAuthenticator = (
  sessionId: string,
  now: Date,
  options?: { extendsSession: boolean },
) => Promise<UserActor | undefined>

/** Identifies a person of a partner instance. `language`: of the browser, if the home instance has not told the language of the profile. */
export type VisitorAuthenticator = (sessionId: string, now: Date, language: Language) => Promise<VisitorActor | undefined>

/** Identifies a guest by the token in their personal link. `language`: of the browser, if none is stored. */
export type GuestAuthenticator = (token: string, language: Language) => Promise<GuestActor | undefined>

export type Authenticators = {
  bearer: BearerAuthenticator
  session: SessionAuthenticator
  visitor: VisitorAuthenticator
  guest: GuestAuthenticator
}
