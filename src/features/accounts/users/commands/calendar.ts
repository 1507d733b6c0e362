import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

const TOKEN_LENGTH = 40

/** Writes a new secret calendar address for the caller. `keep`: only if there is none yet. */
async function writeAddress(context: CommandContext, { keep }: { keep: boolean }): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user') return
  await transact(context.db, async (tx) => {
    const person = await tx
      .selectFrom('user_profile')
      .select('calendar_token_hash')
      .where('id', '=', actor.userId)
      .forUpdate()
      .executeTakeFirst()
    const had = person?.calendar_token_hash != null
    if (!person || (had && keep)) return
    const token = randomSecret(TOKEN_LENGTH)
    await tx
      .updateTable('user_profile')
      // The hash is for look-ups, the sealed copy for showing the address to its owner.
      .set({ calendar_token_hash: hashSecret(token), calendar_token_sealed: context.site.keyring.seal(token) })
      .where('id', '=', actor.userId)
      .execute()
    const kind = had ? 'user.calendar_address_reset' : 'user.calendar_address_made'
    await record(tx, context, { kind, subject: { kind: 'user', id: actor.userId } })
  })
}

export const createCalendarAddress = (context: CommandContext): Promise<void> => writeAddress(context, { keep: true })

/** The old address stops working. */
export const resetCalendarAddress = (context: CommandContext): Promise<void> => writeAddress(context, { keep: false })
