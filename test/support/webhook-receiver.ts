import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

export type Received = { path: string; id: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, received: Received) => void

/** Never answers. */
export const hang: Answer = () => {}
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end()

/** A receiver of webhooks on loopback. Paths answer 204 unless told otherwise. */
export class Receiver {
  readonly received: Received[] = []
  readonly #server: Server
  readonly #answers = new Map<string, Answer>()
  readonly #waiting = new Set<() => void>()

  constructor(server: Server) {
    this.#server = server
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url!
      const received = { path, id: String(request.headers['webhook-id']), headers: request.headers, body: await text(request) }
      this.received.push(received)
      for (const check of [...this.#waiting]) check()
      const answer = this.#answers.get(path) ?? status(204)
      answer(response, received)
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }
  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }
  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer)
  }
  at(path: string): Received[] {
    return this.received.filter((each) => each.path === path)
  }
  /** Records that arrived at a path, as `kind id what`. */
  told(path: string): string[] {
    return this.at(path).map(({ body }) => {
      const { kind, id, what } = JSON.parse(body)
      return `${kind} ${id} ${what}`
    })
  }
  /** Resolves when the condition holds after a request. */
  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((done) => this.#once(done))
  }
  #once(done: () => void): void {
    const check = () => {
      this.#waiting.delete(check)
      done()
    }
    this.#waiting.add(check)
  }
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer()
  server.on('connection', (socket) => socket.on('error', () => {}))
  const receiver = new Receiver(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
