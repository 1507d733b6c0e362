import { getActingPerson } from '#features/accounts/users/queries/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { ACTION_TASK, reopenAction, resumeActions, runAction } from './commands/run.ts'
import { deleteOldActions } from './commands/select.ts'

type ActionJobs = { db: Database; clock: Clock; site: Site }

async function run({ db, clock, site }: ActionJobs, { id, by }: { id: number; by: number }): Promise<void> {
  const actor = await getActingPerson(db.write, by)
  if (!actor) return reopenAction(db.write, id)
  const context: CommandContext = { db: db.write, actor, now: clock.now(), site, requestId: null }
  const onProgress = (done: number) =>
    // Outside of the transaction, so that the page sees it.
    void db.write
      .updateTable('people_action')
      .set({ done })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
  try {
    await runAction(context, id, { onProgress })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await reopenAction(db.write, id)
  }
}

export const peopleActionTasks = (jobs: ActionJobs): Task[] => [
  { name: ACTION_TASK, run: ({ id, by }) => run(jobs, { id: Number(id), by: Number(by) }) },
  { name: 'resume_people_actions', schedule: '* * * * *', run: () => resumeActions(jobs.db.write) },
  { name: 'clean_up_people_actions', schedule: '17 * * * *', run: () => deleteOldActions(jobs.db.write, jobs.clock.now()) },
]
