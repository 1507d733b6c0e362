import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { crashTheApp, killTheDatabase } from '../support/process/crashes.ts'
import { endAll } from '../support/process/processes.ts'

after(endAll)

test('a server killed during sign-ins restarts with every acknowledged write, and its old database process is gone', async () => {
  let rounds = 0
  for await (const { written } of crashTheApp(5)) {
    rounds++
    assert.ok(written > 0)
  }
  assert.equal(rounds, 5)
})

test('answers 503 with Retry-After while the database is down, and recovers without a restart', async () => {
  let rounds = 0
  for await (const { answers, refused } of killTheDatabase(2)) {
    rounds++
    assert.ok(refused > 0 && answers > refused)
  }
  assert.equal(rounds, 2)
})
