import { type Kysely, sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { addOAuthToken, revokeOAuthToken, revokeTokensOfGrants } from '#features/access/tokens/commands/oauth.ts'
import { getOAuthToken } from '#features/access/tokens/queries/oauth.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { getClient } from '../queries/applications.ts'
import { getGrant, getObject } from '../queries/objects.ts'

const FOREIGN_KEY = '23503'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Prevents double redemption and tokens of revoked grants. A parameter, so that tests can show the races without it. */
export type Guard = {
  /** True for exactly one of several concurrent calls. */
  consume: (db: Kysely<DB>, model: string, idHash: Buffer, now: Date) => Promise<boolean>
  revokeGrant: (db: Kysely<DB>, grantId: number, now: Date) => Promise<void>
}

export const GUARD: Guard = {
  consume: async (db, model, idHash, now) => {
    const row = await db
      .updateTable('oauth_object')
      .set({ used_at: now })
      .where('model', '=', model)
      .where('id_hash', '=', idHash)
      .where('used_at', 'is', null)
      .returning('model')
      .executeTakeFirst()
    return row !== undefined
  },
  // Keeps the row: a token that is written concurrently refers to it and is therefore invalid.
  revokeGrant: async (db, grantId, now) => {
    await db
      .updateTable('oauth_grant')
      .set({ revoked_at: now })
      .where('id', '=', grantId)
      .where('revoked_at', 'is', null)
      .execute()
  },
}

type Storage = {
  db: Database
  clock: Clock
  guard: Guard
  /** A refresh token that is sent again within this time is refused without revoking its successors: clients retry. */
  refreshGraceMs: number
}

/** Storage adapters of the library. The id of a code or token is its value, so only hashes of ids are stored. */
export function makeStorage(storage: Storage): (model: string) => Adapter {
  const { db } = storage
  return (model) => {
    if (model === 'Client') return { ...EMPTY_ADAPTER, find: (id) => findClient(db, id) }
    if (model === 'Grant') return grants(storage)
    if (model === 'AccessToken') return accessTokens(storage)
    if (model === 'Session') return EMPTY_ADAPTER
    return objects(storage, model)
  }
}

const doNothing = async (): Promise<undefined> => undefined
/** Sessions of the library are not stored: they are derived from our session for each request. */
const EMPTY_ADAPTER: Adapter = {
  upsert: doNothing,
  find: doNothing,
  findByUid: doNothing,
  findByUserCode: doNothing,
  consume: doNothing,
  destroy: doNothing,
  revokeByGrantId: doNothing,
}

async function findClient(db: Database, clientId: string): Promise<AdapterPayload | undefined> {
  const client = await getClient(db.read, clientId)
  if (!client) return undefined
  const usesBrowser = client.redirectUris.length > 0
  return {
    client_id: client.clientId,
    client_name: client.name,
    // A hash; `compareClientSecret` compares with it.
    ...(client.isPublic ? {} : { client_secret: client.secretHash }),
    // The library accepts schemes of apps for native clients only.
    application_type: client.isPublic && client.redirectUris.some((uri) => !/^https?:/.test(uri)) ? 'native' : 'web',
    redirect_uris: client.redirectUris,
    scope: client.allowedScopes.join(' '),
    grant_types: [
      ...(usesBrowser ? ['authorization_code'] : []),
      'refresh_token',
      ...(client.allowsDevices ? [DEVICE_GRANT] : []),
    ],
    response_types: usesBrowser ? ['code'] : [],
    token_endpoint_auth_method: client.isPublic ? 'none' : 'client_secret_basic',
    turnout_id: client.id,
    turnout_pkce: client.requirePkce,
    turnout_trusted: client.trusted,
    turnout_partner: client.isPartner,
    turnout_public: client.isPublic,
  }
}

const GRANT_ID = /^id:(\d+)$/

/** Rows refer to a grant by its numeric id, not by the secret id of the library. */
async function getGrantId(db: Kysely<DB>, id: string): Promise<number | undefined> {
  const number = GRANT_ID.exec(id)?.[1]
  return number ? Number(number) : (await getGrant(db, { idHash: hashSecret(id) }))?.id
}

async function requireGrantId(db: Kysely<DB>, id: string | undefined): Promise<number> {
  const number = id === undefined ? undefined : await getGrantId(db, id)
  if (number === undefined) throw new errors.InvalidGrant('the grant has ended')
  return number
}

const later = (now: Date, seconds = 0): Date => new Date(now.getTime() + seconds * 1000)

/** The application or the grant was deleted during the request: respond with invalid_grant, not with a 500. */
async function refuseIfDeleted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY) throw new errors.InvalidGrant('the grant has ended')
    throw error
  }
}

