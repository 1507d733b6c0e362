import type { Tx } from '#platform/db/transaction.ts'

/** Somebody is deleted: what partners told about their shifts there goes with them. */
export async function forgetAbroad(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('participation_abroad').where('user_id', '=', userId).execute()
}
