import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { gzipSync } from 'node:zlib'

/** What a partner does with one request; it may answer, or not, or never end. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** A server on loopback that counts who comes, and does to them what it is told. */
export class Hostile {
  readonly port: number
  calls = 0
  readonly #by = new Map<string, Behaviour>()
  constructor(port: number) {
    this.port = port
  }
  /** By the beginning of the path. */
  on(path: string, behaviour: Behaviour): void {
    this.#by.set(path, behaviour)
  }
  answer(request: IncomingMessage, response: ServerResponse): void {
    this.calls += 1
    const behaviour = this.#find(request.url!)
    if (behaviour) behaviour(response, request)
    else response.writeHead(404).end()
  }
  /** Whether only a deadline ends a request to this path. */
  isEndless(path: string): boolean {
    const behaviour = this.#find(path)
    return behaviour !== undefined && ENDLESS.some((name) => BROKEN[name] === behaviour)
  }
  #find(path: string): Behaviour | undefined {
    return [...this.#by].find(([start]) => path.startsWith(start))?.[1]
  }
}

export async function openHostile(): Promise<Hostile> {
  let hostile: Hostile | undefined
  const server = createServer((request, response) => hostile!.answer(request, response))
  server.on('connection', (socket) => socket.on('error', () => {}))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  hostile = new Hostile((server.address() as AddressInfo).port)
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return hostile
}

export const says =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
export const tells = (value: unknown, status = 200): Behaviour => says(JSON.stringify(value), status)
export const leadsTo = (location: string, status = 302): Behaviour => says('', status, { location })

/** Whatever a broken or malicious server does instead of answering, wherever it is asked. */
export const BROKEN: Record<string, Behaviour> = {
  'resets the connection': (_response, request) => void request.socket.destroy(),
  'is silent': () => {},
  'drips a byte at a time': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  },
  'drips its headers': (_response, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  'answers without end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  },
  'answers with much too much': says(`"${'x'.repeat(300_000)}"`),
  'stops in the middle': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"results": [')
    setTimeout(() => response.destroy(), 10)
  },
  'speaks no HTTP': (_response, { socket }) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'sends a gzip bomb': says(gzipSync(Buffer.alloc(1_000_000, ' ')), 200, { 'content-encoding': 'gzip' }),
  'claims a strange encoding': says('{}', 200, { 'content-encoding': 'br, gzip' }),
  'sends nothing': says(''),
  'sends broken JSON': says('{"results": [{'),
  'sends HTML': says('<!doctype html><title>Sign in</title>', 200, { 'content-type': 'text/html' }),
  'sends null': tells(null),
  'sends a number': tells(7),
  'sends an empty object': tells({}),
  'sends an empty array': tells([]),
  'sends bytes that are no text': says(Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
  'is nested a thousand deep': says('['.repeat(1000) + ']'.repeat(1000)),
  'says 204': says('', 204),
  'says 300': says('', 300),
  'says 304 to whom asked nothing': says('', 304),
  'says 400': tells({ detail: 'no' }, 400),
  'says 401': tells({ detail: 'no' }, 401),
  'says 404': tells({ detail: 'no' }, 404),
  'says 410': tells({ detail: 'no' }, 410),
  'says 418': says('short and stout', 418),
  'says 429': tells({ detail: 'later' }, 429),
  'says 500': says('<h1>Server Error</h1>', 500, { 'content-type': 'text/html' }),
  'says 502': says('', 502),
  'says 503': says('', 503, { 'retry-after': '999999999' }),
}

const ENDLESS = ['is silent', 'drips a byte at a time', 'drips its headers']

/** Addresses that nobody may be led to; `port`: of a canary on loopback. */
export const forbidden = (port: number): Record<string, string> => ({
  'loopback by number': `http://127.0.0.1:${port}/`,
  'loopback by name': `http://localhost:${port}/`,
  'loopback by another number': `http://127.9.9.9:${port}/`,
  'loopback as one number': `http://2130706433:${port}/`,
  'loopback in octal': `http://0177.0.0.1:${port}/`,
  'loopback as zero': `http://0.0.0.0:${port}/`,
  'loopback of IPv6': `http://[::1]:${port}/`,
  'loopback inside of IPv6': `http://[::ffff:127.0.0.1]:${port}/`,
  'a name that resolves to loopback': `http://canary.example:${port}/`,
  'a name that resolves to loopback, by https': `https://canary.example:${port}/`,
  'a private network': 'http://10.0.0.1/',
  'addresses of a cloud': 'http://169.254.169.254/latest/meta-data/',
  'a name of such an address': 'http://metadata.example/',
  'a file': 'file:///etc/passwd',
  'a script': 'javascript:alert(1)',
  'somebody with a password': `http://user:secret@127.0.0.1:${port}/`,
})
