// `npm run check:mutation`: changes the source in small ways, one at a time, and expects a test to fail for each. `-- --help` lists the
// options. It mutates by itself instead of by Stryker, which would add 176 packages and copy the project for each worker.
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTestServer } from '#test/support/postgres-server.ts'
import { findNearTests } from './mutation/find-tests.ts'
import { GROUPS, type Group } from './mutation/groups.ts'
import { type Job, judgeMutants } from './mutation/judge.ts'
import { findMutants, type Placed } from './mutation/mutants.ts'
import { stopProcesses } from './mutation/test-process.ts'
import { TestWorker } from './mutation/test-worker.ts'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))

const HELP = `npm run check:mutation -- [options]

Changes the rules in small ways, one at a time, and expects a test to fail for each. Survivors are printed. One that no test can notice
belongs in scripts/mutation/equivalents.json, with the reason. Exits with 1 if a group is below 85 %.

  --group NAME    only this group, a feature with rules, or "access"; may be repeated
  --file PATH     only this file of the groups; may be repeated
  --near          only tests that need no database; complete runs take minutes
  --max N         a sample of N mutants per group; --seed N chooses another one
  --jobs N        how many mutants are tried at the same time; default: the number of processors, at most 2
  --unconfirmed   a mutant that passes in the worker is not tried in a process of its own; for a quick look while writing tests
  --by-process    every mutant in a process of its own, as a check of the worker
  --list          print each verdict, not only survivors

Tests without a database run in a worker, which loads the changed file and what imports it again for each mutant. Tests that cannot run
there run in a process for each mutant; a line says so.
`
const LEAST_SCORE = 85
/** After so many mutants of a file the worker runs its tests without a mutant. */
const CHUNK_SIZE = 50

const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    max: { type: 'string' },
    near: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    unconfirmed: { type: 'boolean', default: false },
    'by-process': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const options = { near: values.near, isConfirmed: !(values.near && values.unconfirmed), isByProcess: values['by-process'] }

type Equivalent = { file: string; code: string; from: string; to: string; reason: string }
const equivalents: Equivalent[] = JSON.parse(readFileSync('scripts/mutation/equivalents.json', 'utf8'))
const isEquivalent = (mutant: Placed): boolean =>
  equivalents.some(({ file, code, from, to }) =>
    [file === mutant.file, code === mutant.code, from === mutant.from, to === mutant.to].every(Boolean),
  )

/** Numbers from 0 to 1, the same for the same seed. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

function sample(mutants: Placed[], max: number): Placed[] {
  const random = randomNumbers(Number(values.seed))
  const weighted = mutants.map((mutant) => ({ mutant, weight: random.next().value! }))
  return weighted
    .sort((a, b) => a.weight - b.weight)
    .slice(0, max)
    .map(({ mutant }) => mutant)
}

const describeMutant = ({ file, line, from, to, code }: Placed): string =>
  `${file}:${line} ${from} → ${to || '(nothing)'}   in: ${code}`

/** Mutants of one file each. */
function chunksOf(mutants: readonly Placed[]): Placed[][] {
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  return [...byFile.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / CHUNK_SIZE) }, (_, index) =>
      all.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    ),
  )
}

async function checkGroup(name: string, group: Group, jobs: readonly Job[]): Promise<number> {
  const files = group.files
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !file.endsWith('.test.ts') && (!values.file || values.file.includes(file)))
    .sort()
  const all = files.flatMap((file) => findMutants(readFileSync(file, 'utf8')).map((mutant): Placed => ({ ...mutant, file })))
  const chosen = values.max ? sample(all, Number(values.max)) : all
  const counted = chosen.filter((mutant) => !isEquivalent(mutant))
  if (counted.length === 0) return 100
  console.log(`${name}: ${counted.length} mutants`)
  const survivors: Placed[] = []
  let slow = 0
  const queue: Placed[][] = []
  for (const mutants of chunksOf(counted)) {
    const { file } = mutants[0]!
    if (!values.near || findNearTests(file).length > 0) queue.push(mutants)
    else {
      console.log(`no test without a database: ${file}, ${mutants.length} mutants`)
      survivors.push(...mutants)
    }
  }
  const work = async (job: Job) => {
    for (let mutants = queue.shift(); mutants; mutants = queue.shift()) {
      for await (const { mutant, outcome } of judgeMutants(mutants[0]!.file, mutants, group, job, options)) {
        if (values.list) console.log(`${outcome}: ${describeMutant(mutant)}`)
        if (outcome === 'too slow') slow++
        if (outcome !== 'passed') continue
        console.log(`survived: ${describeMutant(mutant)}`)
        survivors.push(mutant)
      }
    }
  }
  await Promise.all(jobs.map(work))
  const score = (100 * (counted.length - survivors.length)) / counted.length
  const noticed = `${counted.length - survivors.length} of ${counted.length} mutants noticed, ${slow} of them by the time limit`
  const rest = `${all.length} in ${files.length} files, ${chosen.length - counted.length} equivalent`
  console.log(`${name}: ${score.toFixed(1)} % (${noticed}; ${rest})`)
  return score
}

const names = values.group ?? Object.keys(GROUPS)
const unknown = names.filter((name) => !GROUPS[name])
if (unknown.length > 0) throw new Error(`unknown group ${unknown.join(', ')}; groups: ${Object.keys(GROUPS).join(', ')}`)
// One server per job: databases of other jobs must not be dropped.
const servers = await Promise.all(
  Array.from({ length: Number(values.jobs) }, () => (values.near ? { url: '', stop: async () => {} } : startTestServer())),
)
const jobs = servers.map(({ url }): Job => ({ worker: new TestWorker(), server: url }))
const stop = async () => {
  for (const { worker } of jobs) worker.stop()
  stopProcesses()
  await Promise.all(servers.map((server) => server.stop()))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)))
try {
  const scores: number[] = []
  for (const name of names) scores.push(await checkGroup(name, GROUPS[name]!, jobs))
  if (scores.some((score) => score < LEAST_SCORE)) {
    console.log(`${basename(import.meta.filename)}: a group is below ${LEAST_SCORE} %`)
    process.exitCode = 1
  }
} finally {
  await stop()
}
