import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { sendDueWaves } from './commands/end.ts'

export const inquiryTasks = ({ db, clock, site }: { db: Database; clock: Clock; site: Site }): Task[] => [
  {
    name: 'send_inquiry_waves',
    schedule: '* * * * *',
    run: () => sendDueWaves({ db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null }),
  },
]
