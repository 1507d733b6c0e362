import { setTimeout as sleep } from 'node:timers/promises'
import type { CronItem, JobHelpers, Runner } from 'graphile-worker'
import { loadGraphileWorker } from '#platform/db/graphile-worker.ts'
import type { Database } from '#platform/db/pool.ts'
import { makePool } from '#platform/db/pool.ts'
import type { Log } from '#platform/log.ts'
import { retryConnections } from './retrying-pool.ts'

/** A background job. It may run twice after a crash, so it must be idempotent. */
export type Task = {
  name: string
  run: (payload: Record<string, unknown>) => Promise<void>
  /** Crontab expression in UTC, for tasks that run periodically. */
  schedule?: string
  /** Runs although the module of its feature is off. */
  isAlwaysOn?: true
}

export type Worker = { isRunning: () => boolean; stop: () => Promise<void> }
type WorkerOptions = {
  url: string
  tasks: Task[]
  log: Log
  concurrency?: number
  /** How long `stop` waits for running jobs or for an unreachable database. */
  shutdownTimeoutMs?: number
}

/** The name of the task in a message of the library, such as “Failed task 30 (send_mails, 12.31ms, attempt 1 of 3) with error …”. */
export const taskIn = (message: string): string | undefined => /^Failed task \S+ \((\w+),/.exec(message)?.[1]

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, tasks, log, concurrency = 2, shutdownTimeoutMs = 20_000 } = options
  // A separate pool: long jobs must not delay requests.
  const pool = makePool({
    url,
    max: concurrency + 2,
    statementTimeoutMs: 600_000,
    onError: (error) => log.warn({ err: error }, 'worker database connection failed'),
  })
  const { Logger, parseCronItems, run } = loadGraphileWorker()
  const state = { running: true }
  const stopped = new AbortController()
  const runner: Runner = await run({
    pgPool: retryConnections(pool, stopped.signal),
    concurrency,
    noHandleSignals: true,
    pollInterval: 5_000,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error({ worker: message, task: taskIn(message) }, 'background job failed')
    }),
    taskList: Object.fromEntries(
      tasks.map((task) => [task.name, (payload, helpers) => perform(task, (payload ?? {}) as Record<string, unknown>, helpers)]),
    ),
    parsedCronItems: parseCronItems(cronItemsOf(tasks)),
  })
  const ended = runner.promise.finally(() => {
    state.running = false
  })
  ended.catch((error) => log.error({ err: error }, 'worker stopped unexpectedly'))
  return {
    isRunning: () => state.running,
    stop: async () => {
      const end = async () => {
        if (state.running) await runner.stop()
        // `stop` returns before the last job is marked as done.
        await ended.catch(() => {})
        await pool.end()
      }
      const timeout = new AbortController()
      const timedOut = sleep(shutdownTimeoutMs, undefined, { signal: timeout.signal }).then(
        () => log.warn('worker did not stop in time'),
        () => {}, // aborted: it stopped in time
      )
      await Promise.race([end(), timedOut])
      timeout.abort()
      stopped.abort()
    },
  }
}

/** Of the tasks that run periodically. */
export const cronItemsOf = (tasks: readonly Task[]): CronItem[] =>
  tasks.flatMap(({ name, schedule }) =>
    schedule ? [{ task: name, match: schedule, identifier: name, options: { maxAttempts: 3 } }] : [],
  )

/** An error with `isFinal` ends the attempts: the job stays as a failed one, and whoever removes the cause schedules it again. */
async function perform(task: Task, payload: Record<string, unknown>, { job, query }: JobHelpers): Promise<void> {
  try {
    await task.run(payload)
  } catch (error) {
    if ((error as { isFinal?: unknown }).isFinal === true)
      await query('update graphile_worker._private_jobs set attempts = max_attempts where id = $1', [job.id])
    throw error
  }
}

/** Jobs that have been due for 15 minutes. */
export async function countOverdueJobs(db: Database): Promise<number> {
  const { rows } = await db.readPool.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker.jobs where run_at < now() - interval '15 minutes' and attempts < max_attempts`,
  )
  return rows[0]!.count
}

/** Undefined while the database is unreachable. */
export const overdueJobsGauge = (db: Database) => ({
  name: 'turnout_jobs_overdue' as const,
  help: 'Background jobs that wait for more than 15 minutes',
  read: () => countOverdueJobs(db).catch(() => undefined),
})
