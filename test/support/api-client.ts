import { type Agent, request } from 'node:http'
import { type Answer, checkAnswer } from './api-response.ts'

export type Query = string | Record<string, string | number | (string | number)[]>
export type CallOptions = {
  query?: Query
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Skips the check, for responses outside the API or in another format. */
  unchecked?: boolean
}
export type Line = { port: number; agent: Agent; host: string }
/** Credentials of a caller; a function, since tokens are created on first use. */
export type Credential = () => Promise<Record<string, string | string[]>>

function withQuery(path: string, query: Query | undefined): string {
  if (query === undefined) return path
  const text =
    typeof query === 'string'
      ? query
      : new URLSearchParams(
          Object.entries(query).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)])),
        ).toString()
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
}

/** Sends one HTTP request unchanged: follows no redirect and encodes nothing. */
export function call(
  { port, agent, host }: Line,
  method: string,
  url: string,
  headers: Record<string, string | string[]> = {},
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(
      { host: '127.0.0.1', port, agent, method, path: url, headers: { host, ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const isJson = /^application\/(problem\+)?json/.test(response.headers['content-type'] ?? '')
          const flat = Object.entries(response.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ])
          done({
            status: response.statusCode!,
            headers: Object.fromEntries(flat),
            text,
            body: isJson && text ? JSON.parse(text) : undefined,
          })
        })
      },
    )
    sent.on('error', fail)
    sent.end(body)
  })
}

/** A caller of the API; checks every response against the declaration of the endpoint. */
export class Caller {
  readonly #line: Line
  readonly #credential: Credential
  constructor(line: Line, credential: Credential) {
    this.#line = line
    this.#credential = credential
  }

  async request(
    method: string,
    path: string,
    { query, headers = {}, body, unchecked = false }: CallOptions = {},
  ): Promise<Answer> {
    // `Location` is absolute.
    const url = withQuery(path.replace(/^https:\/\/a\.example(?=\/)/, ''), query)
    const answer = await call(this.#line, method, url, { ...(await this.#credential()), ...headers }, body)
    if (!unchecked) {
      try {
        checkAnswer(method, url, answer)
      } catch (error) {
        if (error instanceof Error) error.message = `${method} ${url} → ${answer.status}: ${error.message}`
        throw error
      }
    }
    return answer
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.request('GET', path, options)
  }
  head(path: string, options?: CallOptions): Promise<Answer> {
    return this.request('HEAD', path, options)
  }
  options(path: string, options?: CallOptions): Promise<Answer> {
    return this.request('OPTIONS', path, options)
  }

  /** Sends a JSON body. */
  send(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, value?: unknown, options: CallOptions = {}): Promise<Answer> {
    if (value === undefined) return this.request(method, path, options)
    const headers = { 'content-type': 'application/json', ...options.headers }
    return this.request(method, path, { ...options, headers, body: JSON.stringify(value) })
  }
  post(path: string, value?: unknown, options?: CallOptions): Promise<Answer> {
    return this.send('POST', path, value, options)
  }
  patch(path: string, value: unknown, etag: string, options: CallOptions = {}): Promise<Answer> {
    return this.send('PATCH', path, value, { ...options, headers: { 'if-match': etag, ...options.headers } })
  }
  delete(path: string, etag: string, options: CallOptions = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, { ...options, headers: { 'if-match': etag, ...options.headers } })
  }

  /** The ids of a list's first page. */
  async ids(path: string, query?: Query): Promise<number[]> {
    const answer = await this.get(path, query === undefined ? {} : { query })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return answer.body.results.map(({ id }: { id: number }) => id)
  }

  async status(path: string, options?: CallOptions): Promise<number> {
    return (await this.get(path, options)).status
  }
}
