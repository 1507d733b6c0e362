import type { Actor, UserActor } from './actor.ts'

/** Tells who shows a bearer token; undefined: unknown, expired, revoked, or its owner is inactive. */
export type BearerAuthenticator = (token: string, now: Date) => Promise<Actor | undefined>

/** Tells who a browser's session id belongs to. */
export type SessionAuthenticator = (sessionId: string, now: Date) => Promise<UserActor | undefined>

export type Authenticators = { bearer: BearerAuthenticator; session: SessionAuthenticator }
