import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'

/**
 * Serialises commands that could remove the last administrator or the last management group. Without it, two
 * administrators who demote each other at the same time both succeed. Commands take it as a parameter, so that a test
 * can show the race without the lock.
 */
export const lockAdministration = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('turnout.administration'))`.execute(tx)
}

/** For changes of members, which are rows of their own. */
export async function lockGroup(db: Kysely<DB>, groupId: number): Promise<void> {
  await sql`select from user_group where id = ${groupId} for no key update`.execute(db)
}

/** Lock order: the person first, then rows that refer to them. */
export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await sql`select id from user_profile where id = ${userId} for no key update`.execute(tx)
}
