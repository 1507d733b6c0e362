import assert from 'node:assert/strict'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string }
export type Asking = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Without an agent, every request opens a connection. */
  agent?: Agent
}

/** Only guards against hanging. */
const HANG_TIMEOUT_MS = 5 * 60_000

/** Without a connection there is no port. `number` counts the requests of the connection. */
export type SentRequest = { localPort: number | undefined; number: number }
export type AskError = NodeJS.ErrnoException & { sent: SentRequest }
const requestCounts = new WeakMap<Socket, number>()

/** Rejects with an `AskError`. */
export function ask(url: string, { method = 'GET', headers = {}, body = '', agent }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: agent ?? false, timeout: HANG_TIMEOUT_MS }, (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
    const sent: SentRequest = { localPort: undefined, number: 0 }
    sending.once('socket', (socket) => {
      sent.number = (requestCounts.get(socket) ?? 0) + 1
      requestCounts.set(socket, sent.number)
      sent.localPort = socket.localPort
      // A connection that is used again is there already.
      if (socket.connecting)
        socket.once('connect', () => {
          sent.localPort = socket.localPort
        })
    })
    sending.on('timeout', () => sending.destroy(new Error(`no answer to ${method} ${url}`)))
    sending.on('error', (error) => reject(Object.assign(error, { sent })))
    sending.end(body)
  })
}

export const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const LOGIN = '/accounts/login/'

/** A client that keeps cookies and sends the CSRF token of the last form. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #origin: string
  readonly #headers: Record<string, string>
  readonly #agent: Agent | undefined
  #token = ''

  constructor(origin: string, headers: Record<string, string> = {}, agent?: Agent) {
    this.#origin = origin
    this.#headers = headers
    this.#agent = agent
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, {})
  }

  post(path: string, form: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ csrf_token: this.#token, ...form }).toString()
    const length = String(Buffer.byteLength(body))
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': length }
    return this.#send(path, { method: 'POST', headers, body })
  }

  /** Signs in with the login form. */
  async signIn(email: string, password: string): Promise<Answer> {
    const form = await this.get(LOGIN)
    assert.equal(form.status, 200, form.body)
    return this.post(LOGIN, { email, password })
  }

  async isSignedIn(): Promise<boolean> {
    const { status, headers } = await this.get('/')
    if (status === 200) return true
    assert.equal(status, 303)
    assert.match(headers.location ?? '', /^\/accounts\/login\//)
    return false
  }

  /** Drops the session cookie but keeps the device cookie; returns a client that still has the session. */
  detachSession(): Visitor {
    const before = new Visitor(this.#origin, this.#headers)
    for (const [name, value] of this.cookies) before.cookies.set(name, value)
    for (const name of this.cookies.keys()) if (name.includes('session')) this.cookies.delete(name)
    return before
  }

  async #send(path: string, asking: Asking): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...this.#headers, ...(cookie ? { cookie } : {}), ...asking.headers }
    const agent = this.#agent ? { agent: this.#agent } : {}
    const answer = await ask(`${this.#origin}${path}`, { ...asking, ...agent, headers })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    this.#token = /name="csrf_token" value="([^"]+)"/.exec(answer.body)?.[1] ?? this.#token
    return answer
  }
}
