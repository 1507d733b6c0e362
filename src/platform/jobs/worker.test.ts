import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { makeLog } from '#platform/log.ts'
import { freshDatabase } from '#test/support/database.ts'
import { cronItemsOf, startWorker, type Task, taskIn } from './worker.ts'

async function start(t: TestContext, tasks: Task[]) {
  const { url, drop } = await freshDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const worker = await startWorker({ url, tasks, log: makeLog('silent') })
  t.after(async () => {
    if (worker.isRunning()) await worker.stop()
    await client.end()
    await drop()
  })
  const queue = (task: string, payload: object = {}) =>
    client.query('select graphile_worker.add_job($1, $2::json)', [task, JSON.stringify(payload)])
  const waiting = async () =>
    (
      await client.query(
        'select task_identifier as task, attempts, last_error, run_at > now() as later from graphile_worker.jobs order by id',
      )
    ).rows
  return { url, client, worker, queue, waiting }
}

/** A task that tells when it runs. */
function telling(name: string) {
  const runs: Record<string, unknown>[] = []
  let next = Promise.withResolvers<void>()
  const task: Task = {
    name,
    run: async (payload) => {
      runs.push(payload)
      next.resolve()
      next = Promise.withResolvers()
    },
  }
  return { task, runs, ran: () => next.promise }
}

test('a job runs when its transaction commits, and never when it is rolled back', async (t) => {
  const { task, runs, ran } = telling('tell')
  const { client, queue } = await start(t, [task])
  await client.query('begin')
  await queue('tell', { n: 1 })
  await client.query('rollback')
  await client.query('begin')
  await queue('tell', { n: 2 })
  assert.deepEqual(runs, [])
  const first = ran()
  await client.query('commit')
  await first
  assert.deepEqual(runs, [{ n: 2 }])
})

test('a job that fails is kept and retried later', async (t) => {
  const { task: wake, ran: woken } = telling('wake')
  let tries = 0
  const succeeded = Promise.withResolvers<void>()
  const flaky: Task = {
    name: 'flaky',
    run: async () => {
      if (++tries === 1) throw new Error('not yet')
      succeeded.resolve()
    },
  }
  const { client, queue, waiting, worker } = await start(t, [flaky, wake])
  await queue('flaky')
  let rows = await waiting()
  while (!rows[0]?.last_error) rows = await waiting()
  assert.deepEqual([rows[0].attempts, rows[0].last_error, rows[0].later], [1, 'not yet', true])
  // Instead of waiting for its time; the second job wakes the worker up.
  await client.query(`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`)
  const awake = woken()
  await queue('wake')
  await Promise.all([succeeded.promise, awake])
  await worker.stop()
  assert.equal(tries, 2)
  assert.deepEqual(await waiting(), [])
})

test('stopping waits for the running job', async (t) => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let ended = false
  const slow: Task = {
    name: 'slow',
    run: async () => {
      begun.resolve()
      await release.promise
      ended = true
    },
  }
  const { worker, queue, waiting } = await start(t, [slow])
  assert.equal(worker.isRunning(), true)
  await queue('slow')
  await begun.promise
  const stopped = worker.stop().then(() => assert.equal(ended, true))
  release.resolve()
  await stopped
  assert.equal(worker.isRunning(), false)
  assert.deepEqual(await waiting(), [])
})

test('stopping leaves no timer behind that would keep the process alive, and tells nothing', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const lines: string[] = []
  const { url, drop } = await freshDatabase()
  t.after(drop)
  const log = makeLog('trace', { write: (line: string) => void lines.push(line) })
  const worker = await startWorker({ url, tasks: [], log })
  assert.ok(timers() > before, 'it looks for jobs at intervals')
  await worker.stop()
  // Timers of earlier tests may end meanwhile.
  assert.ok(timers() <= before, `${timers()} timers, ${before} before`)
  assert.deepEqual(lines, [])
})

