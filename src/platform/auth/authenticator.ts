import type { Language } from '#platform/i18n/catalogue.ts'
import type { Actor, UserActor, VisitorActor } from './actor.ts'

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

export type Authenticators = { bearer: BearerAuthenticator; session: SessionAuthenticator; visitor: VisitorAuthenticator }
