import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { Site } from '#platform/auth/context.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { type Claims, issuerCandidates } from './rules/claims.ts'
import { CALLBACK_PATH, type IdentityProvider } from './schema.ts'

/** Asymmetric algorithms only: with the others, a client secret or nobody at all would sign. */
const SIGNING_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** `why` is for administrators; it contains no values of the response. */
export class ProviderError extends Error {
  readonly code: 'unreachable' | 'refused' | 'denied' | 'invalid' | 'incomplete'
  readonly why: string
  constructor(code: ProviderError['code'], why: string, options?: ErrorOptions) {
    super(`${code}: ${why}`, options)
    this.code = code
    this.why = why
  }
}

/** The library's requests, sent by the project's own client, which checks addresses and limits time and size. */
function outboundFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound.send(url, {
      method: method as 'GET' | 'POST',
      headers,
      ...(body == null ? {} : { body: String(body) }),
    })
    const sent = Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    // A response with one of these states must have no body.
    const isEmpty = [204, 205, 304].includes(answer.status)
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: Object.fromEntries(sent) })
  }
}

function configure(provider: IdentityProvider, { keyring }: Site, outbound: Outbound): Configuration {
  const { issuer, jwksUri } = provider
  if (issuer === null || jwksUri === null) throw new ProviderError('incomplete', 'issuer or keys are not known')
  const server: ServerMetadata = {
    issuer,
    authorization_endpoint: provider.authorizationEndpoint,
    token_endpoint: provider.tokenEndpoint,
    jwks_uri: jwksUri,
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    userinfo_signing_alg_values_supported: SIGNING_ALGORITHMS,
    ...(provider.userinfoEndpoint === null ? {} : { userinfo_endpoint: provider.userinfoEndpoint }),
    ...(provider.endSessionEndpoint === null ? {} : { end_session_endpoint: provider.endSessionEndpoint }),
  }
  const secret = provider.clientSecretSealed === null ? undefined : keyring.unseal(provider.clientSecretSealed)
  const authenticate = provider.tokenAuthMethod === 'post' ? ClientSecretPost : ClientSecretBasic
  const config = new Configuration(server, provider.clientId, undefined, secret ? authenticate(secret) : None())
  config[customFetch] = outboundFetch(outbound)
  // The outbound client decides where plain http is permitted.
  allowInsecureRequests(config)
  return config
}

/** Providers ask people who have last shown it longer ago. */
const MAX_SIGN_IN_AGE_SECONDS = 30 * 24 * 3600

export type AuthorizationSecrets = { state: string; nonce: string; verifier: string }

/** The address at the provider to which the browser is sent. */
export async function buildSignInUrl(
  provider: IdentityProvider,
  site: Site,
  outbound: Outbound,
  { state, nonce, verifier }: AuthorizationSecrets,
  { asksAgain = false } = {},
): Promise<string> {
  const url = buildAuthorizationUrl(configure(provider, site, outbound), {
    redirect_uri: `${site.url}${CALLBACK_PATH}`,
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // With max_age, the provider has to tell when the person has shown who they are.
    max_age: asksAgain ? '0' : String(MAX_SIGN_IN_AGE_SECONDS),
    // The person has to show it again, even if they are signed in there.
    ...(asksAgain ? { prompt: 'login' } : {}),
  })
  return url.href
}

export type SignedInPerson = { issuer: string; subject: string; idToken: Claims; userinfo: Claims; rawIdToken: string }

/** A parameter, so that a test can show what the check prevents. */
type Verification = { requireSignature: (config: Configuration) => void }
export const VERIFICATION: Verification = { requireSignature: enableNonRepudiationChecks }

const MAX_SUBJECT_LENGTH = 255

/**
 * Redeems the code. The library checks state, issuer, audience, nonce, algorithm, times and signature of the ID token, and that the
 * userinfo endpoint speaks about the same person.
 */
export async function redeemSignIn(
  provider: IdentityProvider,
  site: Site,
  outbound: Outbound,
  { query, secrets, verification }: { query: string; secrets: AuthorizationSecrets; verification: Verification },
): Promise<SignedInPerson> {
  try {
    const config = configure(provider, site, outbound)
    verification.requireSignature(config)
    const tokens = await authorizationCodeGrant(config, new URL(`${site.url}${CALLBACK_PATH}?${query}`), {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
    })
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new ProviderError('invalid', 'the response has no ID token')
    if (!claims.sub || claims.sub.length > MAX_SUBJECT_LENGTH || /\p{Cc}/u.test(claims.sub))
      throw new ProviderError('invalid', 'the subject is not usable')
    const userinfo = provider.userinfoEndpoint === null ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub)
    return { issuer: claims.iss, subject: claims.sub, idToken: claims, userinfo, rawIdToken: tokens.id_token }
  } catch (error) {
    throw toProviderError(error)
  }
}

