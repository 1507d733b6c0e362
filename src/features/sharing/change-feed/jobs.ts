import type { Clock } from '#platform/clock.ts'
import { listen } from '#platform/db/listen.ts'
import type { Database } from '#platform/db/pool.ts'
import { oncePerRuntime } from '#platform/features/runtime.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Log } from '#platform/log.ts'
import { CHANGE_CHANNEL, deleteOldChanges, sequenceChanges } from './commands/sequence.ts'
import { attachFeed, ChangeFeed, type FeedOptions } from './feed.ts'

type FeedSetup = { db: Database; clock: Clock; log: Log; databaseUrl: string } & Pick<
  FeedOptions,
  'limits' | 'pollMs' | 'restMs' | 'heartbeatMs'
>

/** So that a request does not wait for a very long transaction. Its answer says that there is more. */
const BATCHES_PER_READ = 5

/** The change feed of this process. It connects on first use. */
export function openChangeFeed({ db, clock, log, databaseUrl, ...options }: FeedSetup): ChangeFeed {
  const onError = (error: Error) => log.warn({ err: error }, 'the change feed could not be read')
  const feed = new ChangeFeed({
    db: db.read,
    sequence: () => sequenceChanges(db.write, clock.now(), BATCHES_PER_READ),
    listen: (onMessage) => listen({ url: databaseUrl, channel: CHANGE_CHANNEL, onMessage, onError }),
    onError,
    ...options,
  })
  attachFeed(db.read, feed)
  return feed
}

export const changeFeedOf = oncePerRuntime(({ db, clock, log, databaseUrl }) => openChangeFeed({ db, clock, log, databaseUrl }))

export const changeTasks = ({ db, clock }: { db: Database; clock: Clock }): Task[] => [
  {
    // Readers do it themselves; this keeps the table small while nobody reads.
    name: 'sequence_changes',
    schedule: '* * * * *',
    run: async () => {
      await sequenceChanges(db.write, clock.now())
    },
  },
  {
    name: 'delete_old_changes',
    schedule: '29 3 * * *',
    run: async () => {
      await deleteOldChanges(db.write, clock.now())
    },
  },
]
