import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** What a thread posts: its result, or one that can be used if the thread does not finish. */
export type ThreadMessage<Result> = { isFinal: boolean; value: Result }

type ThreadOptions = {
  /** Address of the module without its ending: an installed package has JavaScript instead of TypeScript. */
  module: URL
  workerData?: unknown
  /** Of the processor: a busy server must not make a computation too long. */
  cpuLimitMs: number
  memoryLimitMb: number
  /** Ends the thread; the promise is rejected with its reason. */
  signal?: AbortSignal | undefined
  /** Sends what the thread needs, in parts if it is much: copying blocks the event loop. */
  feed?: (post: (message: unknown) => void) => Promise<void>
}

/** Nobody waits longer than this. */
const WAIT_LIMIT_MS = 90_000
const CHECK_MS = 250
/** `.ts` in the source and `.js` in a package. */
const ENDING = extname(import.meta.filename)

/**
 * Computes in a thread, so that requests are served meanwhile. If the thread exceeds its limits, the outcome is what it posted last, which is
 * not final, or undefined.
 */
export function runThread<Result>(options: ThreadOptions): Promise<ThreadMessage<Result> | undefined> {
  const { module, workerData, cpuLimitMs, memoryLimitMb, signal, feed } = options
  return new Promise((done, fail) => {
    signal?.throwIfAborted()
    const thread = new Worker(new URL(`${module.href}${ENDING}`), {
      // Not the options of the process, some of which are only for its own program.
      execArgv: [],
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    })
    let last: ThreadMessage<Result> | undefined
    const stop = () => {
      clearTimeout(limit)
      clearInterval(check)
      signal?.removeEventListener('abort', cancel)
      void thread.terminate()
    }
    const finish = () => {
      stop()
      done(last)
    }
    const failWith = (error: Error) => {
      stop()
      fail(error)
    }
    const cancel = () => failWith(signal!.reason)
    signal?.addEventListener('abort', cancel)
    const limit = setTimeout(finish, WAIT_LIMIT_MS)
    const check = setInterval(async () => {
      // A thread that has just ended has no use of the processor.
      const used = await thread.cpuUsage().catch(() => undefined)
      if (used && (used.user + used.system) / 1000 > cpuLimitMs) finish()
    }, CHECK_MS)
    thread.on('message', (message: ThreadMessage<Result>) => {
      last = message
      if (message.isFinal) finish()
    })
    thread.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish()
      else failWith(error)
    })
    // A thread may also end by itself, without a final message.
    thread.on('exit', finish)
    feed?.((message) => thread.postMessage(message)).catch(failWith)
  })
}

/** For many short computations: the event loop turns between two of them. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    await setImmediate()
    results.push(map(item, results.length))
  }
  return results
}
