// Stands in for `node:test` in the worker: node:test keeps every test of a process and follows every promise, which takes longer than
// most tests. It knows only what tests without a database use. Whatever else a test asks for throws, and the test runs in a process.

import { AsyncLocalStorage } from 'node:async_hooks'

type Work = (context: TestContext) => unknown
type Hook = () => unknown
type Hooks = { before: Hook[]; beforeEach: Hook[]; afterEach: Hook[]; after: Hook[] }
type Suite = { hooks: Hooks; parts: Part[]; declared: unknown }
type Part = { kind: 'suite'; suite: Suite; isSkipped: boolean } | { kind: 'test'; name: string; work: Work; isSkipped: boolean }
type Options = { skip?: boolean | string }

const newSuite = (): Suite => ({
  hooks: { before: [], beforeEach: [], afterEach: [], after: [] },
  parts: [],
  declared: undefined,
})
/** The file that is being imported; the suite inside of it, which may declare tests after it waited for something. */
let openFile: Suite | undefined
const openSuite = new AsyncLocalStorage<Suite>()

function currentSuite(): Suite {
  const suite = openSuite.getStore() ?? openFile
  if (!suite) throw new Error('a test was declared outside of a file')
  return suite
}

/** Arguments of `test` and `describe`: name, options and function, of which the options may be missing. */
function readArguments<F>(given: readonly unknown[]): { name: string; options: Options; work: F } {
  const [name, ...rest] = given
  const work = rest.pop()
  const options = (rest.pop() ?? {}) as Options
  const unknown = Object.keys(options).filter((key) => key !== 'skip')
  if (typeof name !== 'string' || typeof work !== 'function' || rest.length > 0 || unknown.length > 0) {
    throw new Error(`the substitute for node:test does not know this form: ${String(name)} ${unknown.join(' ')}`)
  }
  if (work.length > 1) throw new Error(`the substitute for node:test knows no callbacks: ${name}`)
  return { name, options, work: work as F }
}

export function test(...given: unknown[]): void {
  const { name, options, work } = readArguments<Work>(given)
  currentSuite().parts.push({ kind: 'test', name, work, isSkipped: Boolean(options.skip) })
}

export function describe(...given: unknown[]): void {
  const { options, work } = readArguments<() => unknown>(given)
  const suite = newSuite()
  currentSuite().parts.push({ kind: 'suite', suite, isSkipped: Boolean(options.skip) })
  suite.declared = openSuite.run(suite, work)
}

export { describe as suite, test as it }
export default test

const declareHook =
  (kind: keyof Hooks) =>
  (work: Hook, ...options: unknown[]): void => {
    if (work.length > 0 || options.length > 0) throw new Error(`the substitute for node:test does not know this form of ${kind}`)
    currentSuite().hooks[kind].push(work)
  }
export const before = declareHook('before')
export const beforeEach = declareHook('beforeEach')
export const afterEach = declareHook('afterEach')
export const after = declareHook('after')

class TestContext {
  readonly name: string
  readonly afterwards: Hook[] = []

  constructor(name: string) {
    this.name = name
  }
  after(work: Hook): void {
    this.afterwards.push(work)
  }
  diagnostic(): void {}
  skip(): void {}
}

async function runHooks(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook()
}

type Each = Pick<Hooks, 'beforeEach' | 'afterEach'>

async function runTest(name: string, work: Work, { beforeEach, afterEach }: Each): Promise<void> {
  const context = new TestContext(name)
  try {
    await runHooks(beforeEach)
    await work(context)
  } finally {
    await runHooks(afterEach)
    await runHooks(context.afterwards)
  }
}

/** Throws at the first test that fails, after the hooks that clean up. Returns the number of tests. */
async function runSuite({ hooks, parts, declared }: Suite, outer: Each): Promise<number> {
  const each: Each = {
    beforeEach: [...outer.beforeEach, ...hooks.beforeEach],
    afterEach: [...hooks.afterEach, ...outer.afterEach],
  }
  let count = 0
  try {
    await declared
    await runHooks(hooks.before)
    for (const part of parts) {
      if (part.kind === 'test') count++
      if (part.isSkipped) continue
      if (part.kind === 'suite') count += await runSuite(part.suite, each)
      else await runTest(part.name, part.work, each)
    }
  } finally {
    await runHooks(hooks.after)
  }
  return count
}

/** Imports a file, which declares its tests, and runs these. Returns how many there were; throws what the first failure threw. */
export async function runFile(load: () => Promise<unknown>): Promise<number> {
  const suite = newSuite()
  openFile = suite
  try {
    await load()
  } finally {
    openFile = undefined
  }
  return runSuite(suite, { beforeEach: [], afterEach: [] })
}
