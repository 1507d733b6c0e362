import type { Runtime } from '#platform/features/runtime.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { notifyNext } from './commands.ts'
import { MESSAGE_TASK, messageJob } from './schema.ts'

export const messageTasks = ({ db, clock, site }: Pick<Runtime, 'db' | 'clock' | 'site'>): Task[] => [
  {
    name: MESSAGE_TASK,
    run: async (payload) => {
      const { messageId } = messageJob.parse(payload)
      while (await notifyNext(db.write, messageId, { now: clock.now(), site }));
    },
  },
]
