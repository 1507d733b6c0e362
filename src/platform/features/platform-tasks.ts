import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { deleteOldMarks } from '#platform/db/state.ts'
import type { FileStore } from '#platform/files/store.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { deleteExpiredKeys } from '#platform/http/idempotency.ts'
import { deleteEndedCounts } from '#platform/http/shared-counts.ts'
import type { Task } from '#platform/jobs/worker.ts'

/** Tasks that belong to no feature. */
export const platformTasks = ({ db, clock, files }: { db: Database; clock: Clock; files: FileStore }): Task[] => [
  { name: 'clean_up_files', schedule: '23 * * * *', run: () => deleteUnusedFiles(db.write, files, clock.now()) },
  { name: 'clean_up_cache_marks', schedule: '37 * * * *', run: () => deleteOldMarks(db.write) },
  { name: 'clean_up_idempotency_keys', schedule: '29 * * * *', run: () => deleteExpiredKeys(db.write, clock.now()) },
  { name: 'clean_up_rate_limits', schedule: '*/5 * * * *', run: () => deleteEndedCounts(db.write, clock.now()) },
]
