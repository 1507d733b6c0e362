import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashClientSecret, randomSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { type ApplicationRefusal, checkApplication } from '../rules/applications.ts'
import type { ApplicationForm } from '../schema.ts'
import { revokeGrantsOfApplication } from './consents.ts'

/** Letters and digits only, because not all clients escape Basic credentials. */
const CLIENT_ID_LENGTH = 40
const SECRET_LENGTH = 64

/** The secret is returned once and never stored. Public applications have none. */
export type Credentials = { id: number; clientId: string; secret: string | null }
const NO_SECRET_HASH = ''
export type Refused = { ok: false; refusals: ApplicationRefusal[] }

const columnsOf = (form: ApplicationForm) => ({
  name: form.name,
  redirect_uris: form.redirect_uris,
  allowed_scopes: [...new Set(form.allowed_scopes)],
  allowed_origins: form.allowed_origins,
  require_pkce: form.require_pkce || form.client_type === 'public',
  trusted: form.trusted,
  is_public: form.client_type === 'public',
  allows_devices: form.allows_devices,
  is_for_assistants: form.is_for_assistants,
  post_logout_redirect_uris: form.post_logout_redirect_uris,
})

export async function createApplication(
  context: CommandContext,
  form: ApplicationForm,
): Promise<({ ok: true } & Credentials) | Refused> {
  const refusals = checkApplication(form)
  if (refusals.length) return { ok: false, refusals }
  const clientId = randomSecret(CLIENT_ID_LENGTH)
  const secret = form.client_type === 'public' ? null : randomSecret(SECRET_LENGTH)
  return transact(context.db, async (tx) => {
    const { id } = await tx
      .insertInto('oauth_application')
      .values({
        ...columnsOf(form),
        client_id: clientId,
        client_secret_hash: secret === null ? NO_SECRET_HASH : hashClientSecret(secret),
        created_by_id: userIdOrNull(context.actor),
        created_at: context.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'application.created',
      subject: { kind: 'oauth_application', id },
      changes: columnsOf(form),
    })
    return { ok: true, id, clientId, secret }
  })
}

const selectOwn = (tx: Tx, id: number) =>
  tx.selectFrom('oauth_application').where('id', '=', id).where('purpose', '=', 'client').forUpdate()

/** Revokes grants if the application loses scopes; the type stays, and whether it is for assistants. Undefined: no such application. */
export async function changeApplication(
  context: CommandContext,
  id: number,
  input: ApplicationForm,
): Promise<{ ok: true; isNarrowed: boolean } | Refused | undefined> {
  return transact(context.db, async (tx) => {
    const before = await selectOwn(tx, id).select(['allowed_scopes', 'is_public', 'is_for_assistants']).executeTakeFirst()
    if (!before) return undefined
    const form: ApplicationForm = {
      ...input,
      client_type: before.is_public ? 'public' : 'confidential',
      is_for_assistants: before.is_for_assistants,
    }
    const refusals = checkApplication(form)
    if (refusals.length) return { ok: false, refusals }
    await tx.updateTable('oauth_application').set(columnsOf(form)).where('id', '=', id).execute()
    const isNarrowed = before.allowed_scopes.some((scope) => !form.allowed_scopes.includes(scope))
    if (isNarrowed) {
      await revokeGrantsOfApplication(tx, id, context.now)
      await tx.deleteFrom('oauth_consent').where('application_id', '=', id).execute()
    }
    await record(tx, context, {
      kind: 'application.changed',
      subject: { kind: 'oauth_application', id },
      changes: columnsOf(form),
    })
    return { ok: true, isNarrowed }
  })
}

/** Undefined: no such application, or a public one. */
export async function rotateSecret(context: CommandContext, id: number): Promise<Credentials | undefined> {
  const secret = randomSecret(SECRET_LENGTH)
  return transact(context.db, async (tx) => {
    const application = await selectOwn(tx, id).select(['client_id', 'is_public']).executeTakeFirst()
    if (!application || application.is_public) return undefined
    const values = { client_secret_hash: hashClientSecret(secret) }
    await tx.updateTable('oauth_application').set(values).where('id', '=', id).execute()
    await record(tx, context, { kind: 'application.secret_changed', subject: { kind: 'oauth_application', id } })
    return { id, clientId: application.client_id, secret }
  })
}

export async function disableApplication(context: CommandContext, id: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    if (!(await selectOwn(tx, id).select('id').executeTakeFirst())) return false
    await tx.updateTable('oauth_application').set({ disabled_at: context.now }).where('id', '=', id).execute()
    const grants = await revokeGrantsOfApplication(tx, id, context.now)
    await tx.deleteFrom('oauth_consent').where('application_id', '=', id).execute()
    await record(tx, context, { kind: 'application.disabled', subject: { kind: 'oauth_application', id }, changes: { grants } })
    return true
  })
}

export async function enableApplication(context: CommandContext, id: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    if (!(await selectOwn(tx, id).select('id').executeTakeFirst())) return false
    await tx.updateTable('oauth_application').set({ disabled_at: null }).where('id', '=', id).execute()
    await record(tx, context, { kind: 'application.enabled', subject: { kind: 'oauth_application', id } })
    return true
  })
}

/** Foreign keys delete its grants, consents and tokens. */
export async function deleteApplication(context: CommandContext, id: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const application = await selectOwn(tx, id).select('name').executeTakeFirst()
    if (!application) return false
    await tx.deleteFrom('oauth_application').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'application.deleted',
      subject: { kind: 'oauth_application', id },
      changes: { name: application.name },
    })
    return true
  })
}
