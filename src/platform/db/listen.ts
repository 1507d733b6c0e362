import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectTo, destroyConnection } from './host-chooser.ts'

/** Without messages nothing else tells that the server is gone. */
const CHECK_MS = 10_000
const NO_ANSWER_MS = 3_000

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
    const client = await connectTo(url, { application_name: 'turnout', keepAlive: true, query_timeout: NO_ANSWER_MS })
    current = client
    const ended = new Promise<void>((done) => client.once('end', () => done()))
    client.on('error', onError)
    client.on('notification', onMessage)
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    onMessage()
    const checking = setInterval(() => client.query('select 1').catch(() => destroyConnection(client)), CHECK_MS)
    await ended.finally(() => clearInterval(checking))
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
