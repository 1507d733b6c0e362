import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Listener = { close: () => Promise<void> }

type ListenOptions = {
  url: string
  channel: string
  /** Called for each message, and after each connection, because messages may have been missed before. */
  onMessage: () => void
  onError: (error: Error) => void
  reconnectMs?: number
}

/** Listens on a channel with a connection of its own, and connects again after a failure. */
export function listen({ url, channel, onMessage, onError, reconnectMs = 1_000 }: ListenOptions): Listener {
  const closed = new AbortController()
  let current: pg.Client | undefined
  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, application_name: 'turnout', keepAlive: true })
    current = client
    const ended = new Promise<void>((done) => client.once('end', () => done()))
    client.on('error', onError)
    client.on('notification', onMessage)
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    onMessage()
    await ended
  }
  const run = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await connect().catch((error: Error) => {
        if (!closed.signal.aborted) onError(error)
      })
      await current?.end().catch(() => {})
      await sleep(reconnectMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    close: async () => {
      closed.abort()
      await current?.end().catch(() => {})
      await running
    },
  }
}
