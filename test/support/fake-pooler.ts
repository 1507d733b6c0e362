import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Calls `onMessage` with each complete message of the PostgreSQL protocol. The first one of a client has no type. */
function splitMessages(isClient: boolean, onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let typeLength = isClient ? 0 : 1
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typeLength + 4) {
      const length = typeLength + rest.readInt32BE(typeLength)
      if (rest.length < length) return
      onMessage(rest.subarray(0, length))
      rest = rest.subarray(length)
      typeLength = 1
    }
  }
}

/** `endsAtQuery`: the connection is lost when the client asks for something. */
export type PoolerOptions = { keepsTrack: boolean; endsAtQuery?: boolean }

/** As a pooler does, it gives clients a process id of its own, and renames their statements if `keepsTrack`. */
function serve(client: Socket, socketPath: string, options: PoolerOptions & { queries: string[] }): void {
  const { keepsTrack, endsAtQuery, queries } = options
  const server = connect(socketPath)
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
  client.on(
    'data',
    splitMessages(true, (message) => {
      const type = String.fromCharCode(message[0]!)
      if (type === 'Q' && endsAtQuery) return void client.destroy()
      const at = keepsTrack && 'PB'.includes(type) ? message.indexOf('turnout_') : -1
      if (at > 0) message.write('tracked_', at)
      if (type === 'Q') queries.push(message.toString('utf8', 5, message.length - 1))
      else if (type === 'P') queries.push('(named statement)')
      server.write(message)
    }),
  )
  server.on(
    'data',
    splitMessages(false, (message) => {
      if (message[0] === 'K'.charCodeAt(0)) message.writeInt32BE(1, 5)
      client.write(message)
    }),
  )
}

/** A proxy that looks like a connection pooler; returns its address for the same database. */
export async function startFakePooler(databaseUrl: string, options: PoolerOptions) {
  const url = new URL(databaseUrl)
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}`
  const sockets = new Set<Socket>()
  const queries: string[] = []
  const proxy = createServer((client) => {
    sockets.add(client)
    serve(client, socketPath, { ...options, queries })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    /** What clients have sent. */
    queries,
    url: `postgresql://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
