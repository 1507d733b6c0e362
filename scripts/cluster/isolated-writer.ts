import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const ATTEMPT_MS = 1_000
const PAUSE_MS = 100

/** Writes to a primary that nobody else sees, by its socket: whatever it acknowledges must still be there afterwards. */
export class IsolatedWriter {
  readonly #url: string
  readonly #round: number
  #isOver = false
  #writing: Promise<void> | undefined
  #next = 0
  acknowledged: number[] = []
  lastAcknowledgedAt: number | undefined

  constructor(url: string, round: number) {
    this.#url = url
    this.#round = round
  }

  start(): void {
    this.#writing = this.#write()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#writing
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const id = this.#next++
      if (await this.#insert(id)) {
        this.acknowledged.push(id)
        this.lastAcknowledgedAt = performance.now()
      }
      await sleep(PAUSE_MS)
    }
  }

  async #insert(id: number): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.#url, connectionTimeoutMillis: ATTEMPT_MS, query_timeout: ATTEMPT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('insert into isolated_write (round, id) values ($1, $2)', [this.#round, id])
      return true
    } catch {
      return false
    } finally {
      void client.end().catch(() => {})
      ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    }
  }
}
