import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { buildSignInUrl, findIssuer } from '../provider.ts'
import { getManagedProvider, getProvider } from '../queries.ts'
import type { IdentityProvider } from '../schema.ts'
import { recordProblem, storeIssuer } from './providers.ts'
import { type Purpose, type StateCookie, sealSignIn } from './state-cookie.ts'

/** Between two look-ups of an issuer that was not found. */
const RETRY_ISSUER_MS = 10 * 60_000

type Start = { purpose: Purpose; next: string }
type StartOutcome = { ok: true; redirect: string; cookie: StateCookie } | { ok: false; label: string }

/**
 * Where to send the browser. State, nonce and PKCE verifier are in a sealed cookie: no other browser can finish the sign-in, and
 * nothing is stored for people who do not return. Undefined: no such provider, or it is disabled.
 */
export async function startProviderSignIn(
  context: CommandContext,
  outbound: Outbound,
  providerId: number,
  { purpose, next }: Start,
): Promise<StartOutcome | undefined> {
  const { site, actor } = context
  const provider = await getProvider(context.db, providerId)
  if (!provider || !(provider.enabled || purpose === 'test')) return undefined
  const complete = await completeProvider(context, outbound, provider)
  if (!complete) return { ok: false, label: provider.label }
  const secrets = { state: randomSecret(43), nonce: randomSecret(43), verifier: randomSecret(64) }
  const userId = userIdOrNull(actor)
  const redirect = await buildSignInUrl(complete, site, outbound, secrets, { asksAgain: purpose === 'confirm' })
  return { ok: true, redirect, cookie: sealSignIn(context, { ...secrets, purpose, providerId, next, userId }) }
}

/** Finds the issuer of an imported provider before its first use. Undefined: it cannot be found out. */
async function completeProvider(
  context: CommandContext,
  outbound: Outbound,
  provider: IdentityProvider,
): Promise<IdentityProvider | undefined> {
  if (provider.issuer !== null && provider.jwksUri !== null) return provider
  const { problem, problemAt } = (await getManagedProvider(context.db, provider.id)) ?? {}
  const isRecent = problemAt != null && context.now.getTime() - problemAt.getTime() < RETRY_ISSUER_MS
  // Anybody can start a sign-in, and each look-up sends several requests.
  if (problem?.code === 'incomplete' && isRecent) return undefined
  const found = await findIssuer(outbound, provider)
  if (!found) {
    await recordProblem(context, provider.id, { code: 'incomplete' })
    return undefined
  }
  await storeIssuer(context, provider.id, found)
  return { ...provider, ...found }
}
