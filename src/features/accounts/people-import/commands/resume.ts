import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { IMPORT_TASK, reopen } from './apply.ts'

type Stuck = { id: number; state: 'running' | 'undoing'; job: { payload: Record<string, unknown>; isLocked: boolean } | null }

/** Every list is applied and undone under this lock; a process that was killed no longer holds it. */
type TryLock = (tx: Tx) => Promise<boolean>
const tryLock: TryLock = async (tx) => {
  const { isFree } = await rowsOf(tx).one(sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('turnout.people_import')) as "isFree"`)
  return isFree
}

/**
 * Lists whose process was killed: the job is started again, because the queue would wait for hours. Without a job, as from the command
 * line, the list is opened again. Nothing was written, because a list is one transaction. A job too many is harmless: it finds the list
 * done.
 */
export async function resumeImports(db: Kysely<DB>, isFree: TryLock = tryLock): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await isFree(tx))) return
    // never null: state
    const { rows } = await sql<Stuck>`
      select i.id, i.state, (
        select json_build_object('payload', j.payload, 'isLocked', j.locked_at is not null)
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = ${IMPORT_TASK} and j.payload->>'id' = i.id::text and j.attempts < j.max_attempts
        order by j.locked_at nulls first limit 1) as job
      from people_import i where i.state in ('running', 'undoing')`.execute(tx)
    for (const { id, state, job } of rows) {
      if (job?.isLocked)
        await sql`select graphile_worker.add_job(${IMPORT_TASK}, ${JSON.stringify(job.payload)}::json,
          job_key := ${`resume ${IMPORT_TASK} ${id}`})`.execute(tx)
      else if (!job && state === 'running') await reopen(tx, id, 'failed')
      else if (!job) await tx.updateTable('people_import').set({ state: 'applied' }).where('id', '=', id).execute()
    }
  })
}
