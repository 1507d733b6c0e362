import { existsSync, readFileSync } from 'node:fs'
import type { MutantId } from './active-mutant.ts'
import { type DatabaseMutant, hashOf, mutateFile, readCached, TOOL, writeCached } from './mutated-modules.ts'
import type { DatabaseWorker } from './worker.ts'
import type { Part } from './worker-main.ts'

/** A guard against tests that hang without a mutant. */
const UNCHANGED_LIMIT_MS = 5 * 60_000

/**
 * What the tests of a file reach. `sources`: files with mutants, with their contents. `dependent`: suites whose tests need the tests
 * before them. `obstacle`: why the file cannot run in the worker.
 */
export type Coverage = {
  test: string
  hash: string
  sources: Record<string, string>
  parts: Part[]
  dependent: string[]
  obstacle?: string
}

export const hashOfTest = (test: string): string => hashOf(TOOL, test, readFileSync(test, 'utf8'))
const nameOf = (test: string): string => `coverage-${hashOf(test)}.json`
const suiteOf = (path: string): string => path.split('.').slice(0, -1).join('.')

/** The stored coverage, if neither the test nor what it reaches was changed since. */
export function getKnownCoverage(test: string): Coverage | undefined {
  const known = readCached<Coverage>(nameOf(test))
  if (!known || known.hash !== hashOfTest(test)) return undefined
  const isCurrent = Object.entries(known.sources).every(([file, hash]) => existsSync(file) && mutateFile(file).hash === hash)
  return isCurrent ? known : undefined
}

function describeRun(test: string, parts: Part[]): Coverage {
  const files = new Set(parts.flatMap(({ reached }) => Object.keys(reached)))
  const sources = Object.fromEntries([...files].map((file) => [file, mutateFile(file).hash]))
  return { test, hash: hashOfTest(test), sources, parts, dependent: [] }
}

const overlaps = (a: DatabaseMutant['place'], b: DatabaseMutant['place']): boolean => a.start < b.end && b.start < a.end

/** Code with an active mutant does not come to the other mutants of the same place, so they count as reached, too. */
function addNeighbours(parts: readonly Part[], active: readonly DatabaseMutant[]): Part[] {
  return parts.map((part) => {
    const reached = { ...part.reached }
    for (const { file, index, place } of active) {
      if (!hasBit(reached[file], index)) continue
      const { mutants } = mutateFile(file)
      const bits = Buffer.alloc(Math.ceil(mutants.length / 8))
      Buffer.from(reached[file]!, 'base64').copy(bits)
      for (const [other, mutant] of mutants.entries()) if (overlaps(mutant.place, place)) bits[other >> 3]! |= 1 << (other & 7)
      reached[file] = bits.toString('base64')
    }
    return { ...part, reached }
  })
}

/** Stores what tests reached that passed with mutants. Whether they need those before them is not known, so they do. */
export function keepCoverage(test: string, parts: readonly Part[], active: readonly DatabaseMutant[]): Coverage {
  const coverage = describeRun(test, addNeighbours(parts, active))
  coverage.dependent = [...new Set(parts.filter(({ isTest }) => isTest).map(({ path }) => suiteOf(path)))]
  writeCached(nameOf(test), coverage)
  return coverage
}

/** Runs a file of tests forward and backward, and stores what its tests reach. */
export async function recordCoverage(test: string, worker: DatabaseWorker): Promise<Coverage> {
  const { outcome, answer } = await worker.run({ test, isRecorded: true }, UNCHANGED_LIMIT_MS)
  const parts = answer?.parts ?? []
  const coverage = describeRun(test, parts)
  if (outcome !== 'passed') {
    // Not stored: it may be this run that was ended, or other programs.
    coverage.obstacle = `the unchanged tests are ${outcome}: ${answer?.failure?.split('\n')[0] ?? ''}`
    return coverage
  }
  const backward = await worker.run({ test, isReversed: true }, UNCHANGED_LIMIT_MS)
  // Tests that pass with the tests before them and with those after them pass alone.
  const all = parts.filter(({ isTest }) => isTest).map(({ path }) => path)
  const failed = backward.outcome === 'passed' ? (backward.answer?.dependent ?? []) : all
  coverage.dependent = [...new Set(failed.map(suiteOf))]
  writeCached(nameOf(test), coverage)
  return coverage
}

const bytes = new Map<string, Buffer>()
function hasBit(bits: string | undefined, index: number): boolean {
  if (bits === undefined) return false
  const known = bytes.get(bits) ?? Buffer.from(bits, 'base64')
  bytes.set(bits, known)
  return ((known[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
}

/** Tests of one file that reach a mutant, and how long they take without it. All tests if none are chosen. */
export type Reaching = { test: string; chosen?: string[]; ms: number }

type Reaches = (part: Part) => boolean

/**
 * Tests that reach something themselves or by the suites around them. Loading a file reaches what runs at the top level, in the first
 * file of a process that loads it: it counts only if a part that is no file reaches it, too.
 */
function choose({ test, parts, dependent }: Coverage, reaches: Reaches): Reaching | undefined {
  const isReached = new Map(parts.map((part) => [part.path, part.path !== '' && reaches(part)]))
  const isAround = (path: string) => path.split('.').some((_, index, all) => isReached.get(all.slice(0, index + 1).join('.')))
  const reaching = new Set(parts.filter(({ isTest, path }) => isTest && isAround(path)).map(({ path }) => path))
  if (reaching.size === 0) return undefined
  const order = parts.filter(({ isTest }) => isTest)
  for (const suite of dependent) {
    const members = order.filter(({ path }) => suiteOf(path) === suite)
    const last = members.findLastIndex(({ path }) => reaching.has(path))
    for (const { path } of members.slice(0, last + 1)) reaching.add(path)
  }
  const suites = new Set([...reaching].flatMap((path) => path.split('.').map((_, index, all) => all.slice(0, index).join('.'))))
  const ms = parts.filter(({ path }) => reaching.has(path) || suites.has(path)).reduce((sum, part) => sum + part.ms, 0)
  return { test, chosen: [...reaching], ms }
}

export const chooseReaching = (coverage: Coverage, { file, index }: MutantId): Reaching | undefined =>
  choose(coverage, ({ reached }) => hasBit(reached[file], index))

/** Compares the description of all endpoints, which files have made when they were loaded. */
export const DOCUMENT_TEST = 'test/contract/document.test.ts'

/** Tests that reach anything in the file of a mutant. */
export const chooseLoading = (coverage: Coverage, { file }: MutantId): Reaching | undefined =>
  choose(coverage, ({ reached }) => reached[file] !== undefined || coverage.test === DOCUMENT_TEST)

/** Functions that run while files are loaded have an effect only then, as code outside of functions. */
export const isReachedByLoading = ({ parts }: Coverage, { file, index }: MutantId): boolean =>
  parts.some(({ path, reached }) => path === '' && hasBit(reached[file], index))
