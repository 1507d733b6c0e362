import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import {
  type Actor,
  type Credential,
  makeActor,
  type PartnerActor,
  type TokenLimits,
  userIdOrNull,
} from '#platform/auth/actor.ts'
import type { BearerAuthenticator } from '#platform/auth/authenticator.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { makeNetworkCheck } from '#platform/auth/networks.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Nullable } from '#platform/db/nullable.ts'
import type { Database } from '#platform/db/pool.ts'
import { prepare, readPrepared } from '#platform/db/prepared.ts'
import { type DatabaseState, labelOfAll, type Snapshot, StateCache, stateReader } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'

/** Tokens of partner instances have no user. */
type TokenRow = Nullable<Omit<ActorRow, keyof Snapshot>> &
  Snapshot & {
    id: number
    kind: string
    scopes: string[]
    description: string
    is_for_assistant: boolean
    application: string | null
    grant_id: number | null
    allowed_networks: string[] | null
    allowed_origins: string[] | null
    federated_guest_id: number | null
    expires_at: Date | null
    last_used_at: Date | null
  }

/** Writes “last used” at most once per interval, so that most reads do not write. */
const LAST_USED_INTERVAL_MS = 15 * 60 * 1000

/** Finds tokens of all kinds with one indexed query. Checks the OAuth grant, too, so that a revoked grant disables all its tokens. */
const lookUp = prepare<TokenRow>(
  (value) => sql<TokenRow>`
    select t.id, t.kind, coalesce(s.scopes, t.scopes) as scopes, t.description, a.name as application,
      t.is_for_assistant or coalesce(a.is_for_assistants, false) as is_for_assistant, t.grant_id, t.federated_guest_id,
      least(t.expires_at, s.expires_at) as expires_at, t.last_used_at, s.allowed_networks, s.allowed_origins, ${actorColumns}
    from access_token t
    left join user_profile u on u.id = t.user_id
    left join oauth_grant g on g.id = t.grant_id
    left join oauth_application a on a.id = t.application_id
    left join service_account s on s.user_id = t.user_id and t.kind = 'service'
    where t.token_hash = ${value(1)}
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${value(2)})
      and (t.user_id is null or u.is_active and u.is_service_account = (s.user_id is not null))
      and (s.expires_at is null or s.expires_at > ${value(2)})
      and g.revoked_at is null and a.disabled_at is null`,
)

/** A cached row takes about 300 bytes. */
const MAX_CACHED_TOKENS = 10_000

type Known = { token: TokenRow; actor: Actor }

/** Caches owners of tokens until tokens, people, groups or permissions change: programs call often and these change rarely. */
export function authenticateBearer(db: Database): BearerAuthenticator {
  const known = new StateCache<Known | undefined>(MAX_CACHED_TOKENS)
  const reader = stateReader(db)
  return async (secret, now) => {
    const tokenHash = hashSecret(secret)
    const key = tokenHash.toString('base64')
    const load = async (): Promise<Known | undefined> => {
      const [token] = await readPrepared(db, lookUp, [tokenHash, now])
      return token && { token, actor: actorOf(token) }
    }
    // The look-up of a token that is not in the cache returns its snapshot, which is usually known.
    let found: Known | undefined
    let state: DatabaseState | undefined
    if (known.has(key)) {
      state = await reader.read()
      found = await known.get(key, state.access, load)
    } else {
      const loaded = await load()
      found = loaded
      state = loaded && reader.at(loaded.token)
      if (loaded) void known.get(key, state?.access ?? 'none', async () => loaded)
    }
    if (!found) {
      // Made-up tokens must not fill the cache.
      known.delete(key)
      return undefined
    }
    const { token, actor } = found
    // Tokens expire without a write to the database.
    if (token.expires_at && token.expires_at <= now) return undefined
    recordUse(db, token, now)
    const eventsState = labelOfAll(state)
    return actor.kind === 'user' && eventsState !== undefined ? { ...actor, eventsState } : actor
  }
}

/** The constraint access_token_owner allows tokens without a user for partner instances only. */
const hasUser = (token: TokenRow): token is TokenRow & ActorRow => token.user_id !== null

function actorOf(token: TokenRow): Actor {
  if (!hasUser(token))
    return makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: token.federated_guest_id!, tokenId: token.id })
  const limits = limitsOf(token)
  return actorFrom(token, {
    kind: 'token',
    tokenId: token.id,
    ...(token.grant_id === null ? {} : { grantId: token.grant_id }),
    scopes: new Set(token.scopes),
    credential: credentialOf(token),
    ...(token.is_for_assistant ? { isForAssistant: true } : {}),
    ...(limits ? { limits } : {}),
  })
}

function credentialOf({ kind, application, description, display_name, expires_at: expiresAt }: TokenRow): Credential {
  if (kind === 'service') return { kind: 'service_account', name: display_name!, expiresAt }
  return application === null
    ? { kind: 'personal_token', name: description, expiresAt }
    : { kind: 'application', name: application, expiresAt }
}

const limitsOf = ({ allowed_networks: networks, allowed_origins: origins }: TokenRow): TokenLimits | undefined =>
  networks && origins
    ? { isAllowedAddress: networks.length ? makeNetworkCheck(networks) : undefined, origins: new Set(origins) }
    : undefined

/** Not awaited: the response does not depend on it, and the next request writes it again. */
function recordUse(db: Database, token: TokenRow, now: Date): void {
  const { id, last_used_at } = token
  if (last_used_at && now.getTime() - last_used_at.getTime() < LAST_USED_INTERVAL_MS) return
  // The row stays in the cache, which does not depend on this column.
  token.last_used_at = now
  db.write
    .updateTable('access_token')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .execute()
    .catch(() => {})
}

export type OwnToken = {
  id: number
  description: string
  scopes: string[]
  isForAssistant: boolean
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

const ownTokens = ({ db, actor }: RequestContext) =>
  db
    .selectFrom('access_token')
    .select(['id', 'description', 'scopes', 'is_for_assistant as isForAssistant'])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
    .where('kind', '=', 'personal')
    .where('user_id', '=', userIdOrNull(actor))

/** The caller's tokens: valid ones first, then by age. */
export async function findOwnTokens(context: RequestContext): Promise<OwnToken[]> {
  const { now } = context
  return ownTokens(context)
    .orderBy(sql`revoked_at is null and (expires_at is null or expires_at > ${now})`, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function getOwnToken(context: RequestContext, id: number): Promise<OwnToken | undefined> {
  return ownTokens(context).where('id', '=', id).executeTakeFirst()
}

type ExpiringToken = { userId: number; description: string; expiresAt: Date }

/** For the mail; undefined if the token has been revoked or has expired. */
export async function getExpiringToken(db: Kysely<DB>, id: number, now: Date): Promise<ExpiringToken | undefined> {
  const row = await db
    .selectFrom('access_token')
    .select(['user_id', 'description', 'expires_at'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id && row.expires_at
    ? { userId: row.user_id, description: row.description, expiresAt: row.expires_at }
    : undefined
}
