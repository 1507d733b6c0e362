/** How far it is. */
export type WorkProgress = { done: number; total: number }

/** What work gets. It ends soon after `signal` is aborted. */
export type WorkControl = { signal: AbortSignal; report: (progress: WorkProgress) => void }

type Work<Result> = {
  result: Promise<Result>
  control: AbortController
  /** Undefined: nothing was reported yet. */
  progress: WorkProgress | undefined
  ending?: NodeJS.Timeout
}

/** Nobody waits for it any more: pages ask again every few seconds. */
const KEPT_MS = 30_000

type WorkOutcome<Result> = { isDone: true; result: Result } | { isDone: false; progress: WorkProgress | undefined }

/**
 * Work that pages of this process wait for, by key. It goes on after a response that said how far it is, and the next request with the same key
 * gets its result. Another node would do the work again.
 */
export class PageWork<Result> {
  readonly #works = new Map<string, Work<Result>>()

  /** Starts the work unless it goes on already. Waits `patienceMs` for the result, which is given out once. */
  async take(key: string, patienceMs: number, start: (control: WorkControl) => Promise<Result>): Promise<WorkOutcome<Result>> {
    const work = this.#works.get(key) ?? this.#start(key, start)
    clearTimeout(work.ending)
    const isSettled = await settlesWithin(work.result, patienceMs)
    if (isSettled && !work.control.signal.aborted) {
      clearTimeout(work.ending)
      this.#forget(key, work)
      return { isDone: true, result: await work.result }
    }
    clearTimeout(work.ending)
    work.ending = setTimeout(() => this.#end(key, work), KEPT_MS).unref()
    return { isDone: false, progress: work.progress }
  }

  /** False: there is no such work, or it has ended. */
  cancel(key: string): boolean {
    const work = this.#works.get(key)
    if (work) this.#end(key, work)
    return work !== undefined
  }

  #start(key: string, start: (control: WorkControl) => Promise<Result>): Work<Result> {
    const control = new AbortController()
    const report = (progress: WorkProgress) => {
      work.progress = progress
    }
    // The work begins after it is stored, so that it can report at once.
    const result = Promise.resolve().then(() => start({ signal: control.signal, report }))
    // Reported to whoever takes the result.
    result.catch(() => {})
    const work: Work<Result> = { result, control, progress: undefined }
    this.#works.set(key, work)
    return work
  }

  #end(key: string, work: Work<Result>): void {
    clearTimeout(work.ending)
    work.control.abort()
    this.#forget(key, work)
  }

  #forget(key: string, work: Work<Result>): void {
    if (this.#works.get(key) === work) this.#works.delete(key)
  }
}

/** Whether it succeeds or fails within this time. */
export function settlesWithin(promise: Promise<unknown>, patienceMs: number): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), patienceMs)
    const settle = () => {
      clearTimeout(timer)
      done(true)
    }
    promise.then(settle, settle)
  })
}
