import { globSync, readFileSync } from 'node:fs'
import { findNearTests } from './find-tests.ts'
import { RULE_GROUPS } from './groups.ts'
import { judgeMutants, type Options } from './judge.ts'
import { findMutants, type Placed } from './mutants.ts'
import { describeMutant, isEquivalent, takeSample } from './sampling.ts'
import { stopProcesses } from './test-process.ts'
import { TestWorker } from './test-worker.ts'

const LEAST_SCORE = 85
/** After so many mutants of a file the worker runs its tests without a mutant. */
const CHUNK_SIZE = 50

export type NearOptions = Options & {
  groups: readonly string[] | undefined
  files: readonly string[] | undefined
  max: number | undefined
  seed: number
  jobs: number
  isListed: boolean
}

/** Mutants of one file each. */
function chunksOf(mutants: readonly Placed[]): Placed[][] {
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  return [...byFile.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / CHUNK_SIZE) }, (_, index) =>
      all.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    ),
  )
}

async function checkGroup(
  name: string,
  patterns: string[],
  workers: readonly TestWorker[],
  options: NearOptions,
): Promise<number> {
  const files = globSync(patterns)
    .filter((file) => !file.endsWith('.test.ts') && (!options.files || options.files.includes(file)))
    .sort()
  const all = files.flatMap((file) => findMutants(readFileSync(file, 'utf8')).map((mutant): Placed => ({ ...mutant, file })))
  const chosen = options.max ? takeSample(all, options.max, options.seed) : all
  const counted = chosen.filter((mutant) => !isEquivalent(mutant))
  if (counted.length === 0) return 100
  console.log(`${name}: ${counted.length} mutants`)
  const survivors: Placed[] = []
  let slow = 0
  const queue: Placed[][] = []
  for (const mutants of chunksOf(counted)) {
    const { file } = mutants[0]!
    if (findNearTests(file).length > 0) queue.push(mutants)
    else {
      console.log(`no test without a database: ${file}, ${mutants.length} mutants`)
      survivors.push(...mutants)
    }
  }
  const work = async (worker: TestWorker) => {
    for (let mutants = queue.shift(); mutants; mutants = queue.shift()) {
      for await (const { mutant, outcome } of judgeMutants(mutants[0]!.file, mutants, worker, options)) {
        if (options.isListed) console.log(`${outcome}: ${describeMutant(mutant)}`)
        if (outcome === 'too slow') slow++
        if (outcome !== 'passed') continue
        console.log(`survived: ${describeMutant(mutant)}`)
        survivors.push(mutant)
      }
    }
  }
  await Promise.all(workers.map(work))
  const score = (100 * (counted.length - survivors.length)) / counted.length
  const noticed = `${counted.length - survivors.length} of ${counted.length} mutants noticed, ${slow} of them by the time limit`
  const rest = `${all.length} in ${files.length} files, ${chosen.length - counted.length} equivalent`
  console.log(`${name}: ${score.toFixed(1)} % (${noticed}; ${rest})`)
  return score
}

/** Returns the names of groups that are below the score. */
export async function checkRules(options: NearOptions): Promise<string[]> {
  const names = options.groups ?? Object.keys(RULE_GROUPS)
  const unknown = names.filter((name) => !RULE_GROUPS[name])
  if (unknown.length > 0) throw new Error(`unknown group ${unknown.join(', ')}; groups: ${Object.keys(RULE_GROUPS).join(', ')}`)
  const workers = Array.from({ length: options.jobs }, () => new TestWorker())
  const stop = () => {
    for (const worker of workers) worker.stop()
    stopProcesses()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop()
      process.exit(1)
    })
  try {
    const below: string[] = []
    for (const name of names) if ((await checkGroup(name, RULE_GROUPS[name]!, workers, options)) < LEAST_SCORE) below.push(name)
    return below
  } finally {
    stop()
  }
}
