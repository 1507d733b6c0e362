import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { gzipSync } from 'node:zlib'

/** How the server handles a request; it may never answer or never finish. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** A server on loopback that counts requests and handles them with configurable behaviours. */
export class Hostile {
  readonly port: number
  calls = 0
  readonly #by = new Map<string, Behaviour>()
  constructor(port: number) {
    this.port = port
  }
  /** Sets the behaviour for a path prefix. */
  on(path: string, behaviour: Behaviour): void {
    this.#by.set(path, behaviour)
  }
  answer(request: IncomingMessage, response: ServerResponse): void {
    this.calls += 1
    const behaviour = this.#find(request.url!)
    if (behaviour) behaviour(response, request)
    else response.writeHead(404).end()
  }
  /** Whether a request to this path ends only by a timeout of the client. */
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

export const respond =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
export const respondJson = (value: unknown, status = 200): Behaviour => respond(JSON.stringify(value), status)
export const redirectTo = (location: string, status = 302): Behaviour => respond('', status, { location })

/** Behaviours of a broken or malicious server, for any path. */
export const BROKEN: Record<string, Behaviour> = {
  'resets the connection': (_response, request) => void request.socket.destroy(),
  'never answers': () => {},
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
  'answers with much too much': respond(`"${'x'.repeat(300_000)}"`),
  'stops in the middle': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"results": [')
    setTimeout(() => response.destroy(), 10)
  },
  'does not speak HTTP': (_response, { socket }) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'sends a gzip bomb': respond(gzipSync(Buffer.alloc(1_000_000, ' ')), 200, { 'content-encoding': 'gzip' }),
  'claims a strange encoding': respond('{}', 200, { 'content-encoding': 'br, gzip' }),
  'sends nothing': respond(''),
  'sends broken JSON': respond('{"results": [{'),
  'sends HTML': respond('<!doctype html><title>Sign in</title>', 200, { 'content-type': 'text/html' }),
  'sends null': respondJson(null),
  'sends a number': respondJson(7),
  'sends an empty object': respondJson({}),
  'sends an empty array': respondJson([]),
  'sends invalid UTF-8': respond(Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
  'is nested a thousand deep': respond('['.repeat(1000) + ']'.repeat(1000)),
  'answers 204': respond('', 204),
  'answers 300': respond('', 300),
  'answers 304 to an unconditional request': respond('', 304),
  'answers 400': respondJson({ detail: 'no' }, 400),
  'answers 401': respondJson({ detail: 'no' }, 401),
  'answers 404': respondJson({ detail: 'no' }, 404),
  'answers 410': respondJson({ detail: 'no' }, 410),
  'answers 418': respond('short and stout', 418),
  'answers 429': respondJson({ detail: 'later' }, 429),
  'answers 500': respond('<h1>Server Error</h1>', 500, { 'content-type': 'text/html' }),
  'answers 502': respond('', 502),
  'answers 503': respond('', 503, { 'retry-after': '999999999' }),
}

const ENDLESS = ['never answers', 'drips a byte at a time', 'drips its headers']

/** URLs that requests must never reach; `port`: of a canary on loopback. */
export const forbiddenUrls = (port: number): Record<string, string> => ({
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
  'the metadata address of a cloud': 'http://169.254.169.254/latest/meta-data/',
  'a name that resolves to a metadata address': 'http://metadata.example/',
  'a file': 'file:///etc/passwd',
  'a script': 'javascript:alert(1)',
  'a URL with credentials': `http://user:secret@127.0.0.1:${port}/`,
})
