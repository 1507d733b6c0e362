import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { findMutants } from '../scripts/mutation/mutants.ts'
import { runInProcess, stopProcesses } from '../scripts/mutation/test-process.ts'
import { TestWorker } from '../scripts/mutation/test-worker.ts'

const FILE = 'test/support/mutation/discount.ts'
const OTHER_FILE = 'test/support/mutation/unknown-cases.ts'
const TESTS = ['test/support/mutation/discount-cases.ts']
const TIMEOUT_MS = 600_000

const mutants = findMutants(readFileSync(FILE, 'utf8'))
const worker = new TestWorker()
after(() => {
  worker.stop()
  stopProcesses()
})

test('the worker runs as many tests as node:test', async () => {
  const inProcess = await runInProcess(undefined, TESTS, TIMEOUT_MS)
  assert.deepEqual(await worker.run(FILE, TESTS), inProcess)
  assert.deepEqual(inProcess, { outcome: 'passed', count: 5 })
})

test('the worker and a process come to the same verdicts about mutants', async () => {
  const verdicts: [change: string, inWorker: string, inProcess: string][] = []
  for (const mutant of mutants) {
    const { outcome } = await worker.run(FILE, TESTS, mutant)
    const inProcess = await runInProcess({ ...mutant, file: FILE }, TESTS, TIMEOUT_MS)
    verdicts.push([`${mutant.line}: ${mutant.from} → ${mutant.to}`, outcome, inProcess.outcome])
  }
  assert.deepEqual(verdicts, [
    ['3: (count > 10) → (true)', 'failed', 'failed'],
    ['3: (count > 10) → (false)', 'failed', 'failed'],
    ['3: > → >=', 'passed', 'passed'],
    ['3: > → <=', 'failed', 'failed'],
    ['3: 10 → (10 + 1)', 'passed', 'passed'],
    ['3: * → /', 'failed', 'failed'],
    ['3: 4 → (4 + 1)', 'failed', 'failed'],
    ['4: * → /', 'failed', 'failed'],
    ['4: 4 → (4 + 1)', 'failed', 'failed'],
    ['4: * → /', 'failed', 'failed'],
    ['4: 5 → (5 + 1)', 'failed', 'failed'],
  ])
})

test('the file is loaded without the mutant after it', async () => {
  const noticed = mutants.find(({ from }) => from === '5')!
  const { failure } = await worker.run(FILE, TESTS, noticed)
  assert.match(failure!, /10 €/)
  assert.deepEqual(await worker.run(FILE, TESTS), { outcome: 'passed', count: 5 })
})

test('a mutant that loops forever is too slow, and the next process knows what imports what', async () => {
  const noticed = mutants.find(({ from }) => from === '5')!
  const looping = { ...noticed, to: '(() => { for (;;); })()' }
  assert.deepEqual(await worker.run(FILE, TESTS, looping), { outcome: 'too slow', count: 0 })
  assert.equal((await worker.run(FILE, TESTS, noticed)).outcome, 'failed')
  // Modules between the tests and the mutant would keep it, if they had not been copied for it.
  assert.deepEqual(await worker.run(OTHER_FILE, TESTS), { outcome: 'passed', count: 5 })
})

test('the worker refuses tests with options that it does not know', async () => {
  const { outcome, failure } = await worker.run(FILE, [OTHER_FILE])
  assert.equal(outcome, 'failed')
  assert.match(failure!, /does not know this form: a form that the worker does not know plan/)
})
