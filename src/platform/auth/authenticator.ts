import type { Language } from '#platform/i18n/catalogue.ts'
import type { Actor, UserActor, VisitorActor } from './actor.ts'

/** Tells who shows a bearer token; undefined: unknown, expired, revoked, or its owner is inactive. */
export type BearerAuthenticator = (token: string, now: Date) => Promise<Actor | undefined>

/** Tells who a browser's session id belongs to. A page that looks by itself whether anything is new is no visit. */
export type SessionAuthenticator = (
  sessionId: string,
  now: Date,
  options?: { extendsSession: boolean },
) => Promise<UserActor | undefined>

/** Tells which person of a partner instance a browser belongs to. The language is the browser's: theirs is not known here. */
export type VisitorAuthenticator = (sessionId: string, now: Date, language: Language) => Promise<VisitorActor | undefined>

export type Authenticators = { bearer: BearerAuthenticator; session: SessionAuthenticator; visitor: VisitorAuthenticator }
