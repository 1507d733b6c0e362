const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const SIGNAL_NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]

/** Work of a command in one transaction. */
type Work = { interrupted: string; isCommitting: boolean; isAsked: boolean }
let work: Work | undefined

/** For commands and the start phase: exit handlers stop the embedded database, which a plain signal would leave running. */
export function exitOnSignal(): void {
  for (const signal of SIGNAL_NAMES)
    process.on(signal, () => {
      // Whether a commit that was sent took effect is known only when it is answered.
      const isAwaited = work?.isCommitting && !work.isAsked
      if (work && isAwaited) {
        work.isAsked = true
        console.error('Everything is being saved; the command ends when this is done.')
        return
      }
      if (work) console.error(work.isCommitting ? 'Interrupted while everything was being saved.' : work.interrupted)
      process.exit(128 + SIGNALS[signal])
    })
}

/**
 * Says what a signal interrupts. `run` calls `onCommit` as the last step before the commit: from there on a signal waits for the
 * answer, because the command could not say otherwise what it has done.
 */
export async function interruptible<T>(interrupted: string, run: (onCommit: () => void) => Promise<T>): Promise<T> {
  const current: Work = { interrupted, isCommitting: false, isAsked: false }
  work = current
  try {
    return await run(() => {
      current.isCommitting = true
    })
  } finally {
    work = undefined
  }
}

/** Stops gracefully on the first signal and at once on the second. */
export function stopOnSignal(stop: () => Promise<void>, print: (line: string) => void): void {
  let stopping = false
  for (const signal of SIGNAL_NAMES) {
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      print('Stopping …')
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}
