import { addFederationToken } from '#features/access/tokens/commands/federation.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { SetupInput } from '../schema.ts'

type RedeemOutcome = { ok: true; id: number; accessToken: string } | { ok: false; reason: 'invalid_code' | 'expired_code' }

type Invite = { codeHash: Buffer; url: string; now: Date }

/** One statement finds and marks the code, so that a concurrent request fails. */
export async function spendInvite(tx: Tx, { codeHash, url, now }: Invite): Promise<number | undefined> {
  const invite = await tx
    .updateTable('invite_code')
    .set({ used_at: now })
    .where('code_hash', '=', codeHash)
    .where('url', '=', url)
    .where('used_at', 'is', null)
    .where('expires_at', '>=', now)
    .returning('id')
    .executeTakeFirst()
  return invite?.id
}

/** Registers the invited instance as a guest. Of concurrent redemptions exactly one succeeds. */
export async function redeemInvite(context: CommandContext, input: SetupInput, spend = spendInvite): Promise<RedeemOutcome> {
  const codeHash = hashSecret(input.code)
  return transact(context.db, async (tx) => {
    const inviteId = await spend(tx, { codeHash, url: input.url, now: context.now })
    if (inviteId === undefined)
      return { ok: false, reason: (await isExpired(tx, codeHash, input.url)) ? 'expired_code' : 'invalid_code' }
    const { id } = await tx
      .insertInto('federated_guest')
      .values({
        name: input.name,
        url: input.url,
        client_id: input.client_id,
        client_secret_sealed: context.site.keyring.seal(input.client_secret),
        speaks_turnout: input.turnout !== undefined,
        created_at: context.now,
        last_contact_at: context.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.updateTable('invite_code').set({ federated_guest_id: id }).where('id', '=', inviteId).execute()
    const accessToken = await addFederationToken(tx, id, context.now)
    const changes = { name: input.name, url: input.url, invite_code_id: inviteId }
    await record(tx, context, { kind: 'federated_guest.created', subject: { kind: 'federated_guest', id }, changes })
    return { ok: true, id, accessToken }
  })
}

/** Only callers with the correct code learn that it has expired. */
async function isExpired(tx: Tx, codeHash: Buffer, url: string): Promise<boolean> {
  const found = await tx
    .selectFrom('invite_code')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where('url', '=', url)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}
