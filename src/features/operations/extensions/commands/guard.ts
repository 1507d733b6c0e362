import type { Clock } from '#platform/clock.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Log } from '#platform/log.ts'
import { addFailure, isTooMany } from '../rules/failures.ts'

/** How long code of extensions may take. */
export type Budgets = {
  importMs: number
  /** A part of a page of Turnout. */
  sectionMs: number
  /** A page or endpoint of its own. */
  requestMs: number
  taskMs: number
  /** Without a turn of the event loop: nobody is served meanwhile. */
  stuckMs: number
}
export const BUDGETS: Budgets = { importMs: 10_000, sectionMs: 500, requestMs: 10_000, taskMs: 300_000, stuckMs: 10_000 }

/** The work goes on, but nobody waits for it any more. */
export async function within<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`took longer than ${limitMs} ms`)), limitMs)
  })
  // Also turns what the work throws at once into a rejection.
  const running = (async () => work())()
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
    running.catch(() => {})
  }
}

export type Guard = {
  /** Throws what the work throws. `what`: for the log. */
  run: <Result>(what: string, limitMs: number, work: () => Promise<Result>) => Promise<Result>
  /** Undefined after a failure. */
  omit: <Result>(what: string, limitMs: number, work: () => Promise<Result>) => Promise<Result | undefined>
}

type GuardOptions = { name: string; log: Log; clock: Clock; onStop: (reason: string) => Promise<void> }

/** Runs code of one extension, and switches it off after repeated failures. */
export function makeGuard({ name, log, clock, onStop }: GuardOptions): Guard {
  let failures: number[] = []
  const stop = async (reason: string) => {
    failures = []
    log.error({ extension: name, reason }, 'extension switched off')
    await onStop(reason).catch((err) => log.error({ err, extension: name }, 'extension could not be switched off'))
  }
  const run: Guard['run'] = async (what, limitMs, work) => {
    try {
      return await within(limitMs, work)
    } catch (error) {
      // A refusal, such as a missing permission, is an answer.
      if (error instanceof Problem) throw error
      log.warn({ err: error, extension: name, what }, 'extension failed')
      failures = addFailure(failures, clock.now().getTime())
      if (isTooMany(failures)) await stop(`${what}: ${(error as Error)?.message ?? String(error)}`)
      throw error
    }
  }
  return { run, omit: async (what, limitMs, work) => run(what, limitMs, work).catch(() => undefined) }
}
