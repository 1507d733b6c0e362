import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { mustAskEachTime } from '../rules/addresses.ts'
import { isCovered, splitScopes } from '../rules/scopes.ts'
import { mustSignInAgain } from '../rules/sign-in-again.ts'
import { getConsent, getSignInTime } from './accounts.ts'
import { type Client, getClient } from './applications.ts'
import { getObject } from './objects.ts'

/** A pending authorization request and the person who decides about it. */
export type ConsentRequest = {
  uid: string
  client: Client
  scopes: string[]
  redirectUri: string
  prompts: string[]
  actor: UserActor
  signedInAt: Date
  mustSignIn: boolean
  /** No question is needed: the application is trusted, or the person consented before. */
  isKnown: boolean
}

/** Undefined if unknown or expired, or if its application was deleted. */
export async function getConsentRequest({ db, now, actor }: RequestContext, uid: string): Promise<ConsentRequest | undefined> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return undefined
  const stored = await getObject(db, { model: 'Interaction', idHash: hashSecret(uid), now, usedBefore: now })
  const signedInAt = await getSignInTime(db, actor.via.sessionHash)
  if (!stored || !signedInAt) return undefined
  const params = stored.payload.params as Record<string, string | undefined>
  const client = await getClient(db, params.client_id ?? '')
  if (!client || !params.redirect_uri) return undefined
  const prompts = (params.prompt ?? '').split(' ')
  const maxAge = params.max_age === undefined ? undefined : Number(params.max_age)
  const scopes = splitScopes(params.scope ?? '')
  const mustSignIn = mustSignInAgain({ prompts, maxAge, askedAt: stored.createdAt, signedInAt, now })
  const isCoveredBefore = async () => isCovered(scopes, await getConsent(db, actor.userId, client.id))
  const mustAsk = mustAskEachTime({ isPublic: client.isPublic, redirectUri: params.redirect_uri })
  const isKnown = client.trusted || (!mustAsk && (await isCoveredBefore()))
  return { uid, client, scopes, redirectUri: params.redirect_uri, prompts, actor, signedInAt, mustSignIn, isKnown }
}
