import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#platform/db/migrate.ts'
import { makeLog } from '#platform/log.ts'
import { newDir, query, queryUntilItWorks, start, waitUntilGone } from '#test/support/embedded-server.ts'
import { startWorker } from './worker.ts'

/** A guard against hanging, not a measure. */
const GUARD_MS = 10 * 60_000

for (const [what, outcome] of [
  ['is done', () => {}],
  [
    'fails',
    () => {
      throw new Error('as planned')
    },
  ],
] as const) {
  test(`a job that ${what} while the database is unavailable is recorded after reconnecting, and the worker continues`, {
    timeout: GUARD_MS,
  }, async (t) => {
    const server = await start(t, newDir())
    await migrate({ url: server.url })
    const runs: number[] = []
    const ran = Promise.withResolvers<void>()
    const worker = await startWorker({
      url: server.url,
      log: makeLog('silent'),
      tasks: [
        {
          name: 'endure',
          run: async () => {
            runs.push(server.pid())
            process.kill(server.pid(), 'SIGKILL')
            await waitUntilGone(server.pid())
            outcome()
          },
        },
        { name: 'after', run: async () => ran.resolve() },
      ],
    })
    await query(server.url, `select graphile_worker.add_job('endure')`)
    const isFree = `select 1 where not exists (select from graphile_worker.jobs where locked_by is not null)`
    while (runs.length === 0 || (await queryUntilItWorks(server.url, isFree)).length === 0) await sleep(50)
    const left = await query(server.url, 'select last_error from graphile_worker.jobs')
    assert.deepEqual(left, what === 'is done' ? [] : [{ last_error: 'as planned' }])
    await query(server.url, `select graphile_worker.add_job('after')`)
    await ran.promise
    assert.equal(worker.isRunning(), true)
    assert.equal(runs.length, 1)
    await worker.stop()
  })
}

test('the worker stops while the database is unavailable', { timeout: GUARD_MS }, async (t) => {
  const server = await start(t, newDir())
  await migrate({ url: server.url })
  const ran = Promise.withResolvers<void>()
  const lost = async () => {
    await server.stop()
    ran.resolve()
  }
  const tasks = [{ name: 'lose', run: lost }]
  const worker = await startWorker({ url: server.url, log: makeLog('silent'), tasks, shutdownTimeoutMs: 100 })
  await query(server.url, `select graphile_worker.add_job('lose')`)
  await ran.promise
  await worker.stop()
})
