import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

const LENGTH = 40

/** The secret address of the caller's calendar. `keep`: only where there is none yet. */
async function giveAddress(context: CommandContext, { keep }: { keep: boolean }): Promise<void> {
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
    const token = randomSecret(LENGTH)
    await tx
      .updateTable('user_profile')
      // The hash finds whoever calls; the sealed copy is for showing it again to its owner.
      .set({ calendar_token_hash: hashSecret(token), calendar_token_sealed: context.site.keyring.seal(token) })
      .where('id', '=', actor.userId)
      .execute()
    const kind = had ? 'user.calendar_address_reset' : 'user.calendar_address_made'
    await record(tx, context, { kind, subject: { kind: 'user', id: actor.userId } })
  })
}

export const makeCalendarAddress = (context: CommandContext): Promise<void> => giveAddress(context, { keep: true })

/** Whoever knows the old one sees nothing any more. */
export const resetCalendarAddress = (context: CommandContext): Promise<void> => giveAddress(context, { keep: false })
