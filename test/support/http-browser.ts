import { request } from 'node:http'

export const LOGIN = '/accounts/login/'
export const PASSWORD = 'seven quiet lamps'

export type Server = { port: number }
type Headers = Record<string, string>
export type BrowserResponse = {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: string
  bytes: Buffer
  cookies: string[]
}
type Post = { form?: Record<string, string | string[]>; headers?: Headers; token?: string | undefined }

/** Sends real HTTP requests and keeps cookies and the CSRF token as a browser does; runs no scripts. */
export class Browser {
  readonly cookies = new Map<string, string>()
  token: string | undefined
  readonly #server: Server
  readonly #defaultHeaders: Headers
  constructor(server: Server, { ip = '192.0.2.1', language = 'en', host = 'turnout.example', agent = '' } = {}) {
    this.#server = server
    this.#defaultHeaders = { host, 'accept-language': language, 'x-forwarded-for': ip, 'user-agent': agent }
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-turnout_session')
  }

  get(url: string, { headers = {} }: { headers?: Headers } = {}): Promise<BrowserResponse> {
    return this.#send('GET', url, headers)
  }

  post(url: string, { form = {}, headers = {}, ...more }: Post = {}): Promise<BrowserResponse> {
    const token = 'token' in more ? more.token : this.token
    const fields = Object.entries({ ...form, ...(token === undefined ? {} : { csrf_token: token }) })
    const body = new URLSearchParams(fields.flatMap(([name, value]) => [value].flat().map((each) => [name, each]))).toString()
    const length = String(Buffer.byteLength(body))
    const type = 'application/x-www-form-urlencoded'
    return this.#send('POST', url, { 'content-type': type, 'content-length': length, ...headers }, body)
  }

  /** Posts a body as it is, for example a form with files. */
  postBytes(url: string, body: Buffer, type: string): Promise<BrowserResponse> {
    return this.#send('POST', url, { 'content-type': type, 'content-length': String(body.length) }, body)
  }

  async signIn(password = PASSWORD, email = 'ann@example.org', url = LOGIN): Promise<BrowserResponse> {
    await this.get(url)
    return this.post(url, { form: { email, password } })
  }

  async #send(method: string, path: string, headers: Headers, body: string | Buffer = ''): Promise<BrowserResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...this.#defaultHeaders, ...(cookie ? { cookie } : {}), ...headers }
    const response = await send({ port: this.#server.port, method, path, headers: sent }, body)
    for (const line of response.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    this.token = /name="csrf_token" value="([^"]+)"/.exec(response.body)?.[1] ?? this.token
    return response
  }
}

function send(
  options: { port: number; method: string; path: string; headers: Headers },
  body: string | Buffer,
): Promise<BrowserResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname: '127.0.0.1', ...options, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        const cookies = headers['set-cookie'] ?? []
        const bytes = Buffer.concat(chunks)
        resolve({ statusCode, headers, body: bytes.toString(), bytes, cookies })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
