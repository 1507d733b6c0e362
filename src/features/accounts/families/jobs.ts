import { endGrownGuardianships } from '#features/accounts/users/commands/guardians.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'

type FamilyContext = { db: Database; clock: Clock; site: Site }

export async function endGuardianshipsOfAge({ db, clock, site }: FamilyContext): Promise<number> {
  return endGrownGuardianships({ db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null })
}

export const familyTasks = (context: FamilyContext): Task[] => [
  { name: 'end_guardianships', schedule: '7 1 * * *', run: async () => void (await endGuardianshipsOfAge(context)) },
]
