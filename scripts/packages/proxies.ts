import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { freePort, type Launch, launch, ROOT, type Running, startServe, turnout, until } from '#test/support/process/processes.ts'
import { execute } from '../execute.ts'

const HOST = 'plan.example.org'
const PASSWORD = 'a password behind a proxy'
const FILE_BYTES = 20 * 1024 * 1024
const LOGIN = '/accounts/login/'

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }
type Asking = { method?: string; headers?: Record<string, string>; body?: Buffer; localAddress?: string }

/** A browser at the proxy: TLS with the name of the site, cookies, CSRF token. */
class Client {
  readonly #port: number
  readonly #cookies = new Map<string, string>()
  token = ''
  constructor(port: number) {
    this.#port = port
  }

  get #headers() {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { host: `${HOST}:${this.#port}`, ...(cookie ? { cookie } : {}) }
  }

  open(path: string, { method = 'GET', headers = {}, body, localAddress = '127.0.0.1' }: Asking = {}) {
    const length = body ? { 'content-length': String(body.length) } : {}
    const sent = { ...this.#headers, ...length, ...headers }
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      servername: HOST,
      rejectUnauthorized: false,
      localAddress,
      agent: false,
    }
    return request({ ...options, path, method, headers: sent })
  }

  async ask(path: string, asking: Asking = {}): Promise<Answer> {
    const sending = this.open(path, asking)
    const answer = new Promise<Answer>((done, fail) => {
      sending.on('error', fail)
      sending.on('response', (response) => {
        const { statusCode: status = 0, headers } = response
        const content = headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
        buffer(content).then((body) => done({ status, headers, body }), fail)
      })
    })
    sending.end(asking.body)
    const { status, headers, body } = await answer
    for (const line of headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name!, value!)
    }
    this.token = /name="csrf_token" value="([^"]+)"/.exec(body.toString())?.[1] ?? this.token
    return { status, headers, body }
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = Buffer.from(new URLSearchParams({ ...fields, csrf_token: this.token }).toString())
    return this.ask(path, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
  }

  upload(path: string, file: { name: string; content: Buffer }): Promise<Answer> {
    const part = (head: string, content: Buffer | string) => [
      Buffer.from(`--part\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]
    const body = Buffer.concat([
      ...part('name="csrf_token"', this.token),
      ...part(`name="files"; filename="${file.name}"`, file.content),
      Buffer.from('--part--\r\n'),
    ])
    return this.ask(path, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=part' }, body })
  }

  /** The first bytes of a stream that does not end, which a proxy must not keep back. */
  firstBytes(path: string, headers: Record<string, string>): Promise<string> {
    return new Promise((done, fail) => {
      const sending = this.open(path, { headers })
      sending.on('error', fail)
      sending.on('response', (response) => {
        response.once('data', (chunk: Buffer) => {
          done(`${response.statusCode} ${response.headers['content-type']} ${chunk}`)
          response.on('error', () => {})
          sending.destroy()
        })
      })
      sending.end()
    })
  }
}

type Proxy = { name: string; version: string; command: (port: number, backend: number) => Launch }

/** The proxies of the Debian release that this machine runs, unpacked and not installed. Their examples are used as they are shipped. */
function unpackProxies(folder: string): Proxy[] {
  const root = join(folder, 'proxies')
  mkdirSync(root)
  execute('sh', ['-c', 'cd "$0" && apt-get download nginx caddy', root])
  for (const deb of globSync(join(root, '*.deb'))) execute('dpkg', ['-x', deb, root])
  const [key, certificate] = [join(root, 'key.pem'), join(root, 'certificate.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  execute('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ])
  const example = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
  const nginx = (port: number, backend: number): Launch => {
    const site = example('nginx.conf')
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${backend}`)
      .replace(/server \{\s+listen 80;[\s\S]*?\n\}\n/, '')
      .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/^\s*listen \[::\]:443.*\n/m, '')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${root}/${each};`)
    const file = join(root, 'nginx.conf')
    const head = `daemon off; pid ${root}/nginx.pid; error_log stderr info; user root;`
    writeFileSync(file, `${head}\nevents {}\nhttp { access_log off; ${places.join(' ')}\n${site}\n}\n`)
    return { program: join(root, 'usr/sbin/nginx'), args: ['-e', 'stderr', '-c', file] }
  }
  const caddy = (port: number, backend: number): Launch => {
    const site = example('Caddyfile')
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${backend}`)
      .replace(`${HOST} {`, `{\n\tadmin off\n\tauto_https off\n}\nhttps://${HOST}:${port} {\n\ttls ${certificate} ${key}`)
    const file = join(root, 'Caddyfile')
    writeFileSync(file, site)
    return {
      program: join(root, 'usr/bin/caddy'),
      args: ['run', '--adapter', 'caddyfile', '--config', file],
      settings: { HOME: root },
    }
  }
  const versionOf = (name: string) => /_([^_]+)_/.exec(globSync(`${name}_*.deb`, { cwd: root })[0]!)![1]!
  return [
    { name: 'nginx', version: versionOf('nginx'), command: nginx },
    { name: 'caddy', version: versionOf('caddy'), command: caddy },
  ]
}

