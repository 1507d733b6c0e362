import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { keepCoverage, recordCoverage } from '../scripts/mutation/database/coverage.ts'
import { judgeMutants, type NearTests, type Verdict } from '../scripts/mutation/database/judge.ts'
import { findMutants } from '../scripts/mutation/database/mutated-modules.ts'
import { judgeTogether } from '../scripts/mutation/database/together.ts'
import { DatabaseWorker } from '../scripts/mutation/database/worker.ts'
import { startTestServer } from './support/postgres-server.ts'

const TESTS = 'test/support/mutation/stock-cases.ts'
const OPTIONS = { isConfirmed: true, mostMs: 600_000, patienceMs: 600_000 }

// A server of its own: databases of tests that are ended are dropped, whichever test made them.
const { url: server, stop } = await startTestServer()
const worker = new DatabaseWorker(server)
after(async () => {
  await worker.stop()
  await stop()
})
const mutants = findMutants(['test/support/mutation/stock.ts'])
const coverage = await recordCoverage(TESTS, worker)

const describeVerdict = ({ mutant, outcome }: Verdict): string =>
  `${mutant.line}: ${mutant.from} → ${mutant.to || 'nothing'}: ${outcome}`

function makeTests(isKnown: boolean): NearTests {
  let known = isKnown ? coverage : undefined
  const keep: NearTests['keep'] = (...run) => {
    known = keepCoverage(...run)
    return known
  }
  return { of: () => [TESTS], known: () => known, keep, cover: async () => coverage }
}

async function judgeAll(all: typeof mutants, isKnown = true): Promise<string[]> {
  const queue = [...all]
  const found: string[] = []
  for await (const verdict of judgeMutants(() => queue.shift(), makeTests(isKnown), { worker, server }, OPTIONS))
    found.push(describeVerdict(verdict))
  return found
}

async function judgeAtOnce(all: typeof mutants, isKnown: boolean, isOver = () => false): Promise<Verdict[]> {
  const setting = { tests: makeTests(isKnown), job: { worker, server }, options: OPTIONS, isOver }
  const verdicts: Verdict[] = []
  for await (const verdict of judgeTogether(all, setting)) verdicts.push(verdict)
  return verdicts
}

test('tests that need those before them are found', () => {
  assert.equal(coverage.obstacle, undefined)
  assert.deepEqual(coverage.dependent, ['0'])
  assert.deepEqual(
    coverage.parts.filter(({ isTest }) => isTest).map(({ path }) => path),
    ['0.0', '0.1', '1.0', '1.1'],
  )
})

test('mutants that no test notices survive, with the database and when they have an effect only at the start', async () => {
  const found = await judgeAll(mutants)
  assert.deepEqual(await judgeAll(mutants, false), found, 'the same if it is not known what the tests reach')
  assert.deepEqual(found, [
    '3: 3 → (3 + 1): passed',
    // PostgreSQL refuses a parameter that the statement does not use.
    '7: id = $1 → true: invalid',
    '7: = → <>: failed',
    '7: count > 0 → true: passed',
    '7: > → >=: passed',
    '7: > → <: failed',
    '8: rows.length === 0 → true: failed',
    '8: rows.length === 0 → false: passed',
    '8: === → !==: failed',
    '8: 0 → (0 + 1): failed',
    '9: 0 → (0 + 1): failed',
    '12: < → <=: passed',
    '12: < → >=: failed',
    '14: === → !==: unreached',
    '14: 0 → (0 + 1): unreached',
  ])
})

test('mutants that are tried together get the verdicts that each has alone', async () => {
  const alone = await judgeAll(mutants)
  for (const isKnown of [true, false]) {
    const verdicts = await judgeAtOnce(mutants, isKnown)
    assert.deepEqual(verdicts.map(describeVerdict).sort(), alone.toSorted(), isKnown ? 'known' : 'not known')
    assert.ok(verdicts.every(({ isLimited }) => !isLimited))
  }
  const late = await judgeAtOnce(mutants.slice(0, 2), true, () => true)
  assert.deepEqual(
    late.map(({ outcome, isLimited }) => [outcome, isLimited]),
    [1, 2].map(() => ['passed', true]),
  )
})

test('a mutant that never ends is too slow, and the next run has a new process', async () => {
  const { outcome } = await worker.run({ test: TESTS, chosen: ['1.0'] }, 600_000)
  assert.equal(outcome, 'passed')
  assert.equal((await worker.run({ test: 'test/support/mutation/endless-cases.ts' }, 1_000)).outcome, 'too slow')
  assert.equal((await worker.run({ test: TESTS, chosen: ['1.0', '1.1'] }, 600_000)).outcome, 'passed')
})

test('only chosen tests run', async () => {
  const last = mutants.find(({ line, to }) => line === 12 && to === '>=')!
  const run = (chosen: string[]) => worker.run({ test: TESTS, chosen, mutants: [last] }, 600_000)
  assert.equal((await run(['0.0', '0.1'])).outcome, 'passed')
  assert.equal((await run(['1.1'])).outcome, 'failed')
})
