import type { Tx } from '#platform/db/transaction.ts'

/** For the deletion of a person: where they stand and what they did at partners, and what they opened there. */
export async function deleteExternalParticipations(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('partner_event_opening').where('user_id', '=', userId).execute()
  await tx.deleteFrom('denied_statement').where('user_id', '=', userId).execute()
  await tx.deleteFrom('partner_hours').where('user_id', '=', userId).execute()
  await tx.deleteFrom('partner_objection').where('user_id', '=', userId).execute()
  await tx.deleteFrom('participation_abroad').where('user_id', '=', userId).execute()
}
