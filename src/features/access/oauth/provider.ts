import type { IncomingMessage } from 'node:http'
import {
  type Adapter,
  type Configuration,
  errors,
  type Grant,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { checkPassword } from '#platform/auth/passwords.ts'
import { CLIENT_SECRET_PREFIX, hashClientSecret, hashSecret, type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import type { MountedRequest } from '#platform/http/mount.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Log } from '#platform/log.ts'
import { isAddress } from '#platform/no-address.ts'
import { getAccount, getConsent, getSignInTime } from './queries/accounts.ts'
import { isRegistered, mustAskEachTime } from './rules/addresses.ts'
import { consentPath, END_SESSION, ROUTES } from './rules/routes.ts'
import { isCovered, isOffered, OFFERED_SCOPES, splitScopes } from './rules/scopes.ts'

const CODE_SECONDS = 60
const ACCESS_SECONDS = 3600
export const REFRESH_SECONDS = 90 * 24 * 3600
const INTERACTION_SECONDS = 1800
const DEVICE_SECONDS = 600
/** Grants do not expire; they are revoked. Their tokens expire. */
const GRANT_SECONDS = 100 * 365 * 24 * 3600

type ProviderDependencies = {
  issuer: string
  keyring: Keyring
  db: Database
  log: Log
  storage: (model: string) => Adapter
  /** The first key signs. */
  keys: readonly Record<string, unknown>[]
  mountedRequests: WeakMap<IncomingMessage, MountedRequest>
  /** Gets the requests of devices whose person has not decided yet. */
  waitingDevices: WeakSet<IncomingMessage>
  /** Records a consent that was given without a question. */
  recordConsent: (userId: number, applicationId: number, scopes: string[], now: Date) => Promise<void>
}

/** Our own fields of the client metadata. */
type ClientFacts = {
  turnout_id: number
  turnout_pkce: boolean
  turnout_trusted: boolean
  turnout_partner: boolean
  turnout_public: boolean
}
const getClientFacts = (client: unknown): ClientFacts => client as ClientFacts

export function makeProvider(parts: ProviderDependencies): Provider {
  const provider = new Provider(parts.issuer, makeConfiguration(parts))
  // The mount sets scheme and host of the request to those of SITE_URL.
  provider.proxy = true
  provider.on('grant.error', (ctx, error) => {
    grantErrors.set(ctx.req, error)
    if (error.error === 'authorization_pending') parts.waitingDevices.add(ctx.req)
  })
  provider.on('server_error', (ctx, error) => {
    parts.log.error({ err: error, requestId: parts.mountedRequests.get(ctx.req)?.requestId }, 'oauth')
  })
  compareSecretsByHash(provider)
  compareRedirectUris(provider)
  deriveSessions(provider, parts)
  adaptResponses(provider, parts)
  return provider
}

function makeConfiguration(parts: ProviderDependencies): Configuration {
  const { keyring, db, mountedRequests, issuer } = parts
  const suffix = issuer.startsWith('https:') ? '' : `_${new URL(issuer).port || '80'}`
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' as const, overwrite: true }
  return {
    adapter: parts.storage as never,
    jwks: { keys: parts.keys as never },
    scopes: [...OFFERED_SCOPES],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'locale'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    routes: ROUTES,
    cookies: {
      keys: [keyring.fingerprint('oauth cookies').toString('base64url')],
      short: cookie,
      long: cookie,
      names: { interaction: `turnout_oauth_i${suffix}`, resume: `turnout_oauth_r${suffix}`, session: SESSION_COOKIE },
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: true },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      // Tokens of other clients count as unknown.
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      // Nobody proves to be a public client, so it would tell anybody about a token.
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId && !getClientFacts(client).turnout_public,
      },
    },
    pkce: { required: (_ctx, client) => getClientFacts(client).turnout_pkce !== false },
    extraClientMetadata: { properties: ['turnout_id', 'turnout_pkce', 'turnout_trusted', 'turnout_partner', 'turnout_public'] },
    extraParams: { scope: requireKnownScopes as never },
    allowOmittingSingleRegisteredRedirectUri: true,
    expiresWithSession: () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    ttl: {
      AuthorizationCode: CODE_SECONDS,
      AccessToken: ACCESS_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      IdToken: ACCESS_SECONDS,
      Interaction: INTERACTION_SECONDS,
      DeviceCode: DEVICE_SECONDS,
      Grant: GRANT_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    findAccount: async (_ctx, id) => {
      const account = await getAccount(db.read, id)
      if (!account) return undefined
      const { name, username, email, language, groups } = account
      // People without an address of their own have no such claim: an address that others read, too, must not identify anybody.
      const address = isAddress(email) ? { email, email_verified: !account.emailInvalid } : {}
      const called = username ?? address.email
      const preferred = called === undefined ? {} : { preferred_username: called }
      return { accountId: id, claims: () => ({ sub: id, name, ...preferred, ...address, locale: language, groups }) }
    },
    loadExistingGrant: (ctx) => findOrCreateGrant(parts, ctx),
    interactions: { policy: makeInteractionPolicy(), url: (_ctx, interaction) => consentPath(interaction.uid) },
    renderError: (ctx, out) => {
      const mounted = mountedRequests.get(ctx.req)!
      const { body, headers } = mounted.problemPage(new Problem('bad_request', { detail: explainError(mounted, out) }))
      ctx.set(headers)
      ctx.body = body
    },
    discovery: { end_session_endpoint: `${issuer}${END_SESSION}` },
    // The platform decides about CORS.
    clientBasedCORS: () => false,
  }
}

const SESSION_COOKIE = 'turnout_oauth_s'

function explainError(
  { words }: MountedRequest,
  { error, error_description }: { error: string; error_description?: string | undefined },
): string {
  if (error === 'invalid_client') return words.t('oauth.error_client')
  if (error === 'invalid_redirect_uri') return words.t('oauth.error_redirect')
  if (/expired|not found|mismatch/.test(error_description ?? '')) return words.t('oauth.error_expired')
  return words.t('oauth.error_other', { error: `${error}: ${error_description ?? ''}` })
}

/**
 * Reads the raw request, because the library has already dropped unknown scopes. OpenID Connect ignores them (`offline_access`); other
 * requests are refused, so that no application believes to have more than it gets.
 */
function requireKnownScopes(ctx: KoaContextWithOIDC): void {
  const asked = ctx.oidc.route === 'device_authorization' ? ctx.oidc.body?.scope : ctx.query.scope
  if (typeof asked !== 'string' || !asked) throw new errors.InvalidScope('the scope is missing', '')
  if (splitScopes(asked).includes('openid')) return
  for (const scope of splitScopes(asked)) if (!isOffered(scope)) throw new errors.InvalidScope('unknown scope', scope)
}

function makeInteractionPolicy(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  const isGone = (ctx: KoaContextWithOIDC) => Boolean(ctx.oidc.session?.accountId && !ctx.oidc.account)
  // `mustAskEachTime` decides by the address; the library would ask again for every address of such a client.
  policy.get('consent')!.checks.remove('native_client_prompt')
  policy.get('login')!.checks.add(new Check('account_gone', 'the account is gone', 'login_required', isGone))
  return policy
}

/** Imported secrets are password hashes; our own secrets are random and need no salt. */
async function clientSecretMatches(secret: string, stored: string): Promise<boolean> {
  if (stored.startsWith(CLIENT_SECRET_PREFIX)) return secretsMatch(hashClientSecret(secret), stored)
  return (await checkPassword(secret, stored)).ok
}

const MAX_SECRET_LENGTH = 1_000

function compareSecretsByHash(provider: Provider): void {
  const client = provider.Client.prototype as unknown as { compareClientSecret: (secret: string) => Promise<boolean> }
  client.compareClientSecret = async function (this: { clientSecret: string }, secret) {
    return secret.length <= MAX_SECRET_LENGTH && clientSecretMatches(secret, this.clientSecret)
  }
}

function compareRedirectUris(provider: Provider): void {
  const client = provider.Client.prototype as unknown as { redirectUriAllowed: (uri: string) => boolean }
  client.redirectUriAllowed = function (this: { redirectUris: string[] }, uri) {
    return isRegistered(uri, this.redirectUris, { isPublic: getClientFacts(this).turnout_public })
  }
}

/** Derives the session of the library from ours for each request; its own cookie is ignored. */
function deriveSessions(provider: Provider, { mountedRequests, db }: ProviderDependencies): void {
  const { Session } = provider as unknown as { Session: new (payload?: object) => object }
  Object.assign(Session, {
    get: async (ctx: KoaContextWithOIDC) => {
      const { person, now } = mountedRequests.get(ctx.req)!
      const hash = person?.via.kind === 'session' ? person.via.sessionHash : undefined
      const since = hash && (await getSignInTime(db.read, hash))
      const uid = hash && hashSecret(`oauth session\n${hash.toString('hex')}`).toString('base64url')
      const facts = since && { accountId: String(person!.userId), loginTs: seconds(since), uid, jti: uid }
      const session = new Session(facts || undefined)
      if (since) Object.defineProperty(session, 'past', { value: (age: string) => seconds(now) - seconds(since) > Number(age) })
      ctx.oidc.entity('Session', session)
      return session
    },
  })
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** The grant of the given consent, or a new one if no question is needed. */
async function findOrCreateGrant(parts: ProviderDependencies, ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { result, client, session, params, account } = ctx.oidc
  const Grants = ctx.oidc.provider.Grant
  const given = (result as { consent?: { grantId?: string } } | undefined)?.consent?.grantId
  if (given) return Grants.find(given)
  const { now } = parts.mountedRequests.get(ctx.req)!
  const prompts = String(params?.prompt ?? '').split(' ')
  const hasLogin = Boolean((result as { login?: object } | undefined)?.login)
  const mustSignIn =
    !hasLogin && (prompts.includes('login') || (params?.max_age !== undefined && session!.past(params.max_age as number)))
  if (prompts.includes('consent') || mustSignIn) return undefined
  const scopes = splitScopes(String(params?.scope ?? ''))
  const { turnout_id: applicationId, turnout_trusted: isTrusted, turnout_public: isPublic } = getClientFacts(client)
  if (mustAskEachTime({ isPublic, redirectUri: String(params?.redirect_uri) })) return undefined
  const userId = Number(account!.accountId)
  if (!isTrusted && !isCovered(scopes, await getConsent(parts.db.read, userId, applicationId))) return undefined
  await parts.recordConsent(userId, applicationId, scopes, now)
  const grant = new Grants({ accountId: account!.accountId, clientId: client!.clientId })
  grant.addOIDCScope(scopes.join(' '))
  await grant.save()
  return grant
}

/** The library hides the reason of a refused grant in its response. */
const grantErrors = new WeakMap<IncomingMessage, OAuthErrorSource>()

type OAuthError = { error?: string; error_description?: string }
type OAuthErrorSource = { error_detail?: string | undefined; cause?: unknown }

/** Grant types of the protocol that no client here may use; any other unknown one is unsupported. */
const OTHER_GRANT_TYPES = ['client_credentials', 'password', 'implicit']
const MISSING: [pattern: RegExp, description: string][] = [
  [/^missing required parameter.*\bcode\b/, 'Missing code parameter.'],
  [/^missing required parameter.*redirect_uri/, 'Missing redirect URI.'],
  [/^missing required parameter.*refresh_token/, 'Missing refresh token parameter.'],
]

/** Error codes of the token endpoint as clients of the API know them, where the library uses others. */
function toContractError(
  body: OAuthError,
  { error_detail: detail = '', cause }: OAuthErrorSource,
  grantType: unknown,
): OAuthError {
  const { error, error_description: description = '' } = body
  if (error === 'invalid_request' && /content-type bodies|^missing required parameter.*grant_type/.test(description))
    return { error: 'unsupported_grant_type', error_description: 'the grant type is missing' }
  if (error === 'invalid_request' && /is not allowed for this client$/.test(description))
    return { error: 'unauthorized_client', error_description: description }
  if (error === 'unsupported_grant_type' && OTHER_GRANT_TYPES.includes(String(grantType)))
    return { error: 'unauthorized_client', error_description: 'the client may not use this grant type' }
  if (error === 'invalid_grant' && (cause as Error | undefined)?.message === 'code_verifier must be provided')
    return { error: 'invalid_request', error_description: 'Code verifier required.' }
  if (error === 'invalid_grant' && /redirect_uri mismatch/.test(detail))
    return { error: 'invalid_request', error_description: 'Mismatching redirect URI.' }
  const missing = error === 'invalid_request' && MISSING.find(([pattern]) => pattern.test(description))
  return missing ? { error: 'invalid_request', error_description: missing[1] } : body
}

const INTROSPECTED = ['active', 'scope', 'exp', 'client_id', 'username']

/** Restricts the responses of the library to our API contract. */
function adaptResponses(provider: Provider, { mountedRequests, db }: ProviderDependencies): void {
  provider.use(async (ctx, next) => {
    const { route } = mountedRequests.get(ctx.req)!
    const isKnownOrigin = ctx.res.hasHeader('access-control-allow-origin')
    if (route.path === ROUTES.userinfo && !ctx.headers.authorization) {
      ctx.status = 401
      ctx.set('www-authenticate', 'Bearer realm="turnout"')
      ctx.body = { error: 'invalid_token', error_description: 'the access token belongs into the Authorization header' }
      return
    }
    await next()
    const body = ctx.body as { error?: string; error_description?: string } | undefined
    if (body?.error === 'invalid_request' && isAboutCredentials(body.error_description)) {
      ctx.status = 401
      ctx.body = { error: 'invalid_client', error_description: 'client authentication failed' }
    }
    if (ctx.status === 401 && route.path !== ROUTES.userinfo)
      ctx.set('www-authenticate', 'Basic realm="turnout", Bearer error="invalid_client"')
    const { oidc } = ctx as Partial<KoaContextWithOIDC>
    if ((route.path === ROUTES.token || route.path === ROUTES.device_authorization) && ctx.status === 400)
      ctx.body = toContractError(ctx.body as OAuthError, grantErrors.get(ctx.req) ?? {}, oidc?.params?.grant_type)
    // The implicit flow exists, but no client here may use it.
    const location = ctx.response.get('location')
    if (oidc?.route === 'authorization' && oidc.params?.response_type === 'token')
      if (location) ctx.set('location', location.replace('error=unsupported_response_type', 'error=unauthorized_client'))
    if (route.path === ROUTES.token && ctx.status === 200) await addLocale(db, ctx.body as object, oidc)
    if (oidc?.route === 'revocation' && ctx.status === 200) ctx.body = {}
    if (oidc?.route === 'introspection' && ctx.status === 200) ctx.body = await presentIntrospection(db, oidc, ctx.body as object)
    if (!isKnownOrigin) for (const name of ['allow-origin', 'expose-headers']) ctx.remove(`access-control-${name}`)
    const cookies = ctx.response.headers['set-cookie'] as string[] | undefined
    if (cookies)
      ctx.set(
        'set-cookie',
        [cookies].flat().filter((cookie) => !cookie.startsWith(SESSION_COOKIE)),
      )
  })
}

/** Tells partner instances the language of the person, so that their pages for visitors use it. */
async function addLocale(db: Database, body: { locale?: string }, oidc: KoaContextWithOIDC['oidc'] | undefined): Promise<void> {
  const accountId = oidc?.entities.Account?.accountId
  if (!oidc?.client || !getClientFacts(oidc.client).turnout_partner || accountId === undefined) return
  const account = await getAccount(db.read, accountId)
  if (account) body.locale = account.language
}

/** Missing, incomplete and malformed credentials are `invalid_client` in RFC 6749. */
const isAboutCredentials = (description = ''): boolean =>
  /^(no client authentication|client_secret must be provided|invalid authorization header|client_id and client_secret in)/.test(
    description,
  )

async function presentIntrospection(
  db: Database,
  oidc: KoaContextWithOIDC['oidc'],
  body: Record<string, unknown> | object,
): Promise<object> {
  const token = oidc.entities.AccessToken ?? oidc.entities.RefreshToken
  const account = token?.accountId ? await getAccount(db.read, token.accountId) : undefined
  if (!(body as { active?: boolean }).active || !account) return { active: false }
  const facts = { ...body, username: isAddress(account.email) ? account.email : (account.username ?? account.email) }
  return Object.fromEntries(Object.entries(facts).filter(([name]) => INTROSPECTED.includes(name)))
}
