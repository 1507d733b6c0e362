// A process that runs the tests of one mutant after another (`TestWorker` starts it).
import { pathToFileURL } from 'node:url'
import { type Change, importers, installHooks, startRound } from './module-copies.ts'
import { runFile } from './test-substitute.ts'

/** What runs without a mutant found: which modules import a module, and how long each file of tests took. */
export type Findings = { importers: [module: string, by: string[]][]; durations: [test: string, ms: number][] }
/** Without a file, the tests run as they are, which finds the modules that they import. `findings`: those of an earlier process. */
export type Request = { file?: string; tests: string[]; change?: Change; findings?: Findings }
/** Sent before each file of tests: how long it took without a mutant, if it ran before. */
export type Progress = { kind: 'progress'; unchangedMs: number | undefined }
export type Answer = { kind: 'answer'; failure?: string; count: number; memoryBytes: number; findings?: Findings }

installHooks()

/** For each file of tests, how long it used the processor without a mutant. */
const durations = new Map<string, number>()
const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
const durationOf = (url: string): number => durations.get(url) ?? 0

let rejectRound: ((reason: unknown) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (reason) => rejectRound?.(reason))

const send = (message: Progress | Answer) => process.send!(message)

function takeOver(found: Findings): void {
  for (const [module, by] of found.importers) importers.set(module, new Set(by))
  for (const [test, ms] of found.durations) durations.set(test, ms)
}

const tellFindings = (): Findings => ({
  importers: [...importers].map(([module, by]) => [module, [...by]]),
  durations: [...durations],
})

async function run({ file, tests, change, findings }: Request): Promise<Answer> {
  if (findings) takeOver(findings)
  const urls = tests.map((test) => pathToFileURL(test).href).sort((a, b) => durationOf(a) - durationOf(b))
  startRound(urls, file && pathToFileURL(file).href, change)
  const failed = new Promise<never>((_, reject) => {
    rejectRound = reject
  })
  let count = 0
  let failure: string | undefined
  try {
    for (const url of urls) {
      send({ kind: 'progress', unchangedMs: durations.get(url) })
      const before = process.cpuUsage()
      count += await Promise.race([failed, runFile(() => import(url))])
      if (!change) durations.set(url, toMs(process.cpuUsage(before)))
    }
    // Node reports an unhandled rejection in the next turn.
    await Promise.race([failed, new Promise((done) => setImmediate(done))])
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  return {
    kind: 'answer',
    count,
    memoryBytes: process.memoryUsage.rss(),
    ...(failure === undefined ? {} : { failure }),
    ...(change ? {} : { findings: tellFindings() }),
  }
}

process.on('message', (request: Request) => void run(request).then(send))
