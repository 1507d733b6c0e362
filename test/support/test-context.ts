// Loaded into each test process with --import, before node:test. The test runner has to know in which test `test()` or `after()` is
// called. It follows every promise with async_hooks for this, which makes an await more than ten times as expensive. Here it finds
// the test in an AsyncLocalStorage instead.
import type { HookCallbacks } from 'node:async_hooks'

type AsyncHooks = typeof import('node:async_hooks')

const hooks = process.getBuiltinModule('node:async_hooks') as { -readonly [name in keyof AsyncHooks]: AsyncHooks[name] }
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks

/** The id of the test, as the runner knows it. */
const current = new AsyncLocalStorage<number>()
let isEnabled = false
let onCreated: HookCallbacks['init']

/** A test, a suite or a hook: the runner derives them from AsyncResource and runs their functions with `runInAsyncScope`. */
class TestResource extends AsyncResource {
  constructor(...args: ConstructorParameters<typeof AsyncResource>) {
    super(...args)
    if (isEnabled) onCreated?.(this.asyncId(), args[0], this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    // Inside: the resource brings the storage of the place where it was made.
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => run.apply(self as This, args)))
  }
}

hooks.AsyncResource = TestResource
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()
hooks.createHook = ({ init }) => {
  onCreated = init
  const hook = {
    enable() {
      isEnabled = true
      return hook
    },
    disable() {
      isEnabled = false
      return hook
    },
  }
  return hook
}
// The runner takes these functions when it is loaded; everything else keeps those of Node.
process.getBuiltinModule('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
