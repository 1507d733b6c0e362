import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'turnout-test-context-'))
after(() => rmSync(folder, { recursive: true }))

/** What it prints and what the runner reports must come in the same order, each error with the same test. */
const FILE = `
import { executionAsyncId } from 'node:async_hooks'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const open = async (name) => {
  await sleep(1)
  after(() => console.log('prints: closes', name))
}
after(() => console.log('prints: closes the file'))
describe('a suite', async () => {
  await sleep(1)
  before(() => open('the suite'))
  test('with a part', async (t) => {
    await open('the test')
    await t.test('the part', () => open('the part'))
    console.log('prints: ends after its part')
  })
  test('with parts side by side', { concurrency: 2 }, (t) =>
    Promise.all([t.test('one', () => open('one')), t.test('two', () => open('two'))]))
  test('with an error in a timer', async () => {
    await sleep(1)
    setTimeout(() => { throw new Error('in the timer') })
    await new Promise(() => {})
  })
  test('with a rejection that nobody handles', async () => {
    await sleep(1)
    Promise.reject(new Error('rejected'))
    await sleep(5)
  })
  test('after errors', () => sleep(1))
})
test('promises', async () => {
  await Promise.resolve()
  console.log('follows:', executionAsyncId() === 0 ? 'nothing' : 'a promise')
})
`
const file = join(folder, 'some.test.mjs')
writeFileSync(file, FILE)

function run(execArgs: string[]): Promise<string> {
  // Without the variable that makes it report to the runner of this test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((done) => {
    execFile(process.execPath, [...execArgs, '--test-reporter=tap', file], { env }, (_error, stdout) => done(stdout))
  })
}

const isPrinted = (line: string): boolean => line.startsWith('prints: ')

/** The runner writes its report later than the tests print. */
function sortOut(output: string): { printed: string[]; reported: string[] } {
  const lines = output.split('\n').filter((line) => !/duration_ms|^follows: /.test(line))
  return { printed: lines.filter(isPrinted), reported: lines.filter((line) => !isPrinted(line)) }
}

const WITH_CONTEXT = ['--import', fileURLToPath(new URL('test-context.ts', import.meta.url))]

describe('the context of tests', () => {
  test('attributes hooks, parts and errors like the runner of Node', async () => {
    const usual = sortOut(await run([]))
    assert.equal(usual.printed.length, 7)
    assert.ok(usual.reported.includes('# pass 7'))
    assert.ok(usual.reported.includes('# fail 2'))
    assert.deepEqual(sortOut(await run(WITH_CONTEXT)), usual)
  })

  test('follows no promises', async () => {
    assert.match(await run([]), /^follows: a promise$/m)
    assert.match(await run(WITH_CONTEXT), /^follows: nothing$/m)
  })
})
