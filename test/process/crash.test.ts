import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chooseSize } from '#test/support/sizes.ts'
import { crashTheApp, killTheDatabase } from '../support/process/crashes.ts'
import { endAll, newDataDir } from '../support/process/processes.ts'

after(endAll)

/** Of both tests: making an instance takes longer than its end. */
const dataDir = newDataDir()
/** Every second crash takes the database with it. */
const CRASHES = chooseSize({ usual: 2, full: 5 })
const OUTAGES = chooseSize({ usual: 1, full: 2 })

test('a server killed during sign-ins restarts with every acknowledged write, and its old database process is gone', async () => {
  let rounds = 0
  for await (const { written } of crashTheApp(CRASHES, dataDir)) {
    rounds++
    assert.ok(written > 0)
  }
  assert.equal(rounds, CRASHES)
})

test('answers 503 with Retry-After while the database is down, and recovers without a restart', async () => {
  let rounds = 0
  for await (const { answers, refused } of killTheDatabase(OUTAGES, dataDir)) {
    rounds++
    assert.ok(refused > 0 && answers > refused)
  }
  assert.equal(rounds, OUTAGES)
})
