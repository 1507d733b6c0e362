import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/users/queries/actor.ts'
import { type Actor, makeActor, type PartnerActor } from '#platform/auth/actor.ts'
import type { BearerAuthenticator } from '#platform/auth/authenticator.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { prepare, readPrepared } from '#platform/db/prepared.ts'
import { Remembered, stateReader } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'

type TokenRow = ActorRow & {
  id: number
  kind: string
  scopes: string[]
  federated_guest_id: number | null
  expires_at: Date | null
  last_used_at: Date | null
}

/** "Last used" is for people who tidy up; to the quarter of an hour is exact enough, and keeps reads from writing. */
const LAST_USED_STEP = 15 * 60 * 1000

/** Tokens of all kinds by one indexed look-up. A revoked grant kills every token that hangs on it, whatever raced. */
const lookUp = prepare<TokenRow>(
  (value) => sql<TokenRow>`
    select t.id, t.kind, t.scopes, t.federated_guest_id, t.expires_at, t.last_used_at, ${actorColumns}
    from access_token t
    left join user_profile u on u.id = t.user_id
    left join oauth_grant g on g.id = t.grant_id
    left join oauth_application a on a.id = t.application_id
    where t.token_hash = ${value(1)}
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${value(2)})
      and (t.user_id is null or u.is_active)
      and g.revoked_at is null and a.disabled_at is null`,
)

/** A row of the look-up is about 300 bytes. */
const MOST_TOKENS = 10_000

type Known = { token: TokenRow; actor: Actor }

/** Programs call often and tokens change rarely: who a token belongs to is known until anybody writes anything. */
export function authenticateBearer(db: Database): BearerAuthenticator {
  const known = new Remembered<Known>(MOST_TOKENS)
  const readState = stateReader(db)
  return async (secret, now) => {
    const tokenHash = hashSecret(secret)
    const key = tokenHash.toString('base64')
    let found = known.has(key) ? known.get(key, await readState()) : undefined
    if (!found) {
      const [token] = await readPrepared(db, lookUp, [tokenHash, now])
      if (!token) return undefined
      found = { token, actor: actorOf(token) }
      known.set(key, token.database_state, found)
    }
    const { token, actor } = found
    // Time goes on without a write.
    if (token.expires_at && token.expires_at <= now) return undefined
    noteUse(db, token, now)
    return actor
  }
}

function actorOf(token: TokenRow): Actor {
  if (token.kind === 'federation')
    return makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: token.federated_guest_id!, tokenId: token.id })
  return actorFrom(token, { kind: 'token', tokenId: token.id, scopes: new Set(token.scopes) })
}

/** Not awaited: the answer does not depend on it, and a failure is noticed by the next request anyway. */
function noteUse(db: Database, { id, last_used_at }: TokenRow, now: Date): void {
  if (last_used_at && now.getTime() - last_used_at.getTime() < LAST_USED_STEP) return
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
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

const ownTokens = ({ db, actor }: RequestContext) =>
  db
    .selectFrom('access_token')
    .select(['id', 'description', 'scopes'])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
    .where('kind', '=', 'personal')
    .where('user_id', '=', actor.kind === 'user' ? actor.userId : null)

/** The caller's own, those that work first, then by age. */
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

export type ExpiringToken = { userId: number; description: string; expiresAt: Date }

/** For the mail; undefined: revoked or expired meanwhile. */
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
