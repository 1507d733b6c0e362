import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('./test-context.ts', import.meta.url))

const FILE = `
import { createHook } from 'node:async_hooks'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
const done = []
describe('a suite that waits', async () => {
  await sleep(1)
  before(async () => {
    await sleep(1)
    after(() => done.push('after of the hook'))
  })
  test('one', async () => {
    await sleep(1)
    after(() => done.push('after of one'))
  })
  test('two', (t) => t.diagnostic('in ' + t.fullName + ' after ' + done))
})
test('parallel', { concurrency: true }, async (t) => {
  await Promise.all(['left', 'right'].map((name) => t.test(name, async (each) => {
    await sleep(1)
    after(() => each.diagnostic('after of ' + name))
  })))
})
test('throws later', async () => {
  setTimeout(() => { throw new Error('thrown later') }, 1)
  await sleep(60_000, undefined, { ref: false })
})
test('rejects unseen', async () => {
  await sleep(1)
  Promise.reject(new Error('rejected'))
  await sleep(60_000, undefined, { ref: false })
})
test('sees the hooks of Node', async (t) => {
  let seen = 0
  const hook = createHook({ init: () => void seen++ }).enable()
  await sleep(1)
  hook.disable()
  t.diagnostic('hooks ' + (seen > 0))
})
`

describe('the context of tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-context-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'nested.test.mjs'), FILE)

  /** What the runner reports of the file, without durations and places. */
  const report = (options: string[]): string => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const args = [...options, '--test-reporter=tap', join(folder, 'nested.test.mjs')]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    return stdout.replaceAll(/^ *(duration_ms|location|stack|at ).*\n|^ *(.*[/\\].*|node:.*)\n|duration_ms.*/gm, '')
  }

  test('assigns tests, hooks and errors to the same tests as the runner alone', () => {
    const expected = report([])
    assert.match(expected, /in a suite that waits > two after after of the hook,after of one/)
    for (const name of ['throws later', 'rejects unseen']) assert.match(expected, new RegExp(`not ok \\d+ - ${name}`))
    assert.match(expected, /hooks true/)
    assert.equal(report(['--import', MODULE]), expected)
  })
})
