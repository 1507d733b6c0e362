import { type ClientRequest, request } from 'node:http'
import type { Line } from './api-client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read data of all shapes
export type ReceivedEvent = { id?: string; event?: string; comment?: string; data?: any }

/** A client of Server-Sent Events without the reconnecting of a browser. */
export class EventStream {
  status = 0
  headers: Record<string, string | string[] | undefined> = {}
  /** The body of a refusal. */
  text = ''
  readonly events: ReceivedEvent[] = []
  readonly ended: Promise<void>
  readonly opened: Promise<this>
  #sent: ClientRequest
  #waiting: (() => void)[] = []
  #rest = ''
  #isEnded = false

  constructor({ port, host }: Line, path: string, headers: Record<string, string>) {
    const opened = Promise.withResolvers<this>()
    const ended = Promise.withResolvers<void>()
    this.opened = opened.promise
    this.ended = ended.promise
    const end = () => {
      this.#isEnded = true
      ended.resolve()
      opened.resolve(this)
      this.#wake()
    }
    // A connection of its own: streams would use up those of an agent.
    this.#sent = request({ host: '127.0.0.1', port, path, agent: false, headers: { host, ...headers } }, (response) => {
      this.status = response.statusCode!
      this.headers = response.headers
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => this.#take(chunk))
      response.on('close', end)
      response.on('error', end)
      opened.resolve(this)
    })
    this.#sent.on('error', end)
    this.#sent.end()
  }

  get changes(): ReceivedEvent[] {
    return this.events.filter(({ event }) => event === 'change')
  }

  /** Waits until the events satisfy a condition; false if the stream ends before. */
  async until(isEnough: () => boolean): Promise<boolean> {
    while (!isEnough()) {
      if (this.#isEnded) return false
      await new Promise<void>((done) => this.#waiting.push(done))
    }
    return true
  }

  destroy(): void {
    this.#sent.destroy()
  }

  #take(chunk: string): void {
    this.text += chunk
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop()!
    for (const block of blocks) this.events.push(parseEvent(block))
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function parseEvent(block: string): ReceivedEvent {
  const event: ReceivedEvent = {}
  for (const line of block.split('\n')) {
    const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? []
    if (name === '') event.comment = value!
    if (name === 'id') event.id = value!
    if (name === 'event') event.event = value!
    if (name === 'data') event.data = JSON.parse(value!)
  }
  return event
}
