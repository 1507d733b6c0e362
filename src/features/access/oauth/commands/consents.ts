import { type Kysely, sql } from 'kysely'
import { revokeTokensOfGrants } from '#features/access/tokens/commands/oauth.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

type Consent = { userId: number; applicationId: number; scopes: readonly string[]; now: Date }

/** Adds the scopes to those of earlier consents. */
export async function recordConsent(db: Kysely<DB> | Tx, { userId, applicationId, scopes, now }: Consent): Promise<void> {
  await sql`
    insert into oauth_consent (user_id, application_id, scopes, granted_at, last_used_at)
    values (${userId}, ${applicationId}, ${[...scopes]}, ${now}, ${now})
    on conflict (user_id, application_id) do update set last_used_at = excluded.last_used_at,
      scopes = array(select distinct unnest(oauth_consent.scopes || excluded.scopes) order by 1)`.execute(db)
}

export async function allowApplication(context: CommandContext, consent: Consent): Promise<void> {
  await transact(context.db, async (tx) => {
    await recordConsent(tx, consent)
    await record(tx, context, {
      kind: 'application.allowed',
      subject: { kind: 'oauth_application', id: consent.applicationId },
      changes: { scopes: consent.scopes },
    })
  })
}

type Which = { userId?: number; applicationId?: number }

/** Revokes access tokens, refresh tokens, codes and pending requests; consents stay. */
async function revokeGrants(tx: Tx, { userId, applicationId }: Which, now: Date): Promise<number> {
  let grants = tx.updateTable('oauth_grant').set({ revoked_at: now }).where('revoked_at', 'is', null)
  let things = tx.deleteFrom('oauth_object')
  if (userId !== undefined) {
    grants = grants.where('user_id', '=', userId)
    things = things.where('user_id', '=', userId)
  }
  if (applicationId !== undefined) {
    grants = grants.where('application_id', '=', applicationId)
    things = things.where('application_id', '=', applicationId)
  }
  const ended = await grants.returning('id').execute()
  await things.execute()
  await revokeTokensOfGrants(
    tx,
    ended.map(({ id }) => id),
    now,
  )
  return ended.length
}

/** For a new password and for revoked access. */
export async function revokeGrantsOf(tx: Tx, userId: number, now: Date): Promise<number> {
  return revokeGrants(tx, { userId }, now)
}

/** For the deletion of a person. */
export async function deleteConsentsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('oauth_consent').where('user_id', '=', userId).execute()
  await tx.deleteFrom('oauth_grant').where('user_id', '=', userId).execute()
}

/** For an application that is disabled or loses scopes. */
export async function revokeGrantsOfApplication(tx: Tx, applicationId: number, now: Date): Promise<number> {
  return revokeGrants(tx, { applicationId }, now)
}

/** False: the application had no access. */
export async function revokeApplication(context: CommandContext, userId: number, applicationId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const consent = await tx
      .deleteFrom('oauth_consent')
      .where('user_id', '=', userId)
      .where('application_id', '=', applicationId)
      .returning('scopes')
      .executeTakeFirst()
    const grants = await revokeGrants(tx, { userId, applicationId }, context.now)
    if (!consent && !grants) return false
    await record(tx, context, {
      kind: 'application.revoked',
      subject: { kind: 'oauth_application', id: applicationId },
      changes: { grants },
    })
    return true
  })
}

const RETENTION_MS = 24 * 3600 * 1000

/** Only saves space: every query checks the times itself. */
export async function deleteEndedGrants(db: Kysely<DB>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS)
  // Used codes stay as long as their grant: replaying one revokes the grant.
  await sql`delete from oauth_object
    where expires_at < ${before} and not (model = 'AuthorizationCode' and used_at is not null)`.execute(db)
  // Includes grants that never led to a token. Deleting a grant deletes its tokens, so none may be valid.
  await sql`
    delete from oauth_grant g where g.created_at < ${before}
      and not exists (select from oauth_object o where o.grant_id = g.id and o.model <> 'AuthorizationCode' and g.revoked_at is null)
      and not exists (select from access_token t where t.grant_id = g.id and t.expires_at > ${before} and g.revoked_at is null)`.execute(
    db,
  )
}
