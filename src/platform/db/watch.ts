/** What a connection tells about itself. */
export type Watched = {
  /** Since when it waits for an answer of the server; undefined while it does not. */
  busySince: () => number | undefined
  /** Fails if the server does not answer a new connection. */
  probe: () => Promise<unknown>
  /** Ends the connection without waiting for the server. */
  giveUp: () => void
}

const CHECK_MS = 1_000

/**
 * Ends connections whose server is paused or unreachable: it sends neither an answer nor an end of the connection, and
 * enforces no timeout of statements. A server that is only slow answers new connections.
 */
export class ConnectionWatch {
  readonly #patienceMs: number
  #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #isChecking = false

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  add(connection: Watched): void {
    this.#watched.add(connection)
    this.#timer ??= setInterval(() => void this.#check(), Math.min(CHECK_MS, this.#patienceMs)).unref()
  }

  remove(connection: Watched): void {
    this.#watched.delete(connection)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #check(): Promise<void> {
    const limit = performance.now() - this.#patienceMs
    const late = [...this.#watched].filter(({ busySince }) => (busySince() ?? Infinity) < limit)
    if (!late.length || this.#isChecking) return
    this.#isChecking = true
    const before = late.map(({ busySince }) => busySince())
    const isAnswering = await late[0]!.probe().then(
      () => true,
      () => false,
    )
    this.#isChecking = false
    if (isAnswering) return
    for (const [n, connection] of late.entries()) if (connection.busySince() === before[n]) connection.giveUp()
  }
}
