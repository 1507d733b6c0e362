import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashClientSecret, randomSecret } from '#platform/auth/secrets.ts'

const CLIENT_ID_LENGTH = 40
const SECRET_LENGTH = 64

/** For a partner instance, so that our people can sign in there. The secret is returned once. */
export async function addPartnerApplication(
  { db, actor, now }: CommandContext,
  { name, redirectUri }: { name: string; redirectUri: string },
): Promise<{ id: number; clientId: string; secret: string }> {
  const [clientId, secret] = [randomSecret(CLIENT_ID_LENGTH), randomSecret(SECRET_LENGTH)]
  const { id } = await db
    .insertInto('oauth_application')
    .values({
      name: name.slice(0, 255),
      redirect_uris: [redirectUri],
      allowed_scopes: ['ME_READ'],
      purpose: 'federation',
      client_id: clientId,
      client_secret_hash: hashClientSecret(secret),
      require_pkce: true,
      created_at: now,
      created_by_id: userIdOrNull(actor),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, clientId, secret }
}

/** After the set-up, which tells the name: people are asked for consent to the organisation, not to its address. */
export async function renamePartnerApplication({ db }: Pick<CommandContext, 'db'>, id: number, name: string): Promise<void> {
  await db.updateTable('oauth_application').set({ name }).where('id', '=', id).where('purpose', '=', 'federation').execute()
}

/** Foreign keys delete its grants, consents and tokens. */
export async function removePartnerApplication({ db }: Pick<CommandContext, 'db'>, id: number): Promise<void> {
  await db.deleteFrom('oauth_application').where('id', '=', id).where('purpose', '=', 'federation').execute()
}
