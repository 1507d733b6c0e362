import type { Kysely } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { revokeGrantsOfApplication } from './consents.ts'

type Program = { clientId: string; name: string; scopes: readonly string[]; now: Date }

/**
 * For a program that is part of the instance and gets tokens as a device. Administrators see and disable it like one that they registered; a
 * version with other scopes is allowed anew.
 */
export const storeDeviceApplication = (db: Kysely<DB>, { clientId, name, scopes, now }: Program): Promise<void> =>
  transact(db, async (tx) => {
    const changes = { name, allowed_scopes: [...scopes] }
    const system = { actor: ANONYMOUS, now, requestId: null }
    const fixed = { require_pkce: true, is_public: true, allows_devices: true }
    const added = await tx
      .insertInto('oauth_application')
      .values({
        ...changes,
        ...fixed,
        client_id: clientId,
        client_secret_hash: '',
        redirect_uris: [],
        created_by_id: null,
        created_at: now,
      })
      .onConflict((same) => same.column('client_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) {
      await record(tx, system, { kind: 'application.created', subject: { kind: 'oauth_application', id: added.id }, changes })
      return
    }
    const before = await tx
      .selectFrom('oauth_application')
      .select(['id', 'allowed_scopes'])
      .where('client_id', '=', clientId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { id } = before
    if (before.allowed_scopes.join(' ') === scopes.join(' ')) return
    await tx.updateTable('oauth_application').set({ allowed_scopes: changes.allowed_scopes }).where('id', '=', id).execute()
    await revokeGrantsOfApplication(tx, id, now)
    await tx.deleteFrom('oauth_consent').where('application_id', '=', id).execute()
    await record(tx, system, { kind: 'application.changed', subject: { kind: 'oauth_application', id }, changes })
  })
