// A process that runs files of tests with all mutants loaded, of which one, some or none are active (`DatabaseWorker` starts it).
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { runFile } from '../test-substitute.ts'
import { activate, type MutantId, type Reached, recordTo } from './active-mutant.ts'
import { findMutatedFiles, mutateFile } from './mutated-modules.ts'

/** `chosen`: paths of tests; all without it. `isRecorded`: which mutants the tests reach; `isReversed`: the last test runs first. */
export type Request = {
  test: string
  chosen?: string[]
  mutants?: readonly MutantId[]
  isRecorded?: boolean
  isReversed?: boolean
}
export type Bits = Record<string, string>
/** A file (its path is empty), a suite or a test. */
export type Part = { path: string; isTest: boolean; ms: number; reached: Bits }
export type Answer = {
  kind: 'answer'
  failure?: string
  /** The path of the test or suite that failed. */
  failed?: string
  /** PostgreSQL could not understand a statement. */
  isInvalid: boolean
  parts?: Part[]
  /** Of a reversed run: tests that failed. */
  dependent?: string[]
}
/** `progress`: a test begins. `ready`: the answer was sent before, and everything is cleaned up. */
export type Message = Answer | { kind: 'progress' } | { kind: 'ready'; memoryBytes: number }

const root = new URL('../../../', import.meta.url).href
const installed = `${root}node_modules/`
const substitute = new URL('../test-substitute.ts', import.meta.url).href
const mocks = new URL('../mocks.ts', import.meta.url).href
const mutated = new Map(findMutatedFiles().map((file) => [root + file, file]))
const initial: MutantId[] = JSON.parse(process.env.TURNOUT_MUTANTS ?? '[]')
activate(initial)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL ?? ''
    const isOurs = parent.startsWith(root) && !parent.startsWith(installed)
    if (isOurs && specifier === 'node:test' && parent !== mocks)
      return { url: substitute, format: 'module-typescript', shortCircuit: true }
    return nextResolve(specifier, context)
  },
  load(url, context, nextLoad) {
    const file = mutated.get(url)
    if (file === undefined) return nextLoad(url, context)
    return { format: 'module', source: mutateFile(file).text, shortCircuit: true }
  },
})

/** Syntax errors, unknown columns, parameters that are not used: nobody would write such code. Not: lacking rights. */
const INVALID = /^42(?!501)|^08P01/
let isInvalid = false
type Handler = (this: unknown, message: { code?: string }) => void
const { prototype } = pg.Client as unknown as { prototype: { _handleErrorMessage: Handler } }
const handleError = prototype._handleErrorMessage
prototype._handleErrorMessage = function (message) {
  if (INVALID.test(message.code ?? '')) isInvalid = true
  handleError.call(this, message)
}

let rejectRun: ((reason: unknown) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (reason) => rejectRun?.(reason))

const send = (message: Message) => process.send!(message)

function bitsOf(reached: Reached): Bits {
  const bits: Bits = {}
  for (const [file, indexes] of reached) {
    const bytes = Buffer.alloc(Math.floor(Math.max(...indexes) / 8) + 1)
    for (const index of indexes) bytes[index >> 3]! |= 1 << (index & 7)
    bits[file] = bytes.toString('base64')
  }
  return bits
}

/** Follows a run: which part of the file is running, for how long, and what it reaches. */
class Recorder {
  readonly #parts = new Map<string, { isTest: boolean; ms: number; reached: Reached }>()
  #open: { ms: number } | undefined
  #since = 0

  enter(path: string, isTest: boolean): void {
    this.#close()
    const part = this.#parts.get(path) ?? { isTest, ms: 0, reached: new Map() }
    this.#parts.set(path, part)
    recordTo(part.reached)
    this.#open = part
    this.#since = performance.now()
  }
  #close(): void {
    if (this.#open) this.#open.ms += performance.now() - this.#since
  }
  end(): Part[] {
    this.#close()
    recordTo(undefined)
    return [...this.#parts].map(([path, { isTest, ms, reached }]) => ({
      path,
      isTest,
      ms: Math.ceil(ms),
      reached: bitsOf(reached),
    }))
  }
}

/** A suite runs if one of its tests is chosen. */
function chooserOf(chosen: readonly string[]): (path: string) => boolean {
  const wanted = new Set(chosen.flatMap((path) => path.split('.').map((_, index, all) => all.slice(0, index + 1).join('.'))))
  return (path) => wanted.has(path)
}

let round = 0
async function run({ test, chosen, mutants, isRecorded, isReversed }: Request): Promise<void> {
  activate(mutants ?? initial)
  isInvalid = false
  const recorder = isRecorded ? new Recorder() : undefined
  const dependent: string[] = []
  let current = ''
  let answered = false
  const answer = (more: Omit<Answer, 'kind' | 'isInvalid'>) => {
    if (answered) return
    answered = true
    send({ kind: 'answer', isInvalid, ...more })
  }
  const failed = new Promise<never>((_, reject) => {
    rejectRun = reject
  })
  const describeError = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  const url = `${pathToFileURL(join(fileURLToPath(root), test)).href}?round=${++round}`
  const tests = runFile(() => import(url), {
    isReversed: isReversed ?? false,
    enters: (path, kind) => {
      if (kind === 'test') send({ kind: 'progress' })
      current = path
      recorder?.enter(path, kind === 'test')
    },
    ...(chosen ? { chooses: chooserOf(chosen) } : {}),
    ...(isReversed ? { fails: (path) => void dependent.push(path) } : {}),
    // What a test left is cleaned up after the answer.
    throws: (path, error) =>
      answer({ failure: describeError(error), failed: path, ...(recorder ? { parts: recorder.end() } : {}) }),
  })
  try {
    await Promise.race([failed, tests])
    // Node reports an unhandled rejection in the next turn.
    await Promise.race([failed, new Promise((done) => setImmediate(done))])
    answer({ ...(recorder ? { parts: recorder.end() } : {}), ...(isReversed ? { dependent } : {}) })
  } catch (error) {
    answer({ failure: describeError(error), failed: current })
  }
  await tests.catch(() => {})
  recordTo(undefined)
  activate(initial)
  send({ kind: 'ready', memoryBytes: process.memoryUsage.rss() })
}

process.on('message', (request: Request) => void run(request))
