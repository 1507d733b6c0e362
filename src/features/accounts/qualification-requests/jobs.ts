import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { applyEventQualification } from './commands/event-qualifications.ts'
import { deleteOldProofs } from './commands/requests.ts'
import { findEndedEvents } from './queries.ts'

type Options = { db: Database; clock: Clock; site: Site }

/** One transaction for each event, so that a failing one does not stop the others for long. */
export async function applyEndedEvents({ db, clock, site }: Options): Promise<void> {
  const now = clock.now()
  for (const eventId of await findEndedEvents(db.write, now)) await applyEventQualification(db.write, eventId, { now, site })
}

export const qualificationTasks = (options: Options): Task[] => [
  { name: 'grant_event_qualifications', schedule: '*/10 * * * *', run: () => applyEndedEvents(options) },
  { name: 'delete_old_proofs', schedule: '53 3 * * *', run: () => deleteOldProofs(options.db, options.clock.now()) },
]
