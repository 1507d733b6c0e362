import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { after } from 'node:test'

/**
 * A fake ephios instance with the federation protocol in both roles: it sends the same requests and responses, expects the
 * same ones, and ends a link on any 403.
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const letters = (count: number, alphabet = ALPHABET): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
const hash = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

export type Profile = {
  id: number
  display_name: string
  date_of_birth: string | null
  email: string
  qualifications: { uuid: string; title: string; abbreviation: string; category: string; includes: string[] }[]
}
type Answer = { status: number; headers: Record<string, string>; text: string; cookies: string[] }
type Call = { method?: string; headers?: Record<string, string>; body?: string }

/** Connects to 127.0.0.1, because not every resolver knows names below localhost. */
export function callOver(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  const { port, host, pathname, search } = new URL(url)
  const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((done, fail) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path: pathname + search, headers: { host, ...length, ...headers } },
      async (response) => {
        const flat = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')])
        const cookies = response.headers['set-cookie'] ?? []
        done({ status: response.statusCode!, headers: Object.fromEntries(flat), text: await textOf(response), cookies })
      },
    )
    sent.on('error', fail)
    sent.end(body)
  })
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Headers of the HTTP library that ephios uses. */
const LIBRARY = { 'user-agent': 'python-requests/2.32.3', 'accept-encoding': 'gzip, deflate', accept: '*/*' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Application = { clientId: string; secret: string; redirectUri: string }
type Host = { url: string; name: string; token: string; application: Application }
type Guest = { id: number; name: string; url: string; token: string; clientId: string; secret: string }
type Asked = { person: Profile; application: Application; challenge: string }
type SharedEvent = { id: number; title: string; location: string; start_time: string; end_time: string }

export class FakePartner {
  base = ''
  readonly name: string
  /** The user who is signed in. */
  person: Profile | undefined
  hosts: Host[] = []
  guests: Guest[] = []
  shared: SharedEvent[] = []
  /** Events that visitors opened, with the profiles that were fetched. */
  readonly visits: { event: number; profile: Profile }[] = []
  readonly received: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = []
  readonly #codes = new Map<string, Asked>()
  readonly #tokens = new Map<string, Profile>()
  readonly #invites = new Map<string, string>()
  readonly #sessions = new Map<string, { state: string; verifier: string; guest: Guest; event: number; profile?: Profile }>()
  constructor(name: string) {
    this.name = name
  }

  /* As guest. */

  async redeem(shareString: string): Promise<Host | undefined> {
    const { guest_url, code, host_url } = JSON.parse(Buffer.from(shareString, 'base64').toString('utf8'))
    if (guest_url !== this.base) return undefined
    const application = {
      clientId: letters(40),
      secret: letters(128),
      redirectUri: `${host_url}/api/federation/oauth-callback/`,
    }
    const { clientId: client_id, secret: client_secret } = application
    const answer = await callOver(`${host_url}/api/federation/setup/`, {
      method: 'POST',
      headers: { ...LIBRARY, ...FORM },
      body: new URLSearchParams({ name: this.name, url: this.base, client_id, client_secret, code }).toString(),
    })
    if (answer.status < 200 || answer.status > 299) return undefined
    const { host_name, access_token } = JSON.parse(answer.text)
    if (typeof host_name !== 'string' || typeof access_token !== 'string') return undefined
    const host = { url: host_url, name: host_name, token: access_token, application }
    this.hosts.push(host)
    return host
  }

  /** The page of external events: reads the first page of every host; a 403 ends the link, other errors are ignored. */
  async listExternal(now: Date): Promise<{ title: string; type: string; signupUrl: string }[]> {
    const after = new Date(now.getTime() - 14 * 86_400_000).toISOString().replace('Z', '123+00:00')
    const found = []
    for (const host of [...this.hosts]) {
      const query = new URLSearchParams({ end_time_after: after }).toString()
      const headers = { ...LIBRARY, authorization: `Bearer ${host.token}` }
      const answer = await callOver(`${host.url}/api/federation/events/?${query}`, { headers })
      if (answer.status === 403) this.hosts = this.hosts.filter((each) => each !== host)
      if (answer.status !== 200) continue
      for (const { title, type, location, start_time, end_time, signup_url } of JSON.parse(answer.text).results) {
        if (typeof location !== 'string' || Number.isNaN(Date.parse(start_time)) || Number.isNaN(Date.parse(end_time)))
          throw new TypeError('an event without place or time breaks that page')
        found.push({ title, type: type.title, signupUrl: signup_url })
      }
    }
    return found
  }

  /** Only a 204 removes the link. */
  async leave(host: Host): Promise<boolean> {
    const headers = { ...LIBRARY, authorization: `Bearer ${host.token}` }
    const answer = await callOver(`${host.url}/api/federation/guest/delete/`, { method: 'DELETE', headers })
    if (answer.status === 204) this.hosts = this.hosts.filter((each) => each !== host)
    return answer.status === 204
  }

  /* As host. */

  invite(guestUrl: string): string {
    const code = randomBytes(32).toString('hex')
    this.#invites.set(code, guestUrl)
    return Buffer.from(`{"guest_url": "${guestUrl}", "code": "${code}", "host_url": "${this.base}"}`).toString('base64')
  }

  async answer(incoming: IncomingMessage, reply: ServerResponse): Promise<ServerResponse> {
    const url = new URL(incoming.url!, this.base)
    const body = await textOf(incoming)
    this.received.push({ method: incoming.method!, path: incoming.url!, headers: incoming.headers, body })
    const route = `${incoming.method} ${url.pathname.replaceAll(/\d+/g, 'N')}`
    const asked = { url, body, incoming, reply }
    switch (route) {
      case 'GET /api/oauth/authorize/':
      case 'POST /api/oauth/authorize/':
        return this.#authorize(asked)
      case 'POST /api/oauth/token/':
        return this.#giveToken(asked)
      case 'GET /api/users/me/':
        return this.#sendProfile(asked)
      case 'POST /api/federation/setup/':
        return this.#setUp(asked)
      case 'GET /api/federation/events/':
        return this.#list(asked)
      case 'DELETE /api/federation/guest/delete/':
        return this.#endGuest(asked)
      case 'GET /events/shared/N/N/':
        return this.#showShared(asked)
      case 'GET /api/federation/oauth-callback/':
        return this.#finish(asked)
      default:
        return send(reply, 200, { 'content-type': 'text/html' }, `<p>${url.pathname}${url.search}</p>`)
    }
  }

  /** Asks for consent every time. */
  #authorize({ url, body, incoming, reply }: Asking): ServerResponse {
    const values = incoming.method === 'POST' ? new URLSearchParams(body) : url.searchParams
    const application = this.hosts.find((host) => host.application.clientId === values.get('client_id'))?.application
    if (!application || values.get('redirect_uri') !== application.redirectUri) return send(reply, 400, HTML, 'no such client')
    const back = (more: Record<string, string>) =>
      send(reply, 302, {
        location: `${application.redirectUri}?${new URLSearchParams({ ...more, state: values.get('state') ?? '' })}`,
      })
    if (!this.person) return send(reply, 302, { location: '/accounts/login/' })
    if (values.get('response_type') !== 'code') return back({ error: 'unsupported_response_type' })
    if (!values.get('code_challenge')) return back({ error: 'invalid_request', error_description: 'Code challenge required.' })
    if (values.get('code_challenge_method') !== 'S256' || values.get('scope') !== 'ME_READ')
      return back({ error: 'invalid_scope' })
    if (incoming.method === 'GET') return send(reply, 200, HTML, '<form method="post"><button name="allow">Allow</button></form>')
    if (!values.has('allow')) return back({ error: 'access_denied' })
    const code = letters(30)
    this.#codes.set(code, { person: this.person, application, challenge: values.get('code_challenge')! })
    return back({ code })
  }

  #giveToken({ body, incoming, reply }: Asking): ServerResponse {
    const fresh = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' }
    const refuse = (status: number, error: string) => send(reply, status, fresh, JSON.stringify({ error }))
    const [clientId, secret] = readBasic(incoming.headers.authorization)
    const values = new URLSearchParams(body)
    if (!incoming.headers['content-type']?.startsWith(FORM['content-type'])) return refuse(400, 'unsupported_grant_type')
    const asked = this.#codes.get(values.get('code') ?? '')
    const known = this.hosts.find(({ application }) => application.clientId === clientId)?.application
    if (!known || known.secret !== secret) return refuse(401, 'invalid_client')
    if (values.get('grant_type') !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
    if (!asked || asked.application !== known || hash(values.get('code_verifier') ?? '') !== asked.challenge)
      return refuse(400, 'invalid_grant')
    this.#codes.delete(values.get('code')!)
    const access_token = letters(30)
    this.#tokens.set(access_token, asked.person)
    const token = { access_token, expires_in: 36_000, token_type: 'Bearer', scope: 'ME_READ', refresh_token: letters(30) }
    return send(reply, 200, fresh, JSON.stringify(token))
  }

  #sendProfile({ incoming, reply }: Asking): ServerResponse {
    const person = this.#tokens.get(incoming.headers.authorization?.replace(/^Bearer /, '') ?? '')
    return send(reply, person ? 200 : 403, JSON_TYPE, JSON.stringify(person ?? NOT_PROVIDED))
  }

  #setUp({ body, incoming, reply }: Asking): ServerResponse {
    const type = incoming.headers['content-type'] ?? ''
    if (!/^application\/(json|x-www-form-urlencoded)/.test(type))
      return send(reply, 415, JSON_TYPE, JSON.stringify({ detail: `Unsupported media type "${type}" in request.` }))
    const values = type.startsWith('application/json') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
    const missing = ['name', 'url', 'client_id', 'client_secret', 'code'].filter((name) => !values[name]?.trim())
    const required = Object.fromEntries(missing.map((name) => [name, ['This field is required.']]))
    if (missing.length) return send(reply, 400, JSON_TYPE, JSON.stringify(required))
    if (this.#invites.get(values.code.trim()) !== values.url)
      return send(reply, 400, JSON_TYPE, JSON.stringify({ non_field_errors: ['Invite code is not valid'] }))
    this.#invites.delete(values.code.trim())
    const { name, url, client_id, client_secret } = values
    const guest = {
      id: this.guests.length + 1,
      name,
      url,
      clientId: client_id,
      secret: client_secret,
      token: randomBytes(32).toString('hex'),
    }
    this.guests.push(guest)
    const created = { id: guest.id, name, url, client_id, client_secret, access_token: guest.token, host_name: this.name }
    return send(reply, 201, { ...JSON_TYPE, location: url }, JSON.stringify(created))
  }

  #guestOf(incoming: IncomingMessage): Guest | undefined {
    return this.guests.find(({ token }) => incoming.headers.authorization === `Bearer ${token}`)
  }

  #list({ incoming, url, reply }: Asking): ServerResponse {
    const guest = this.#guestOf(incoming)
    if (!guest) return send(reply, 403, JSON_TYPE, JSON.stringify(NOT_PROVIDED))
    const after = url.searchParams.get('end_time_after')
    if (after && Number.isNaN(Date.parse(after)))
      return send(reply, 400, JSON_TYPE, JSON.stringify({ end_time_after: ['Enter a valid date/time.'] }))
    const results = this.shared
      .filter(({ end_time }) => !after || Date.parse(end_time) >= Date.parse(after))
      .map((event) => ({
        id: event.id,
        title: event.title,
        description: '',
        location: event.location,
        type: { id: 1, title: 'Service' },
        start_time: event.start_time,
        end_time: event.end_time,
        signup_url: `${this.base}/events/shared/${event.id}/${guest.id}/`,
      }))
    return send(reply, 200, JSON_TYPE, JSON.stringify({ count: results.length, next: null, previous: null, results }))
  }

  #endGuest({ incoming, reply }: Asking): ServerResponse {
    const guest = this.#guestOf(incoming)
    if (!guest) return send(reply, 403, JSON_TYPE, JSON.stringify(NOT_PROVIDED))
    this.guests = this.guests.filter((each) => each !== guest)
    return send(reply, 204, {})
  }

  #showShared({ url, incoming, reply }: Asking): ServerResponse {
    const [event, guestId] = url.pathname.match(/\d+/g)!.map(Number)
    const guest = this.guests.find(({ id }) => id === guestId)
    if (!guest) return send(reply, 403, HTML, 'unknown guest')
    const session = this.#sessions.get(cookieIn(incoming))
    if (session?.profile) {
      this.visits.push({ event: event!, profile: session.profile })
      return send(reply, 200, HTML, `<h1>${session.profile.display_name}</h1>`)
    }
    const [id, state, verifier] = [letters(32), letters(30), letters(64, `${ALPHABET}-._~`)]
    this.#sessions.set(id, { state, verifier, guest, event: event! })
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: guest.clientId,
      redirect_uri: `${this.base}/api/federation/oauth-callback/`,
      scope: 'ME_READ',
      state,
      code_challenge: hash(verifier),
      code_challenge_method: 'S256',
    })
    return send(reply, 302, {
      location: `${guest.url}/api/oauth/authorize/?${query}`,
      'set-cookie': `sessionid=${id}; Path=/; HttpOnly`,
    })
  }

  async #finish({ url, incoming, reply }: Asking): Promise<ServerResponse> {
    const session = this.#sessions.get(cookieIn(incoming))
    if (!session) return send(reply, 403, HTML, 'no session')
    const { guest, verifier, event } = session
    const fail = () => send(reply, 302, { location: `${guest.url}/events/external/?error=oauth_error` })
    const code = url.searchParams.get('code')
    if (url.searchParams.has('error') || !code) return fail()
    const answer = await callOver(`${guest.url}/api/oauth/token/`, {
      method: 'POST',
      headers: {
        ...LIBRARY,
        'content-type': `${FORM['content-type']};charset=UTF-8`,
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${guest.clientId}:${guest.secret}`).toString('base64')}`,
      },
      body: `grant_type=authorization_code&code_verifier=${encodeURIComponent(verifier)}&code=${code}`,
    })
    if (answer.status !== 200) return fail()
    const { access_token, expires_in } = JSON.parse(answer.text)
    if (typeof access_token !== 'string' || typeof expires_in !== 'number') return fail()
    const headers = { ...LIBRARY, authorization: `Bearer ${access_token}` }
    const response = await callOver(`${guest.url}/api/users/me/`, { headers })
    const profile = JSON.parse(response.text) as Profile
    for (const name of ['email', 'display_name', 'date_of_birth', 'qualifications'])
      if (!(name in profile)) throw new TypeError(`the profile lacks ${name}`)
    session.profile = profile
    return send(reply, 302, { location: `/events/shared/${event}/${guest.id}/` })
  }
}

type Asking = { url: URL; body: string; incoming: IncomingMessage; reply: ServerResponse }
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json' }
const NOT_PROVIDED = { detail: 'Authentication credentials were not provided.' }

function send(reply: ServerResponse, status: number, headers: Record<string, string>, body = ''): ServerResponse {
  return reply
    .writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }) })
    .end(body)
}
const cookieIn = ({ headers }: IncomingMessage): string => /sessionid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''
const readBasic = (header = ''): string[] =>
  Buffer.from(header.replace(/^Basic /, ''), 'base64')
    .toString('utf8')
    .split(':')

/** Closes after the suite that opened it. */
export async function openFakePartner(name: string, host = '127.0.0.1'): Promise<FakePartner> {
  const fakePartner = new FakePartner(name)
  const server = createServer((incoming, reply) => void fakePartner.answer(incoming, reply))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  fakePartner.base = `http://${host}:${(server.address() as { port: number }).port}`
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return fakePartner
}
