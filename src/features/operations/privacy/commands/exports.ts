import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/** Downloads of personal data are in the log, so that a download by somebody else is noticed. */
export async function recordExport(context: CommandContext, userId: number): Promise<void> {
  await transact(context.db, async (tx) => {
    await record(tx, context, { kind: 'user.data_downloaded', subject: { kind: 'user', id: userId } })
  })
}