const applicationOf = (db: Kysely<DB>, clientId: string | undefined) =>
  db
    .selectFrom('oauth_application')
    .select('id')
    .where('client_id', '=', clientId ?? '')

function grants({ db, clock, guard }: Storage): Adapter {
  return {
    ...EMPTY_ADAPTER,
    upsert: async (id, { jti: _id, accountId, clientId, ...payload }) => {
      const scopes = String((payload as { openid?: { scope?: string } }).openid?.scope ?? '').split(' ')
      const application = await applicationOf(db.read, clientId).executeTakeFirst()
      if (!application) throw new errors.InvalidGrant('the application has gone')
      await refuseIfDeleted(() =>
        db.write
          .insertInto('oauth_grant')
          .values({
            id_hash: hashSecret(id),
            application_id: application.id,
            user_id: Number(accountId),
            scopes: scopes.filter(Boolean),
            payload: JSON.stringify(payload),
            created_at: clock.now(),
          })
          .onConflict((conflict) => conflict.column('id_hash').doUpdateSet({ payload: JSON.stringify(payload) }))
          .execute(),
      )
    },
    find: async (id) => {
      const number = GRANT_ID.exec(id)?.[1]
      const grant = await getGrant(db.read, number ? { id: Number(number) } : { idHash: hashSecret(id) })
      return grant && { ...grant.payload, accountId: String(grant.userId), clientId: grant.clientId, jti: `id:${grant.id}` }
    },
    destroy: async (id) => {
      const number = await getGrantId(db.read, id)
      if (number !== undefined) await guard.revokeGrant(db.write, number, clock.now())
    },
  }
}

function accessTokens({ db, clock }: Storage): Adapter {
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
  return {
    ...EMPTY_ADAPTER,
    upsert: async (id, payload, ttl) => {
      const now = clock.now()
      const grantId = await requireGrantId(db.read, payload.grantId)
      const application = await applicationOf(db.read, payload.clientId).executeTakeFirst()
      if (!application) throw new errors.InvalidGrant('the application has gone')
      await refuseIfDeleted(() =>
        addOAuthToken(db.write, {
          tokenHash: hashSecret(id),
          userId: Number(payload.accountId),
          applicationId: application.id,
          grantId,
          scopes: (payload.scope ?? '').split(' ').filter(Boolean),
          now,
          expiresAt: later(now, ttl),
          replacesEarlier: String(payload.gty ?? '').endsWith('refresh_token'),
        }),
      )
      await recordUse(db.write, application.id, Number(payload.accountId), now)
    },
    find: async (id) => {
      const token = await getOAuthToken(db.read, id, clock.now())
      if (!token) return undefined
      return {
        jti: id,
        kind: 'AccessToken',
        accountId: String(token.userId),
        clientId: token.clientId,
        grantId: `id:${token.grantId}`,
        gty: 'authorization_code',
        scope: token.scopes.join(' '),
        iat: seconds(token.createdAt),
        exp: seconds(token.expiresAt),
      }
    },
    destroy: (id) => revokeOAuthToken(db.write, hashSecret(id), clock.now()),
    revokeByGrantId: async (id) => {
      const number = await getGrantId(db.read, id)
      if (number !== undefined) await revokeTokensOfGrants(db.write, [number], clock.now())
    },
  }
}

