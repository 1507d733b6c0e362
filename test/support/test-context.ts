// Loaded into each test process with --import, before anything imports node:test. The test runner must know to which test a hook, a
// subtest or an error belongs that comes after an `await`. It follows every promise of the process for that by `async_hooks`, which
// takes a third of the processor time of tests with a database. An `AsyncLocalStorage` knows the same without following promises.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const hooks = require('node:async_hooks') as typeof import('node:async_hooks')
const { createHook, executionAsyncId } = hooks

/** The number of the test whose code runs. */
const running = new AsyncLocalStorage<number>()
let register: ((asyncId: number, type: string, triggerAsyncId: number, resource: object) => void) | undefined

/** The runner's tests extend it. */
class TestResource extends AsyncResource {
  constructor(...options: ConstructorParameters<typeof AsyncResource>) {
    super(...options)
    register?.(this.asyncId(), options[0], 0, this)
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: never[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => Reflect.apply(run, thisArg, args) as Result))
  }
}

// The runner reads these once, when it is loaded.
Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => running.getStore() ?? 0,
  createHook: ({ init }: Parameters<typeof createHook>[0]) => ({
    enable: () => {
      register = init
    },
    disable: () => {
      register = undefined
    },
  }),
})
try {
  require('node:test')
} finally {
  Object.assign(hooks, { AsyncResource, executionAsyncId, createHook })
}
