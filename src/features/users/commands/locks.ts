import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'

/**
 * Two administrators who demote each other at one moment each see the other one still there; two groups likewise.
 * Whatever could take away the last of either waits here. A parameter of the commands, so that a test can see what
 * happens without it.
 */
export const lockAdministration = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('turnout.administration'))`.execute(tx)
}

/** The row of a person comes before every other lock on what hangs on them. */
export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await sql`select id from user_profile where id = ${userId} for no key update`.execute(tx)
}
