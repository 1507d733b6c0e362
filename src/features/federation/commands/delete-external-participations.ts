import type { Tx } from '#platform/db/transaction.ts'

/** For the deletion of a person. */
export async function deleteExternalParticipations(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('participation_abroad').where('user_id', '=', userId).execute()
}
