import type { Doing } from '#platform/auth/ask.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

const LENGTH = 40

/** The secret address of the caller's calendar. `keep`: only where there is none yet. */
async function giveAddress(doing: Doing, { keep }: { keep: boolean }): Promise<void> {
  const { actor } = doing
  if (actor.kind !== 'user') return
  await transact(doing.db, async (tx) => {
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
      .set({ calendar_token_hash: hashSecret(token), calendar_token_sealed: doing.site.keyring.seal(token) })
      .where('id', '=', actor.userId)
      .execute()
    const kind = had ? 'user.calendar_address_reset' : 'user.calendar_address_made'
    await record(tx, doing, { kind, subject: { kind: 'user', id: actor.userId } })
  })
}

export const makeCalendarAddress = (doing: Doing): Promise<void> => giveAddress(doing, { keep: true })

/** Whoever knows the old one sees nothing any more. */
export const resetCalendarAddress = (doing: Doing): Promise<void> => giveAddress(doing, { keep: false })
