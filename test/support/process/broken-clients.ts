import { connect, type Socket } from 'node:net'
import { ask, withToken } from './http-client.ts'

/** Clients that are slow, stop sending or send invalid data. The server must close each of them. */
const KINDS: Record<string, (socket: Socket, site: Site) => void> = {
  'sends nothing': () => {},
  'stops in the first line': (socket) => socket.write('GET /accounts/lo'),
  'sends its headers letter by letter': (socket, { host }) => {
    socket.write(`GET /accounts/login/ HTTP/1.1\r\nhost: ${host}\r\nx-slow: `)
    drip(socket, 'x')
  },
  'sends its body letter by letter': (socket, site) => {
    socket.write(postHead(site, 100_000))
    drip(socket, 'x')
  },
  'sends half of its body': (socket, site) => socket.write(`${postHead(site, 1_000)}email=ann`),
  'sends its body in chunks without an end': (socket, { host }) => {
    socket.write(`POST /accounts/login/ HTTP/1.1\r\nhost: ${host}\r\n${FORM}transfer-encoding: chunked\r\n\r\n`)
    drip(socket, '1\r\nx\r\n')
  },
  'closes the connection in the middle of the headers': (socket, { host }) => {
    socket.end(`GET /accounts/login/ HTTP/1.1\r\nhost: ${host}\r\nx-half`)
  },
  'sends requests without reading the responses': (socket, { host, asset }) => {
    const request = `GET ${asset} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
    socket.write(request.repeat(200))
  },
  'sends invalid bytes': (socket) => socket.write(`${'\0\u0001\u0002 nonsense '.repeat(20)}\r\n\r\n`),
  'starts a TLS handshake': (socket) => socket.write(Buffer.from('16030100c8010000c40303', 'hex')),
  'sends a header without an end': (socket, { host }) => {
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nx-long: ${'x'.repeat(100_000)}`)
  },
  'sends two contradicting lengths of the body': (socket, { host }) => {
    socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /`)
  },
}

export const KINDS_OF_CLIENTS = Object.keys(KINDS)

export type Site = { port: number; host: string /** The path of something large. */; asset: string }
/** `hasConnected`: the system of the server took the connection, or refused it. The server accepts it before any later one. */
export type BrokenClient = { destroy: () => void; hasConnected: () => boolean }

const FORM = 'content-type: application/x-www-form-urlencoded\r\n'
const postHead = ({ host }: Site, length: number) =>
  `POST /accounts/login/ HTTP/1.1\r\nhost: ${host}\r\n${FORM}content-length: ${length}\r\n\r\n`

const DRIP_MS = 300

function drip(socket: Socket, text: string): void {
  const dripping = setInterval(() => socket.write(text), DRIP_MS)
  socket.once('close', () => clearInterval(dripping))
}

/** Opens `count` clients, cycling through all kinds. They do not detect that they were closed; use countConnections(). */
export function openBrokenClients(site: Site, count: number): BrokenClient[] {
  return Array.from({ length: count }, (_, n) => {
    const kind = KINDS_OF_CLIENTS[n % KINDS_OF_CLIENTS.length]!
    // By default the socket closes its side when the server does; a broken client does not.
    const socket = connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true })
    let hasConnected = false
    // Reset by the server, or refused.
    socket.on('error', () => {
      hasConnected = true
    })
    socket.once('connect', () => {
      hasConnected = true
      KINDS[kind]!(socket, site)
    })
    return { destroy: () => socket.destroy(), hasConnected: () => hasConnected }
  })
}

/** The number of connections that the server reports in its metrics, without the one of this request. */
export async function countConnections(origin: string, metricsToken: string): Promise<number> {
  const { body } = await ask(`${origin}/metrics`, withToken(metricsToken))
  const line = /^turnout_nodejs_active_resources\{type="TCPSocketWrap"\} (\d+)$/m.exec(body)
  return Number(line?.[1]) - 1
}
