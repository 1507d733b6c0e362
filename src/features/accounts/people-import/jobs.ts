import { getActingPerson } from '#features/accounts/users/queries/actor.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { listRequest } from '#platform/journal/list-requests.ts'
import { applyImport, IMPORT_TASK, reopen } from './commands/apply.ts'
import { resumeImports } from './commands/resume.ts'
import { deleteOldImports } from './commands/start.ts'
import { undoImport } from './commands/undo.ts'
import { getImport } from './queries/imports.ts'

type ImportJobs = { db: Database; clock: Clock; site: Site }

async function runImport(jobs: ImportJobs, { id, by }: { id: number; by: number | null }): Promise<void> {
  const { db, clock, site } = jobs
  const list = await getImport(db.write, id)
  if (!list) return
  const actor = by === null ? ANONYMOUS : await getActingPerson(db.write, by)
  if (!actor) return reopen(db.write, id, 'not_allowed')
  const isUndo = list.state === 'undo_waiting' || list.state === 'undoing'
  const requestId = listRequest(id, { isUndo })
  const context: CommandContext = { db: db.write, actor, now: clock.now(), site, requestId }
  const onProgress = (done: number, total: number) =>
    // Outside of the transaction, so that the page sees it.
    void db.write
      .updateTable('people_import')
      .set({ done, total })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
  if (isUndo) return undoImport(context, id, { onProgress })
  try {
    await applyImport(context, id, { onProgress })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await db.write.updateTable('people_import').set({ refusal: 'not_allowed' }).where('id', '=', id).execute()
  }
}

export const peopleImportTasks = (jobs: ImportJobs): Task[] => [
  { name: IMPORT_TASK, run: ({ id, by }) => runImport(jobs, { id: Number(id), by: typeof by === 'number' ? by : null }) },
  { name: 'resume_people_imports', schedule: '* * * * *', run: () => resumeImports(jobs.db.write) },
  { name: 'clean_up_people_imports', schedule: '11 * * * *', run: () => deleteOldImports(jobs.db.write, jobs.clock.now()) },
]
