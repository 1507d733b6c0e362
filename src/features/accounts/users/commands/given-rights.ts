import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { checkRecentSignIn } from '#platform/http/access.ts'
import { givesRights } from '../queries/group-rights.ts'

/** A new member of a group with rights gets its rights, so it takes the same proof as changing the group. */
export async function checkGivenRights(tx: Tx, context: CommandContext, groupIds: readonly number[]): Promise<void> {
  if (!groupIds.length) return
  const gives = await rowsOf(tx).exists(
    sql`select from user_group g where g.id = any (${[...groupIds]}::bigint[]) and ${givesRights}`,
  )
  if (gives) checkRecentSignIn(context)
}
