import type { Tx } from '#platform/db/transaction.ts'

/** Called when a person is deleted. */
export async function removeResponsible(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('event_user_grant').where('user_id', '=', userId).execute()
}
