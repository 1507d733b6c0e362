import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getPolicy, isRequiredFor, type Policy } from '../queries.ts'

/** False: nothing has changed. The grace period of people who need a factor from now on begins. */
export async function changePolicy(context: CommandContext, policy: Policy): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    await sql`lock table second_factor_policy in share row exclusive mode`.execute(tx)
    const before = await getPolicy(tx)
    const groupIds = [...policy.groupIds].sort((a, b) => a - b)
    const after = { ...policy, groupIds }
    if (JSON.stringify(describe(before)) === JSON.stringify(describe(after))) return false
    const row = { for_administrators: after.forAdministrators, grace_days: after.graceDays, after_provider: after.afterProvider }
    await tx
      .insertInto('second_factor_policy')
      .values({ id: true, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    await tx.deleteFrom('second_factor_group').execute()
    // Groups that were deleted meanwhile are left out.
    await sql`insert into second_factor_group (group_id)
      select g.id from user_group g where g.id = any (${groupIds}::bigint[])`.execute(tx)
    await updateRequirements(tx, context.now)
    await record(tx, context, {
      kind: 'second_factor.changed',
      subject: { kind: 'instance', id: null },
      changes: { policy: [describe(before), describe(after)] },
    })
    return true
  })
}

const describe = (policy: Policy | undefined) =>
  policy && {
    administrators: policy.forAdministrators,
    groups: policy.groupIds,
    grace_days: policy.graceDays,
    after_provider: policy.afterProvider,
  }

async function updateRequirements(tx: Tx, now: Date): Promise<void> {
  await sql`delete from second_factor_duty d using user_profile u where u.id = d.user_id and not ${isRequiredFor}`.execute(tx)
  await sql`insert into second_factor_duty (user_id, since)
    select u.id, ${now} from user_profile u where u.is_active and not u.is_service_account and ${isRequiredFor}
    on conflict (user_id) do nothing`.execute(tx)
}

/**
 * For people who came into a group or became administrators after the policy was made: their grace period begins with their first
 * request. Not awaited: the response does not depend on it, and the next request writes it again.
 */
export function beginRequirement(db: Database, userId: number, now: Date): void {
  db.write
    .insertInto('second_factor_duty')
    .values({ user_id: userId, since: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
    .catch(() => {})
}
