import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { Change } from '#platform/journal/kinds.ts'
import { findStoredLimits } from './queries.ts'
import { LIMIT_KINDS, type Limit } from './rules.ts'

/** Replaces the limits of the instance or of a group. False: nothing has changed. */
export async function changeLimits(context: CommandContext, groupId: number | null, limits: readonly Limit[]): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    if (groupId !== null) {
      const group = await sql`select from user_group where id = ${groupId} for key share`.execute(tx)
      if (group.rows.length === 0) throw new Problem('not_found')
    }
    // Two administrators who save at once: the second one replaces what the first one saved.
    await sql`select pg_advisory_xact_lock(hashtext('work_limit'))`.execute(tx)
    const before = (await findStoredLimits(tx)).filter((limit) => limit.groupId === groupId)
    const textOf = (list: readonly Limit[], kind: string) => {
      const limit = list.find((one) => one.kind === kind)
      return limit ? `${limit.value} (${limit.blocks ? 'refuse' : 'warn'})` : null
    }
    const changed = LIMIT_KINDS.filter((kind) => textOf(before, kind) !== textOf(limits, kind))
    if (changed.length === 0) return false
    await sql`delete from work_limit where group_id is not distinct from ${groupId} and kind = any (${changed}::text[])`.execute(
      tx,
    )
    for (const { kind, value, blocks } of limits.filter((limit) => changed.includes(limit.kind)))
      await tx.insertInto('work_limit').values({ group_id: groupId, kind, value, blocks }).execute()
    await record(tx, context, {
      kind: 'limits.changed',
      subject: groupId === null ? { kind: 'instance', id: null } : { kind: 'group', id: groupId },
      changes: Object.fromEntries(
        changed.map((kind): [string, Change<string | null>] => [kind, [textOf(before, kind), textOf(limits, kind)]]),
      ),
    })
    return true
  })
}