/** For “last used” in the lists. */
async function recordUse(db: Kysely<DB>, applicationId: number, userId: number, now: Date): Promise<void> {
  await db.updateTable('oauth_application').set({ last_used_at: now }).where('id', '=', applicationId).execute()
  await db
    .updateTable('oauth_consent')
    .set({ last_used_at: now })
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .execute()
}

const CODE = 'AuthorizationCode'
const DEVICE_CODE = 'DeviceCode'

/** Codes, refresh tokens, interactions, device codes. */
function objects({ db, clock, guard, refreshGraceMs }: Storage, model: string): Adapter {
  const graceMs = model === 'RefreshToken' ? refreshGraceMs : 0
  const refuseReuse = async (grantId: number | null): Promise<never> => {
    // A device asks every few seconds and may ask again before it has the response.
    if (grantId !== null && graceMs === 0 && model !== DEVICE_CODE) await guard.revokeGrant(db.write, grantId, clock.now())
    throw new errors.InvalidGrant('it has been used already')
  }
  return {
    ...EMPTY_ADAPTER,
    upsert: async (id, { jti: _id, grantId, returnTo: _address, session: _ours, userCode, ...payload }, ttl) => {
      const now = clock.now()
      const kept = JSON.stringify(payload)
      // PostgreSQL rejects NUL characters.
      if (kept.includes('\\u0000')) throw new errors.InvalidRequest('null characters are not allowed')
      const isInteraction = model === 'Interaction'
      // A person decides about a device later (`decideDevice`).
      const hasGrant = !isInteraction && model !== DEVICE_CODE
      const grant = hasGrant ? await requireGrantId(db.read, grantId) : null
      const clientId = payload.clientId ?? (payload.params?.client_id as string | undefined)
      const application = await applicationOf(db.read, clientId).executeTakeFirst()
      await refuseIfDeleted(() =>
        db.write
          .insertInto('oauth_object')
          .values({
            model,
            id_hash: hashSecret(id),
            payload: kept,
            grant_id: grant,
            user_id: hasGrant && payload.accountId ? Number(payload.accountId) : null,
            uid_hash: userCode ? hashSecret(userCode) : null,
            application_id: application?.id ?? null,
            created_at: now,
            expires_at: later(now, ttl),
          })
          .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet({ payload: kept }))
          .execute(),
      )
    },
    find: async (id) => {
      const now = clock.now()
      const oidc = Provider.ctx?.oidc
      // Revoking a token that was just used revokes its successors, too.
      const usedBefore = oidc?.route === 'token' && graceMs > 0 ? new Date(now.getTime() - graceMs) : later(now, 1)
      const found = await getObject(db.read, { model, idHash: hashSecret(id), now, usedBefore })
      if (!found) return undefined
      // The library would revoke the grant.
      if (model === DEVICE_CODE && found.usedAt) await refuseReuse(found.grantId)
      // Before the library checks the expiry and the verifier: a replay counts without them, too.
      if (model === CODE && found.usedAt && found.payload.clientId === oidc?.client?.clientId) await refuseReuse(found.grantId)
      return {
        ...found.payload,
        // The library compares with the time of the machine.
        ...(found.isExpired ? { exp: 0 } : {}),
        jti: id,
        ...(found.grantId === null ? {} : { grantId: `id:${found.grantId}` }),
        ...(found.usedAt ? { consumed: Math.floor(found.usedAt.getTime() / 1000) } : {}),
      }
    },
    consume: async (id) => {
      const idHash = hashSecret(id)
      if (await guard.consume(db.write, model, idHash, clock.now())) return
      const used = await getObject(db.write, { model, idHash, now: clock.now(), usedBefore: later(clock.now(), 1) })
      await refuseReuse(used?.grantId ?? null)
    },
    destroy: async (id) => {
      await db.write.deleteFrom('oauth_object').where('model', '=', model).where('id_hash', '=', hashSecret(id)).execute()
    },
    revokeByGrantId: async (id) => {
      const number = await getGrantId(db.read, id)
      if (number !== undefined) {
        await sql`delete from oauth_object where model = ${model} and grant_id = ${number}`.execute(db.write)
      }
    },
  }
}
