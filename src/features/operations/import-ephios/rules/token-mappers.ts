import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, parseTime, type SourceRow, text, timeOr } from './values.ts'

const SCOPES = new Set(['PUBLIC_READ', 'PUBLIC_WRITE', 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE'])
const OTHER_SCOPES = new Set(['openid'])
const DAY_MS = 24 * 3600_000
const REFRESH_TOKEN_DAYS = 90

const splitWords = (value: SourceRow[string] | undefined): string[] => text(value).split(/\s+/).filter(Boolean)
const toIso = (time: number): string => new Date(time).toISOString()

export type TokenLookups = {
  /** Guest instances by the id of the token that they call this instance with. */
  guestOfToken: ReadonlyMap<number, number>
  /** OAuth applications of host instances. */
  applicationsOfHosts: ReadonlySet<number>
  /** Scopes of the access token that a refresh token renews, by the id of the refresh token. */
  scopesOfRefresh: ReadonlyMap<number, string>
}

export const makeApplicationMapper = ({ applicationsOfHosts }: TokenLookups): TableMapper => ({
  source: 'api_application',
  map: (row, context) => {
    const id = row.id as number
    const table = 'api_application'
    const clientId = clean(row.client_id)
    if (!clientId || !context.isUnique(table, row, clientId)) {
      if (!clientId) context.noteSkipped(table, id, 'has no client id')
      return []
    }
    const isPublic = row.client_type === 'public'
    const isSupported = row.authorization_grant_type === 'authorization-code'
    if (!isSupported) {
      context.noteRepaired(table, id, `clients with ${row.authorization_grant_type} are not supported; disabled`)
      context.facts.disabledApplications.push(clean(row.name) || clientId)
    }
    context.add(table, id)
    const values = {
      id,
      client_id: clientId,
      name: cut(clean(row.name), 255),
      // ephios hashes client secrets like passwords, except those that are marked as plain text.
      client_secret_hash: isPublic
        ? ''
        : row.hash_client_secret === false
          ? context.secrets.hashClientSecret(text(row.client_secret))
          : text(row.client_secret),
      redirect_uris: splitWords(row.redirect_uris),
      allowed_scopes: [...SCOPES],
      allowed_origins: splitWords(row.allowed_origins),
      post_logout_redirect_uris: splitWords(row.post_logout_redirect_uris),
      is_public: isPublic,
      // Existing applications with a secret keep working without PKCE; administrators can require it later.
      require_pkce: isPublic,
      // Anybody can pretend to be a public application, so people are asked.
      trusted: row.skip_authorization === true && !isPublic,
      purpose: applicationsOfHosts.has(id) ? 'federation' : 'client',
      created_by_id: context.has('userprofile', row.user_id) ? row.user_id : null,
      created_at: timeOr(row.created, context.now),
      disabled_at: isSupported ? null : context.now,
    }
    return [{ table: 'oauth_application', values }]
  },
})

/** The grant and consent that all tokens of a user for an application belong to. Created with the first of them. */
function makeGrant(
  context: ImportContext,
  userId: number,
  applicationId: number,
  scopes: readonly string[],
): { id: number; targets: Target[] } {
  const { id, isNew } = context.generateId(userId, applicationId)
  if (!isNew) return { id, targets: [] }
  const scope = scopes.join(' ')
  const values = {
    id,
    id_hash: context.secrets.hash(`moved in ${userId} ${applicationId}`),
    application_id: applicationId,
    user_id: userId,
    scopes,
    payload: { json: JSON.stringify({ kind: 'Grant', openid: { scope } }) },
    created_at: context.now,
  }
  const consent = { user_id: userId, application_id: applicationId, scopes, granted_at: context.now }
  return {
    id,
    targets: [
      { table: 'oauth_grant', values },
      { table: 'oauth_consent', values: consent },
    ],
  }
}

function parseScopes(context: ImportContext, table: string, row: SourceRow, value: SourceRow[string] | undefined): string[] {
  const all = splitWords(value)
  const unknown = all.filter((scope) => !SCOPES.has(scope) && !OTHER_SCOPES.has(scope))
  if (unknown.length) context.noteRepaired(table, row.id, `unknown scope ${unknown.join(', ')} removed`)
  return [...new Set(all.filter((scope) => SCOPES.has(scope)))]
}

export const makeTokenMapper = ({ guestOfToken }: TokenLookups): TableMapper => ({
  source: 'api_accesstoken',
  map: (row, context) => {
    const table = 'api_accesstoken'
    const token = text(row.token)
    if (!token) {
      context.noteSkipped(table, row.id, 'is empty')
      return []
    }
    if (!context.isUnique(table, row, token)) return []
    const common = {
      id: row.id!,
      token_hash: context.secrets.hash(token),
      created_at: timeOr(row.created, context.now),
      // An invalid expiry time means now, not never.
      expires_at: row.expires == null ? null : timeOr(row.expires, context.now),
      revoked_at: row.revoked === true ? context.now : null,
      description: cut(clean(row.description), 1000),
    }
    const guest = guestOfToken.get(row.id as number)
    if (row.user_id === null) {
      if (guest === undefined || !context.has('federation_federatedguest', guest)) {
        context.noteSkipped(table, row.id, 'has no owner')
        return []
      }
      return [{ table: 'access_token', values: { ...common, kind: 'federation', federated_guest_id: guest, scopes: [] } }]
    }
    if (!context.hasReferences(table, row, [['userprofile', row.user_id]])) return []
    const scopes = parseScopes(context, table, row, row.scope)
    const owner = { user_id: row.user_id!, scopes }
    if (row.application_id === null) return [{ table: 'access_token', values: { ...common, ...owner, kind: 'personal' } }]
    if (!context.hasReferences(table, row, [['api_application', row.application_id]])) return []
    const grant = makeGrant(context, row.user_id as number, row.application_id as number, scopes)
    const values = { ...common, ...owner, kind: 'oauth', application_id: row.application_id!, grant_id: grant.id }
    return [...grant.targets, { table: 'access_token', values }]
  },
})

const expiryOf = (row: SourceRow): number => (parseTime(row.created) ?? 0) + REFRESH_TOKEN_DAYS * DAY_MS

export const makeRefreshTokenMapper = (
  { scopesOfRefresh }: TokenLookups,
  clientIds: ReadonlyMap<number, string>,
): TableMapper => ({
  source: 'api_refreshtoken',
  omit: (row, context) =>
    row.revoked !== null || expiryOf(row) < Date.parse(context.now)
      ? { what: 'Refresh tokens that were revoked or have expired', why: 'no application can use them' }
      : undefined,
  map: (row, context) => {
    const table = 'api_refreshtoken'
    const isComplete = context.hasReferences(table, row, [
      ['userprofile', row.user_id],
      ['api_application', row.application_id],
    ])
    if (!isComplete) return []
    const expires = expiryOf(row)
    const scope = scopesOfRefresh.get(row.id as number)
    if (scope === undefined) {
      context.noteSkipped(table, row.id, 'its access token does not exist')
      return []
    }
    if (!context.isUnique(table, row, text(row.token))) return []
    const scopes = parseScopes(context, table, row, scope)
    const [userId, applicationId] = [row.user_id as number, row.application_id as number]
    const grant = makeGrant(context, userId, applicationId, scopes)
    const seconds = Math.floor((parseTime(row.created) ?? 0) / 1000)
    const payload = {
      kind: 'RefreshToken',
      iat: seconds,
      exp: Math.floor(expires / 1000),
      accountId: String(userId),
      clientId: clientIds.get(applicationId),
      scope: scopes.join(' '),
      gty: 'authorization_code',
      iiat: seconds,
      rotations: 0,
      expiresWithSession: false,
    }
    const values = {
      model: 'RefreshToken',
      id_hash: context.secrets.hash(text(row.token)),
      payload: { json: JSON.stringify(payload) },
      grant_id: grant.id,
      user_id: userId,
      application_id: applicationId,
      created_at: timeOr(row.created, context.now),
      expires_at: toIso(expires),
    }
    return [...grant.targets, { table: 'oauth_object', values }]
  },
})
