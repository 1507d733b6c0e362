import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run } from 'graphile-worker'
import type { Database } from '#platform/db/pool.ts'
import { makePool } from '#platform/db/pool.ts'
import type { Log } from '#platform/log.ts'
import { retryConnections } from './retrying-pool.ts'

/** Background work. It may run twice after a crash, so doing it again must do no harm. */
export type Task = {
  name: string
  run: (payload: Record<string, unknown>) => Promise<void>
  /** When it runs by itself, as a line of a crontab in UTC. */
  schedule?: string
}

export type Worker = { isRunning: () => boolean; stop: () => Promise<void> }
export type WorkerOptions = {
  url: string
  tasks: Task[]
  log: Log
  concurrency?: number
  /** How long stopping waits for running jobs, or for a database that is away. */
  shutdownTimeoutMs?: number
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, tasks, log, concurrency = 2, shutdownTimeoutMs = 20_000 } = options
  // Jobs get connections of their own: a long one must not hold up the requests of people.
  const pool = makePool({
    url,
    max: concurrency + 2,
    statementTimeoutMs: 600_000,
    onError: (error) => log.warn({ err: error }, 'worker connection'),
  })
  const state = { running: true }
  const over = new AbortController()
  const runner: Runner = await run({
    pgPool: retryConnections(pool, over.signal),
    concurrency,
    noHandleSignals: true,
    pollInterval: 5_000,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error({ worker: message }, 'background work')
    }),
    taskList: Object.fromEntries(
      tasks.map((task) => [task.name, (payload) => task.run((payload ?? {}) as Record<string, unknown>)]),
    ),
    parsedCronItems: parseCronItems(
      tasks
        .filter((task) => task.schedule)
        .map((task) => ({ task: task.name, match: task.schedule!, identifier: task.name, options: { maxAttempts: 3 } })),
    ),
  })
  const ended = runner.promise.finally(() => {
    state.running = false
  })
  ended.catch((error) => log.error({ err: error }, 'background work has stopped'))
  return {
    isRunning: () => state.running,
    stop: async () => {
      const end = async () => {
        if (state.running) await runner.stop()
        // The first alone returns before the last job is marked as done.
        await ended.catch(() => {})
        await pool.end()
      }
      const late = new AbortController()
      const giveUp = sleep(shutdownTimeoutMs, undefined, { signal: late.signal }).then(
        () => log.warn('background work did not end in time'),
        () => {}, // it did
      )
      await Promise.race([end(), giveUp])
      late.abort()
      over.abort()
    },
  }
}

/** How far behind background work is, for the doctor. */
export async function countOverdueJobs(db: Database): Promise<number> {
  const { rows } = await db.readPool.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker.jobs where run_at < now() - interval '15 minutes' and attempts < max_attempts`,
  )
  return rows[0]!.count
}

/** For monitoring; a database that is away says nothing here. */
export const overdueJobsGauge = (db: Database) => ({
  name: 'turnout_jobs_overdue' as const,
  help: 'Background jobs that wait for more than 15 minutes',
  read: () => countOverdueJobs(db).catch(() => undefined),
})
