import type { Tx } from '#platform/db/transaction.ts'

/** Called when a person is deleted. */
export async function removeDefaultResponsible(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('event_type_default_user').where('user_id', '=', userId).execute()
}