/** Each example of `deploy/` in front of Turnout: port, page, largest file, stream, address of the client, compression. */
export async function checkProxies(folder: string): Promise<Record<string, Record<string, string>>> {
  const table: Record<string, Record<string, string>> = {}
  for (const proxy of unpackProxies(folder)) {
    const port = await freePort()
    const site = { SITE_URL: `https://${HOST}:${port}`, TRUST_PROXY: '1' }
    const server = await startServe(site)
    const settings = { ...site, DATA_DIR: server.dataDir }
    const person = ['--email', 'olga@example.org']
    const made = await turnout(['create-admin', ...person, '--name', 'Olga', '--password-stdin'], settings, `${PASSWORD}\n`)
    assert.equal(made.code, 0, made.stderr)
    const token = (await turnout(['token', ...person, '--scope', 'PUBLIC_READ'], settings)).stdout.trim().split('\n')[0]!
    const front = launch(proxy.command(port, server.port))
    try {
      table[`${proxy.name} ${proxy.version}`] = await useThrough(front, new Client(port), token)
    } finally {
      await front.stop()
      await server.stop()
    }
  }
  return table
}

async function useThrough(front: Running, client: Client, token: string): Promise<Record<string, string>> {
  const ask = (path: string, asking?: Asking) => client.ask(path, asking)
  let hasExited = false
  void front.exited.then(() => {
    hasExited = true
  })
  await until('the proxy listens', async () => {
    assert.ok(!hasExited, front.stderr())
    return ask('/healthz').then(
      ({ status }) => status < 500,
      () => false,
    )
  })
  const page = await ask(LOGIN)
  assert.equal(page.status, 200, 'the sign-in page, at an address with a port')
  assert.notEqual((await ask('/metrics')).status, 200, 'metrics are not for everybody')
  const signedIn = await client.post(LOGIN, { email: 'olga@example.org', password: PASSWORD })
  assert.deepEqual([signedIn.status, signedIn.headers.location], [303, '/'])

  const packed = await ask('/', { headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual([packed.status, packed.headers['content-encoding']], [200, 'gzip'])

  const content = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(FILE_BYTES - 9, 'x')])
  await ask('/manage/files/new/')
  const stored = await client.upload('/manage/files/new/', { name: 'largest.pdf', content })
  assert.equal(stored.status, 303, `the largest file: ${stored.status} ${stored.body.toString().slice(0, 300)}`)
  await ask('/manage/files/new/')
  const refused = await client.upload('/manage/files/new/', {
    name: 'larger.pdf',
    content: Buffer.concat([content, Buffer.from('x')]),
  })
  assert.match(
    refused.body.toString(),
    /<main/,
    `a file that is too large gets a page of Turnout, not ${refused.status} of the proxy`,
  )

  const stream = await client.firstBytes('/api/changes/stream/', { authorization: `Bearer ${token}` })
  assert.match(stream, /^200 text\/event-stream/)

  // Each address has a limit of its own, whatever the client says about itself.
  const left = async (localAddress: string, forwarded: string) => {
    const fresh = await ask('/api/', { localAddress, headers: { cookie: '', 'x-forwarded-for': forwarded } })
    return Number(/r=(\d+)/.exec(String(fresh.headers.ratelimit))?.[1])
  }
  const [first, second, other] = [
    await left('127.0.0.5', '192.0.2.1'),
    await left('127.0.0.5', '192.0.2.2'),
    await left('127.0.0.6', '192.0.2.1'),
  ]
  assert.deepEqual([second, other], [first - 1, first], 'the address of the client')
  return {
    port: 'kept',
    'largest file': `${FILE_BYTES / 1024 / 1024} MB`,
    'too large': `${refused.status}, page of Turnout`,
    stream: 'at once',
    'client address': 'told apart, not forged',
    compression: 'gzip',
  }
}