/** Programming errors are not converted. */
function toProviderError(error: unknown): unknown {
  if (error instanceof ProviderError) return error
  if (error instanceof AuthorizationResponseError) {
    const code = error.error === 'access_denied' ? 'denied' : 'refused'
    return new ProviderError(code, `it answered ${toCode(error.error)}`, { cause: error })
  }
  if (error instanceof ResponseBodyError)
    return new ProviderError('refused', `it refused the code or the client: ${toCode(error.error)}`, { cause: error })
  if (error instanceof WWWAuthenticateChallengeError)
    return new ProviderError('refused', `it refused a request with status ${error.status}`, { cause: error })
  const outbound = findOutboundError(error)
  if (outbound) return new ProviderError('unreachable', outbound.message, { cause: error })
  if (error instanceof ClientError) return new ProviderError('invalid', describeClientError(error), { cause: error })
  return error
}

/** Error codes of OAuth are short ASCII texts; anything else is not repeated. */
const toCode = (text: string): string => (/^[\w.-]{1,60}$/.test(text) ? text : 'an unknown error')

function findOutboundError(error: unknown): OutboundError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutboundError) return at
  return undefined
}

/** The name of the claim or attribute is helpful; its value is not told. */
function describeClientError(error: ClientError): string {
  const { cause } = error.cause instanceof Error ? error.cause : error
  const details = typeof cause === 'object' && cause !== null ? (cause as Record<string, unknown>) : {}
  const name = [details.claim, details.attribute].find((each) => typeof each === 'string')
  return name ? `${error.message} (${name})` : error.message
}

export type Discovered = {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  jwksUri: string
  userinfoEndpoint: string | null
  endSessionEndpoint: string | null
  tokenAuthMethod: 'basic' | 'post'
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Reads the provider's description of itself. The issuer must be the address under which it was asked. */
export async function discoverProvider(outbound: Outbound, baseUrl: string): Promise<Discovered> {
  const base = withoutSlash(baseUrl.replace(/\/\.well-known\/openid-configuration\/?$/, ''))
  let metadata: ServerMetadata
  try {
    const options = { [customFetch]: outboundFetch(outbound), execute: [allowInsecureRequests] }
    const found = await discovery(new URL(`${base}/.well-known/openid-configuration`), 'unknown', undefined, None(), options)
    metadata = found.serverMetadata()
  } catch (error) {
    throw toProviderError(error)
  }
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = metadata
  if (withoutSlash(issuer) !== base) throw new ProviderError('invalid', `it calls itself ${issuer.slice(0, 200)}`)
  if (!authorization_endpoint || !token_endpoint || !jwks_uri)
    throw new ProviderError('invalid', 'its description lacks an endpoint')
  const methods = metadata.token_endpoint_auth_methods_supported
  const supportsBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  return {
    issuer,
    authorizationEndpoint: authorization_endpoint,
    tokenEndpoint: token_endpoint,
    jwksUri: jwks_uri,
    userinfoEndpoint: metadata.userinfo_endpoint ?? null,
    endSessionEndpoint: metadata.end_session_endpoint ?? null,
    tokenAuthMethod: supportsBasic ? 'basic' : 'post',
  }
}

/** For providers that were stored without issuer: a description above one of their endpoints that names the same endpoints. */
export async function findIssuer(
  outbound: Outbound,
  provider: IdentityProvider,
): Promise<{ issuer: string; jwksUri: string } | undefined> {
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint, jwksUri } = provider
  const candidates = issuerCandidates([authorizationEndpoint, tokenEndpoint, jwksUri, userinfoEndpoint])
  const answers = await Promise.allSettled(candidates.map((candidate) => discoverProvider(outbound, candidate)))
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const same = found.find((each) => each.authorizationEndpoint === authorizationEndpoint && each.tokenEndpoint === tokenEndpoint)
  return same && { issuer: same.issuer, jwksUri: jwksUri ?? same.jwksUri }
}

/** Undefined if the provider has no page for signing out. */
export function buildSignOutUrl(provider: IdentityProvider, site: Site, outbound: Outbound, idToken: string): string | undefined {
  if (provider.endSessionEndpoint === null || provider.issuer === null || provider.jwksUri === null) return undefined
  return buildEndSessionUrl(configure(provider, site, outbound), { id_token_hint: idToken }).href
}
