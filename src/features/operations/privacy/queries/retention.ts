import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Found, RetentionRule } from '#platform/features/retention.ts'
import { daysBefore } from '../rules/erasure.ts'
import { getPrivacySettings } from './settings.ts'

export type RetentionRun = { rule: string; ranAt: Date; days: number; removed: number }

/** Newest first. Runs that found nothing are left out, except for the last one of each rule. */
export async function findRuns(db: Kysely<DB>): Promise<RetentionRun[]> {
  return rowsOf(db).all(sql<RetentionRun>`
    select r.rule, r.ran_at as "ranAt", r.days, r.removed from retention_run r
    where r.removed > 0 or not exists (select from retention_run later where later.rule = r.rule and later.id > r.id)
    order by r.id desc limit 30`)
}

export type InactiveAccount = { id: number; name: string; lastSeenAt: Date | null }

/** Accounts without a sign-in and without a shift since then. They are only suggested: a person decides. */
export async function findInactiveAccounts(db: Kysely<DB>, before: Date, limit: number): Promise<InactiveAccount[]> {
  return rowsOf(db).all(sql<InactiveAccount>`
    select u.id, u.display_name as name, u.last_sign_in_at as "lastSeenAt" from user_profile u
    where u.deleted_at is null and not u.is_service_account and u.created_at < ${before}
      and (u.last_sign_in_at is null or u.last_sign_in_at < ${before})
      and not exists (select from session s where s.user_id = u.id and s.last_seen_at >= ${before})
      and not exists (select from access_token t where t.user_id = u.id and t.last_used_at >= ${before})
      and not exists (select from participation p where p.user_id = u.id and p.end_time >= ${before})
    order by u.last_sign_in_at nulls first, u.id limit ${limit}`)
}

type RulePreview = Found & { name: string; days: number }

/** What each rule would delete now; rules that are off find nothing. */
export async function previewRules(db: Kysely<DB>, rules: readonly RetentionRule[], now: Date): Promise<RulePreview[]> {
  return Promise.all(
    rules.map(async (rule) => {
      const days = await getDaysOf(db, rule)
      const found = days === 0 ? { count: 0, oldest: null } : await rule.find(db, daysBefore(now, days))
      return { name: rule.name, days, ...found }
    }),
  )
}

/** 0: the rule is off. */
export async function getDaysOf(db: Kysely<DB>, { setting, getDays }: RetentionRule): Promise<number> {
  if (getDays) return getDays(db)
  const settings: Partial<Record<string, unknown>> = await getPrivacySettings(db)
  const days = setting && settings[setting]
  if (typeof days !== 'number') throw new Error(`there is no setting ${setting}`)
  return days
}
