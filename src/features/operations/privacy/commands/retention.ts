import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import { changeSettings } from '#features/operations/settings/commands.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { RetentionRule } from '#platform/features/retention.ts'
import { getDaysOf } from '../queries/retention.ts'
import { daysBefore } from '../rules/erasure.ts'
import { type PrivacySettings, privacySettings } from '../schema.ts'

/** False: nothing has changed. */
export async function changePrivacySettings(context: CommandContext, form: PrivacySettings): Promise<boolean> {
  return changeSettings(context, privacySettings, form)
}

type RuleResult = { name: string; days: number; removed: number }

const KEEP_RUNS_DAYS = 730

/** Runs every rule that is on, and writes what it did to the list of runs. One rule that fails does not keep the others from running. */
export async function runRetention(
  context: Omit<CommandContext, 'actor'>,
  rules: readonly RetentionRule[],
): Promise<RuleResult[]> {
  const { db, now } = context
  const results: RuleResult[] = []
  const failures: unknown[] = []
  for (const rule of rules) {
    const days = await getDaysOf(db, rule)
    if (days === 0) continue
    try {
      const removed = await rule.remove(context, daysBefore(now, days))
      await db.insertInto('retention_run').values({ rule: rule.name, ran_at: now, days, removed }).execute()
      results.push({ name: rule.name, days, removed })
    } catch (error) {
      failures.push(error)
    }
  }
  await sql`delete from retention_run where ran_at < ${daysBefore(now, KEEP_RUNS_DAYS)}`.execute(db)
  if (failures.length) throw failures[0]
  return results
}

export const RETENTION_TASK = 'retention'

/** Runs the rules now, in the background. */
export async function queueRetention({ db, actor }: CommandContext): Promise<void> {
  requireStaff(actor)
  await sql`select graphile_worker.add_job(${RETENTION_TASK}, job_key => 'retention-now')`.execute(db)
}