test('a worker for one job at a time runs them one after the other, and leaves signals to the process', async (t) => {
  const { url, client } = await start(t, [])
  const signals = () => ['SIGTERM', 'SIGINT'].map((signal) => process.listenerCount(signal))
  const before = signals()
  const done = Promise.withResolvers<void>()
  const steps: string[] = []
  const run = async ({ name }: Record<string, unknown>) => {
    steps.push(`${name} begins`)
    await client.query('select')
    steps.push(`${name} ends`)
    if (steps.length === 4) done.resolve()
  }
  const worker = await startWorker({ url, tasks: [{ name: 'step', run }], log: makeLog('silent'), concurrency: 1 })
  t.after(() => worker.stop())
  assert.deepEqual(signals(), before)
  for (const name of ['a', 'b'])
    await client.query('select graphile_worker.add_job($1, $2::json)', ['step', JSON.stringify({ name })])
  await done.promise
  assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends'])
})

test('the next worker runs the jobs that a stopped worker left', async (t) => {
  const { task, runs, ran } = telling('tell')
  const { url, worker, queue, waiting } = await start(t, [task])
  await worker.stop()
  await queue('tell')
  assert.equal((await waiting()).length, 1)
  const next = ran()
  const other = await startWorker({ url, tasks: [task], log: makeLog('silent') })
  await next
  await other.stop()
  assert.equal(runs.length, 1)
})

test('an invalid crontab is rejected when the worker starts', async (t) => {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  const never = { name: 'never', schedule: 'sometimes', run: async () => {} }
  await assert.rejects(startWorker({ url, tasks: [never], log: makeLog('silent') }), /sometimes/)
})

test('a job whose error is final is kept, but not tried again', async (t) => {
  const { task: wake, ran: woken } = telling('wake')
  const failing = (name: string, error: Error): Task => ({
    name,
    run: async () => {
      throw error
    },
  })
  const final = failing('final', Object.assign(new Error('for good'), { isFinal: true }))
  const { queue, client, waiting } = await start(t, [wake, final, failing('again', new Error('for now'))])
  await queue('final')
  await queue('again')
  const isDone = async () => (await waiting()).filter(({ last_error }) => last_error !== null).length === 2
  while (!(await isDone())) {
    const run = woken()
    await queue('wake')
    await run
  }
  const { rows } = await client.query(
    "select task_identifier as task, attempts = max_attempts as ended, attempts from graphile_worker.jobs where task_identifier <> 'wake' order by id",
  )
  assert.deepEqual(
    rows.map(({ task, ended }) => [task, ended]),
    [
      ['final', true],
      ['again', false],
    ],
  )
})

test('tasks with a schedule are planned under their names, with three attempts', async (t) => {
  const run = async () => {}
  const tasks: Task[] = [
    { name: 'nightly', schedule: '30 1 * * *', run },
    { name: 'unplanned', run },
  ]
  const { client } = await start(t, tasks)
  const planned = async () =>
    (await client.query<{ name: string }>('select identifier as name from graphile_worker._private_known_crontabs')).rows
  while (!(await planned()).length);
  assert.deepEqual(await planned(), [{ name: 'nightly' }])
  assert.deepEqual(cronItemsOf(tasks), [
    { task: 'nightly', match: '30 1 * * *', identifier: 'nightly', options: { maxAttempts: 3 } },
  ])
})

test('a failed job is in the log, by its name', async (t) => {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  const lines: Record<string, unknown>[] = []
  const told = Promise.withResolvers<void>()
  const log = makeLog('trace', {
    write: (line: string) => {
      lines.push(JSON.parse(line))
      told.resolve()
    },
  })
  const run = async () => {
    throw new Error('as planned')
  }
  const worker = await startWorker({ url, tasks: [{ name: 'failing', run }], log })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`select graphile_worker.add_job('failing')`)
  await told.promise
  await worker.stop()
  await client.end()
  assert.deepEqual(
    lines.map(({ level, msg, task }) => [level, msg, task]),
    [[50, 'background job failed', 'failing']],
  )
  assert.match(String(lines[0]!.worker), /as planned/)
})

test('messages about a failed task name it', () => {
  assert.equal(taskIn("Failed task 30 (send_mails, 12559.31ms, attempt 1 of 3) with error 'x (y, z)'"), 'send_mails')
  assert.equal(taskIn('Cron hit an error; restarting (attempt 1)'), undefined)
})
