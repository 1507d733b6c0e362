import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { countOverdueJobs, overdueJobsGauge } from './worker.ts'

const { url } = await freshDatabase()
const db = openTestDatabase({ url })
after(db.close)

test('jobs that wait for more than 15 minutes and have attempts left are overdue', async () => {
  const add = (minutes: number) =>
    db.readPool.query(`select graphile_worker.add_job('a', run_at => now() - make_interval(mins => $1))`, [minutes])
  await add(-60)
  await add(14)
  assert.equal(await countOverdueJobs(db), 0)
  await add(16)
  await add(60)
  assert.equal(await countOverdueJobs(db), 2)
  // One has failed for the last time.
  await db.readPool.query(`update graphile_worker._private_jobs set attempts = max_attempts
    where id = (select id from graphile_worker._private_jobs order by run_at limit 1)`)
  assert.equal(await countOverdueJobs(db), 1)
  const gauge = overdueJobsGauge(db)
  assert.deepEqual(
    [gauge.name, gauge.help, await gauge.read()],
    ['turnout_jobs_overdue', 'Background jobs that wait for more than 15 minutes', 1],
  )
})

test('the number is unknown without a database', async () => {
  const gone = openTestDatabase({ url })
  await gone.close()
  assert.equal(await overdueJobsGauge(gone).read(), undefined)
})
