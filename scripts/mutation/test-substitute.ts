// Stands in for `node:test` in the workers: node:test keeps every test of a process and follows every promise, which takes longer than
// most tests. It knows only what the tests use. Whatever else a test asks for throws, and the file of the test is said to be left out.

import { AsyncLocalStorage } from 'node:async_hooks'
import { MockTracker, mock as sharedMock } from './mocks.ts'

type Work = (context: TestContext) => unknown
type Hook = () => unknown
type Hooks = { before: Hook[]; beforeEach: Hook[]; afterEach: Hook[]; after: Hook[] }
type Part = { kind: 'suite' | 'test'; name: string; path: string; work: Work; isSkipped: boolean }
/** A file, suite or test, which may have hooks. `path`: its numbers among the parts around it, for example `0.2`. */
type Scope = { path: string; hooks: Hooks; parts: Part[] }
type Options = { skip?: boolean | string; timeout?: number }

const newScope = (path: string): Scope => ({
  path,
  hooks: { before: [], beforeEach: [], afterEach: [], after: [] },
  parts: [],
})
/** The file that is being imported; the suite or test inside of it, which may declare something after it waited for something. */
let openFile: Scope | undefined
const openScope = new AsyncLocalStorage<Scope>()

function currentScope(): Scope {
  const scope = openScope.getStore() ?? openFile
  if (!scope) throw new Error('a test was declared outside of a file')
  return scope
}

/** Arguments of `test` and `describe`: name, options and function, of which the options may be missing. */
function readArguments(given: readonly unknown[]): { name: string; options: Options; work: Work } {
  const [name, ...rest] = given
  const work = rest.pop()
  const options = (rest.pop() ?? {}) as Options
  const unknown = Object.keys(options).filter((key) => key !== 'skip' && key !== 'timeout')
  if (typeof name !== 'string' || typeof work !== 'function' || rest.length > 0 || unknown.length > 0) {
    throw new Error(`the substitute for node:test does not know this form: ${String(name)} ${unknown.join(' ')}`)
  }
  if (work.length > 1) throw new Error(`the substitute for node:test knows no callbacks: ${name}`)
  return { name, options, work: work as Work }
}

const declarePart =
  (kind: Part['kind']) =>
  (...given: unknown[]): void => {
    const { name, options, work } = readArguments(given)
    const { parts, path } = currentScope()
    const number = String(parts.length)
    parts.push({ kind, name, path: path ? `${path}.${number}` : number, work, isSkipped: Boolean(options.skip) })
  }
export const test = declarePart('test')
export const describe = declarePart('suite')

export { describe as suite, sharedMock as mock, test as it }
export default test

const declareHook =
  (kind: keyof Hooks) =>
  (work: Hook, ...options: unknown[]): void => {
    if (work.length > 0 || options.length > 0) throw new Error(`the substitute for node:test does not know this form of ${kind}`)
    currentScope().hooks[kind].push(work)
  }
export const before = declareHook('before')
export const beforeEach = declareHook('beforeEach')
export const afterEach = declareHook('afterEach')
export const after = declareHook('after')

class TestContext {
  readonly name: string
  readonly mock = new MockTracker()
  readonly signal = new AbortController().signal
  readonly #scope: Scope

  constructor(name: string, scope: Scope) {
    this.name = name
    this.#scope = scope
  }
  after(work: Hook): void {
    this.#scope.hooks.after.push(work)
  }
  diagnostic(): void {}
  skip(): void {}
}

/**
 * How a file runs. `chooses`: by the path of a suite or test; others do not run. `enters`: called before the code of a file, suite or
 * test runs. `throws`: called at the first failure, before what was opened is cleaned up. `fails`: called instead of ending the run at
 * the first failure. `isReversed`: the last test of each suite runs first.
 */
export type Running = {
  chooses?: (path: string, kind: Part['kind']) => boolean
  enters?: (path: string, kind: Part['kind'] | 'file', name: string) => void
  throws?: (path: string, error: unknown) => void
  fails?: (path: string, error: unknown) => void
  isReversed?: boolean
}
type Each = Pick<Hooks, 'beforeEach' | 'afterEach'>

async function runHooks(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook()
}

/** Every hook runs, also if one before it fails. */
async function cleanUp(hooks: readonly Hook[]): Promise<void> {
  const failures: unknown[] = []
  for (const hook of hooks) await runHooks([hook]).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

function runTest({ name, path, work }: Part, { beforeEach, afterEach }: Each, { throws }: Running): Promise<void> {
  const scope = newScope(path)
  return openScope.run(scope, async () => {
    const context = new TestContext(name, scope)
    try {
      await runHooks(beforeEach)
      await work(context)
    } catch (error) {
      throws?.(path, error)
      throw error
    } finally {
      context.mock.reset()
      await cleanUp([...afterEach, ...scope.hooks.after])
    }
  })
}

/** Throws at the first test that fails, after the hooks that clean up. Returns the number of tests. */
async function runScope(scope: Scope, declare: Hook, outer: Each, running: Running): Promise<number> {
  const { hooks, parts, path } = scope
  let count = 0
  try {
    await declare()
    await runHooks(hooks.before)
    const each: Each = {
      beforeEach: [...outer.beforeEach, ...hooks.beforeEach],
      afterEach: [...hooks.afterEach, ...outer.afterEach],
    }
    for (const part of running.isReversed ? parts.toReversed() : parts) {
      if (running.chooses?.(part.path, part.kind) === false) continue
      // node:test counts them, too.
      if (part.kind === 'test') count++
      if (part.isSkipped) continue
      running.enters?.(part.path, part.kind, part.name)
      if (part.kind === 'suite') {
        const inner = newScope(part.path)
        count += await openScope.run(inner, () => runScope(inner, () => part.work(undefined as never), each, running))
      } else {
        await runTest(part, each, running.fails ? {} : running).catch((error: unknown) => {
          if (!running.fails) throw error
          running.fails(part.path, error)
        })
      }
      running.enters?.(path, 'suite', '')
    }
  } catch (error) {
    running.throws?.(path, error)
    throw error
  } finally {
    await cleanUp(hooks.after)
  }
  return count
}

/** Imports a file, which declares its tests, and runs these. Returns how many ran; throws what the first failure threw. */
export function runFile(load: () => Promise<unknown>, running: Running = {}): Promise<number> {
  const scope = newScope('')
  const declare = async () => {
    openFile = scope
    running.enters?.('', 'file', '')
    try {
      await load()
    } finally {
      openFile = undefined
    }
  }
  return openScope.run(scope, () => runScope(scope, declare, { beforeEach: [], afterEach: [] }, running))
}
