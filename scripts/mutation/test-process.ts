import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Placed } from './mutants.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Outcome = 'passed' | 'failed' | 'too slow'
/** `count`: how many tests ran; suites are no tests. */
export type Run = { outcome: Outcome; count: number }

/** Ends the tests that run now. */
const running = new Set<() => void>()
const folder = mkdtempSync(join(tmpdir(), 'turnout-mutation-'))
let fileCount = 0

/** All tests in a new process, with node:test. It ends at the first failure. */
export function runInProcess(mutant: Placed | undefined, tests: readonly string[], timeoutMs: number): Promise<Run> {
  const group = join(folder, `${++fileCount}.test.mjs`)
  const module = new URL('../../test/support/file-group.ts', import.meta.url).href
  const files = tests.map((test) => join(root, test))
  writeFileSync(group, `import { declareFiles } from '${module}'\ndeclareFiles('${root}', ${JSON.stringify(files)})\n`)
  // A test that calls this runs in the context of node:test, which the process must not inherit.
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_TEST_CONTEXT: undefined }
  if (mutant) {
    const { start, end, to } = mutant
    env.MUTANT = JSON.stringify({ path: join(root, mutant.file), start, end, to })
  }
  const imports = ['./scripts/compile-cache.mjs', './scripts/mutation/load-mutant.mjs'].flatMap((file) => ['--import', file])
  const options = ['--test-force-exit', '--test-reporter=./scripts/mutation/first-failure.mjs']
  // A process group of its own: processes that a test started would outlive it. The reporter writes the number of tests to the pipe.
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  const child = spawn(process.execPath, [...imports, ...options, group], { cwd: root, env, stdio: [...stdio], detached: true })
  let isTooSlow = false
  let count = ''
  child.stdio[3]!.on('data', (chunk) => {
    count += chunk
  })
  const endGroup = () => process.kill(-child.pid!, 'SIGKILL')
  const timer = setTimeout(() => {
    isTooSlow = true
    endGroup()
  }, timeoutMs)
  running.add(endGroup)
  return new Promise((done) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      running.delete(endGroup)
      rmSync(group, { force: true })
      const failure = isTooSlow ? 'too slow' : 'failed'
      done({ outcome: code === 0 ? 'passed' : failure, count: Number(count) })
    })
  })
}

export function stopProcesses(): void {
  for (const endGroup of running) endGroup()
  rmSync(folder, { recursive: true, force: true })
}
