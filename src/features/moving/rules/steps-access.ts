import { type Book, clean, cut, instant, type SourceRow, type Step, type Target, text, timeOr } from './book.ts'
import { linked } from './steps-people.ts'

const SCOPES = new Set(['PUBLIC_READ', 'PUBLIC_WRITE', 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE'])
const OTHER_SCOPES = new Set(['openid'])
const DAY = 24 * 3600_000
const REFRESH_DAYS = 90

const wordsIn = (value: SourceRow[string] | undefined): string[] => text(value).split(/\s+/).filter(Boolean)
const iso = (at: number): string => new Date(at).toISOString()

/** What rows of several tables say about each other, read before. */
export type AccessFacts = {
  /** Partner instances by the number of the token that they call us with. */
  guestOfToken: ReadonlyMap<number, number>
  /** Applications that were made for partner instances. */
  applicationsOfHosts: ReadonlySet<number>
  /** Scopes of the access token that a refresh token renews. */
  scopesOfRefresh: ReadonlyMap<number, string>
}

export const applicationStep = ({ applicationsOfHosts }: AccessFacts): Step => ({
  source: 'api_application',
  take: (row, book) => {
    const id = row.id as number
    const table = 'api_application'
    const clientId = clean(row.client_id)
    if (!clientId || !book.isNew(table, row, clientId)) {
      if (!clientId) book.leftOut(table, id, 'has no client id')
      return []
    }
    const isUsable = row.client_type === 'confidential' && row.authorization_grant_type === 'authorization-code'
    if (!isUsable)
      book.repaired(table, id, `${row.client_type} with ${row.authorization_grant_type} is not offered here; it is switched off`)
    book.add(table, id)
    const values = {
      id,
      client_id: clientId,
      name: cut(clean(row.name), 255),
      // Hashed there as passwords are; those that were kept readable are hashed now.
      client_secret_hash:
        row.hash_client_secret === false ? book.secrets.hashClientSecret(text(row.client_secret)) : text(row.client_secret),
      redirect_uris: wordsIn(row.redirect_uris),
      allowed_scopes: [...SCOPES],
      allowed_origins: wordsIn(row.allowed_origins),
      // Applications that work today go on working; an administrator can demand it.
      require_pkce: false,
      trusted: row.skip_authorization === true,
      purpose: applicationsOfHosts.has(id) ? 'federation' : 'client',
      created_by_id: book.has('userprofile', row.user_id) ? row.user_id : null,
      created_at: timeOr(row.created, book.now),
      disabled_at: isUsable ? null : book.now,
    }
    return [{ table: 'oauth_application', values }]
  },
})

/** Every token of an application hangs on what its person allowed. */
function grantFor(
  book: Book,
  userId: number,
  applicationId: number,
  scopes: readonly string[],
): { id: number; targets: Target[] } {
  const { number: id, isNew } = book.numberOf(userId, applicationId)
  if (!isNew) return { id, targets: [] }
  const scope = scopes.join(' ')
  const values = {
    id,
    id_hash: book.secrets.hash(`moved in ${userId} ${applicationId}`),
    application_id: applicationId,
    user_id: userId,
    scopes,
    payload: { json: JSON.stringify({ kind: 'Grant', openid: { scope } }) },
    created_at: book.now,
  }
  const consent = { user_id: userId, application_id: applicationId, scopes, granted_at: book.now }
  return {
    id,
    targets: [
      { table: 'oauth_grant', values },
      { table: 'oauth_consent', values: consent },
    ],
  }
}

function scopesOf(book: Book, table: string, row: SourceRow, value: SourceRow[string] | undefined): string[] {
  const all = wordsIn(value)
  const unknown = all.filter((scope) => !SCOPES.has(scope) && !OTHER_SCOPES.has(scope))
  if (unknown.length) book.repaired(table, row.id, `had the scope ${unknown.join(', ')}, which opens nothing here`)
  return [...new Set(all.filter((scope) => SCOPES.has(scope)))]
}

export const tokenStep = ({ guestOfToken }: AccessFacts): Step => ({
  source: 'api_accesstoken',
  take: (row, book) => {
    const table = 'api_accesstoken'
    const token = text(row.token)
    if (!token) {
      book.leftOut(table, row.id, 'is empty')
      return []
    }
    if (!book.isNew(table, row, token)) return []
    const common = {
      id: row.id!,
      token_hash: book.secrets.hash(token),
      created_at: timeOr(row.created, book.now),
      // One whose end cannot be read ends now rather than never.
      expires_at: row.expires == null ? null : timeOr(row.expires, book.now),
      revoked_at: row.revoked === true ? book.now : null,
      description: cut(clean(row.description), 1000),
    }
    const guest = guestOfToken.get(row.id as number)
    if (row.user_id === null) {
      if (guest === undefined || !book.has('federation_federatedguest', guest)) {
        book.leftOut(table, row.id, 'belongs to nobody')
        return []
      }
      return [{ table: 'access_token', values: { ...common, kind: 'federation', federated_guest_id: guest, scopes: [] } }]
    }
    if (!linked(book, table, row, [['userprofile', row.user_id]])) return []
    const scopes = scopesOf(book, table, row, row.scope)
    const owner = { user_id: row.user_id!, scopes }
    if (row.application_id === null) return [{ table: 'access_token', values: { ...common, ...owner, kind: 'personal' } }]
    if (!linked(book, table, row, [['api_application', row.application_id]])) return []
    const grant = grantFor(book, row.user_id as number, row.application_id as number, scopes)
    const values = { ...common, ...owner, kind: 'oauth', application_id: row.application_id!, grant_id: grant.id }
    return [...grant.targets, { table: 'access_token', values }]
  },
})

/** `clientIds` by the number of the application. */
export const refreshStep = ({ scopesOfRefresh }: AccessFacts, clientIds: ReadonlyMap<number, string>): Step => ({
  source: 'api_refreshtoken',
  take: (row, book) => {
    const table = 'api_refreshtoken'
    const isThere = linked(book, table, row, [
      ['userprofile', row.user_id],
      ['api_application', row.application_id],
    ])
    if (!isThere) return []
    const created = instant(row.created) ?? 0
    const expires = created + REFRESH_DAYS * DAY
    const scope = scopesOfRefresh.get(row.id as number)
    const why =
      row.revoked !== null
        ? 'was revoked'
        : expires < Date.parse(book.now)
          ? 'has expired'
          : scope === undefined
            ? 'renews a token that is not there'
            : undefined
    if (why || !book.isNew(table, row, text(row.token))) {
      if (why) book.leftOut(table, row.id, why)
      return []
    }
    const scopes = scopesOf(book, table, row, scope!)
    const [userId, applicationId] = [row.user_id as number, row.application_id as number]
    const grant = grantFor(book, userId, applicationId, scopes)
    const seconds = Math.floor(created / 1000)
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
      id_hash: book.secrets.hash(text(row.token)),
      payload: { json: JSON.stringify(payload) },
      grant_id: grant.id,
      user_id: userId,
      application_id: applicationId,
      created_at: timeOr(row.created, book.now),
      expires_at: iso(expires),
    }
    return [...grant.targets, { table: 'oauth_object', values }]
  },
})
