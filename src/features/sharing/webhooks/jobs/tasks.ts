import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { deleteOldDeliveries, forgetOldSecrets } from '../commands/outcomes.ts'

export const webhookTasks = ({ db, clock }: { db: Database; clock: Clock }): Task[] => [
  {
    name: 'clean_up_webhooks',
    schedule: '37 * * * *',
    run: async () => {
      await deleteOldDeliveries(db.write, clock.now())
      await forgetOldSecrets(db.write, clock.now())
    },
  },
]
