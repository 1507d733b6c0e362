import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { RetentionRule } from '#platform/features/retention.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { eraseDueAccounts } from './commands/erasure-requests.ts'
import { RETENTION_TASK, runRetention } from './commands/retention.ts'

type PrivacyJobContext = { db: Database; clock: Clock; site: Site; rules: readonly RetentionRule[] }

export function privacyTasks({ db, clock, site, rules }: PrivacyJobContext): Task[] {
  const context = () => ({ db: db.write, now: clock.now(), site, requestId: null })
  return [
    { name: RETENTION_TASK, schedule: '37 3 * * *', run: async () => void (await runRetention(context(), rules)) },
    { name: 'erase_accounts', schedule: '7 * * * *', run: async () => void (await eraseDueAccounts(context())) },
  ]
}
