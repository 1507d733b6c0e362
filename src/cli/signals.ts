const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const SIGNAL_NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]

/** For the start phase: exit handlers stop the embedded database, which a plain signal would leave running. */
export function exitOnSignal(): void {
  for (const signal of SIGNAL_NAMES) process.on(signal, () => process.exit(128 + SIGNALS[signal]))
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
