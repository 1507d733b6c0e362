import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

type Claims = Record<string, unknown>
type Header = Record<string, unknown>
type Grant = { nonce: string | null; challenge: string | null; redirectUri: string | null }

/** Makes the next ID tokens wrong. */
export type Fault = {
  claims?: (claims: Claims) => Claims
  header?: (header: Header) => Header
  /** How the token is signed; by default with the published key. */
  sign?: 'other key' | 'client secret' | 'nothing'
  /** Response of the token endpoint instead of tokens. */
  token?: (response: ServerResponse) => void
  userinfoSubject?: string
  /** Accepts a code more than once. */
  acceptsReplay?: boolean
}

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An OpenID Connect provider on loopback whose responses a test can spoil. */
export class TestProvider {
  readonly clientId = 'turnout'
  readonly clientSecret = 'secret of the client'
  /** Claims about the person who signs in. */
  person: Claims = {}
  fault: Fault = {}
  readonly calls: string[] = []
  url = ''
  readonly #keys = makeKeys()
  readonly #otherKeys = makeKeys()
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Set<string>()

  /** What a browser does at the provider: it returns with a code to the redirect address. Gives path and query of that address. */
  approve(location: string): string {
    const query = new URL(location).searchParams
    const code = randomBytes(16).toString('hex')
    this.#codes.set(code, {
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge'),
      redirectUri: query.get('redirect_uri'),
    })
    const back = new URL(query.get('redirect_uri')!)
    return `${back.pathname}?${new URLSearchParams({ code, state: query.get('state')!, iss: this.url })}`
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split('?')[0]!
    this.calls.push(path)
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration') return void send(this.#describe())
    if (path === '/keys') return void send({ keys: [this.#publicKey()] })
    if (path === '/userinfo') return void this.#sendUserinfo(request, send)
    if (path === '/token') return this.#sendTokens(request, response, send)
    send({}, 404)
  }

  #describe() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      userinfo_endpoint: `${this.url}/userinfo`,
      end_session_endpoint: `${this.url}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }
  }

  #publicKey() {
    return { ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' }
  }

  #sendUserinfo(request: IncomingMessage, send: (body: unknown, status?: number) => unknown): void {
    if (!this.#tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) send({}, 401)
    else send({ sub: this.fault.userinfoSubject ?? this.person.sub, ...(this.person.userinfo as Claims) })
  }

  async #sendTokens(request: IncomingMessage, response: ServerResponse, send: (body: unknown, status?: number) => unknown) {
    if (this.fault.token) return this.fault.token(response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
    const [id = '', secret = ''] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== this.clientId || secret !== this.clientSecret) return void send({ error: 'invalid_client' }, 401)
    const code = form.get('code') ?? ''
    const grant = this.#codes.get(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return void send({ error: 'invalid_grant' }, 400)
    if (!this.fault.acceptsReplay) this.#codes.delete(code)
    const accessToken = randomBytes(16).toString('hex')
    this.#tokens.add(accessToken)
    send({ access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: this.#makeIdToken(grant) })
  }

  #makeIdToken({ nonce }: Grant): string {
    const { userinfo: _userinfo, ...person } = this.person
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: this.url, aud: this.clientId, iat: now, exp: now + 300, nonce, auth_time: now, ...person }
    const header = this.fault.header?.({ alg: 'RS256', kid: 'first' }) ?? { alg: 'RS256', kid: 'first' }
    const content = `${encode(header)}.${encode(this.fault.claims?.(usual) ?? usual)}`
    return `${content}.${this.#sign(content)}`
  }

  #sign(content: string): string {
    if (this.fault.sign === 'nothing') return ''
    if (this.fault.sign === 'client secret') return createHmac('sha256', this.clientSecret).update(content).digest('base64url')
    const { privateKey } = this.fault.sign === 'other key' ? this.#otherKeys : this.#keys
    return createSign('sha256').update(content).sign(privateKey, 'base64url')
  }
}

export async function openTestProvider(): Promise<TestProvider> {
  const provider = new TestProvider()
  const server = createServer((request, response) => void provider.answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}
