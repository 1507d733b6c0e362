import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'

const TOKEN_LENGTH = 40

/** The copy gets a token of its own: the link to the original event must not open the copy. */
export async function copyGuestShare(tx: Tx, { site }: CommandContext, fromEventId: number, toEventId: number): Promise<void> {
  const share = await tx.selectFrom('guest_share').select('active').where('event_id', '=', fromEventId).executeTakeFirst()
  if (!share) return
  const token = randomSecret(TOKEN_LENGTH)
  await tx
    .insertInto('guest_share')
    .values({
      event_id: toEventId,
      token_hash: hashSecret(token),
      token_sealed: site.keyring.seal(token),
      active: share.active,
    })
    .execute()
}
