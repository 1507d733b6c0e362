import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { crashTheApp, killTheDatabase } from '../support/process/crashes.ts'
import { endAll } from '../support/process/processes.ts'

after(endAll)

test('an app that is killed while people sign in comes back with all that was acknowledged, and without its old database', async () => {
  let rounds = 0
  for await (const { written } of crashTheApp(5)) {
    rounds++
    assert.ok(written > 0)
  }
  assert.equal(rounds, 5)
})

test('while the database is away people are asked to come back, and it heals by itself', async () => {
  let rounds = 0
  for await (const { answers, refused } of killTheDatabase(2)) {
    rounds++
    assert.ok(refused > 0 && answers > refused)
  }
  assert.equal(rounds, 2)
})
