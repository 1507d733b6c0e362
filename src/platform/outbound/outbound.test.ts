import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { isLoopbackHost, isPublicAddress } from './addresses.ts'
import { makeOutbound, type Outbound, OutboundError, type OutboundOptions } from './outbound.ts'

/** A guard against hanging: on a loaded machine a good answer may take seconds. */
const GENEROUS_DEADLINE_MS = 5 * 60_000

const open: Server[] = []
after(() => {
  for (const server of open) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: RequestListener): Promise<{ port: number; requests: { url: string; authorization?: string }[] }> {
  const requests: { url: string; authorization?: string }[] = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    requests.push({ url: request.url!, ...(authorization ? { authorization } : {}) })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return { port: (server.address() as { port: number }).port, requests }
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'answered'
  } catch (error) {
    assert.ok(error instanceof OutboundError, String(error))
    return error.code
  }
}

describe('addresses', () => {
  const FORBIDDEN = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '203.0.113.9',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '100::1',
    'localhost',
    '',
  ]
  for (const address of FORBIDDEN)
    test(`${address || '(empty)'} is not public`, () => assert.equal(isPublicAddress(address), false))
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e', '::ffff:8.8.8.8'])
    test(`${address} is public`, () => assert.equal(isPublicAddress(address), true))
})

describe('outbound requests', async () => {
  const canary = await serve((_request, response) => response.end('caught'))
  const here = `http://127.0.0.1:${canary.port}`
  const resolve = async (host: string) => {
    if (host === 'both.example') return ['127.0.0.1', '10.0.0.1']
    if (host === 'missing.example') throw new Error('ENOTFOUND')
    if (host === 'silent.example') return new Promise<string[]>(() => {})
    return ['127.0.0.1']
  }
  const ways = (more: Partial<OutboundOptions> = {}) =>
    makeOutbound({ allow: [], resolve, deadlineMs: GENEROUS_DEADLINE_MS, ...more })

  const HOSTILE = [
    here,
    `${here}/path`,
    `http://localhost:${canary.port}/`,
    `http://a.localhost:${canary.port}/`,
    `http://[::1]:${canary.port}/`,
    `http://[::ffff:127.0.0.1]:${canary.port}/`,
    `http://0.0.0.0:${canary.port}/`,
    `http://2130706433:${canary.port}/`,
    `http://0x7f.1:${canary.port}/`,
    `http://0177.0.0.1:${canary.port}/`,
    `http://127.1:${canary.port}/`,
    `http://rebound.example:${canary.port}/`,
    `https://rebound.example:${canary.port}/`,
    `https://both.example:${canary.port}/`,
    `http://user:pass@127.0.0.1:${canary.port}/`,
    `ftp://127.0.0.1:${canary.port}/`,
    'file:///etc/passwd',
    'nonsense',
  ]
  test('are not sent to this machine or to private networks in any notation', async () => {
    for (const url of HOSTILE) assert.equal(await codeOf(ways().send(url)), 'forbidden', url)
    assert.deepEqual(canary.requests, [])
  })

  test('twin: without the check the request reaches the canary', async () => {
    for (const url of HOSTILE.filter((each) => /^http:\/\/(?!user|\[)/.test(each))) {
      const answer = await makeOutbound({ allow: [], resolve, isAllowed: () => true }).send(url)
      assert.equal(answer.text, 'caught', url)
    }
    assert.ok(canary.requests.length > 5)
  })

  test('are sent to hosts and networks that the operator allowed', async () => {
    for (const allow of [['127.0.0.0/8'], ['127.0.0.1']]) assert.equal((await ways({ allow }).send(here)).text, 'caught')
    const named = ways({ allow: ['rebound.example'] })
    assert.equal((await named.send(`http://rebound.example:${canary.port}/`)).text, 'caught')
    assert.equal(await codeOf(named.send(here)), 'forbidden')
  })

  test('are never sent to link-local addresses, not even if their name or network is allowed', async () => {
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254']) {
      const allow = ['metadata.example', '169.254.0.0/16', 'fe80::/10', 'fd00::/8']
      const named = ways({ allow, resolve: async () => [address] })
      assert.equal(await codeOf(named.send('http://metadata.example/latest/')), 'forbidden', address)
    }
    assert.equal(await codeOf(ways({ allow: ['169.254.0.0/16'] }).send('http://169.254.169.254/latest/')), 'forbidden')
  })

  for (const reusesConnections of [false, true])
    test(`go to the address that was checked, if the name has another one a moment later, kept: ${reusesConnections}`, async () => {
      let lookups = 0
      // 127.0.0.9 in place of a public address: nothing listens there, while the canary does at 127.0.0.1.
      const rebinding = async () => [lookups++ === 0 ? '127.0.0.9' : '127.0.0.1']
      const isAllowed: NonNullable<OutboundOptions['isAllowed']> = (_allowed, { address }) => address === '127.0.0.9'
      const before = canary.requests.length
      const sender = makeOutbound({ allow: [], resolve: rebinding, isAllowed, reusesConnections })
      const request = { method: 'POST', body: '{}', discardsBody: true } as const
      assert.equal(await codeOf(sender.send(`http://rebinding.example:${canary.port}/`, request)), 'unreachable')
      assert.equal(lookups, 1)
      assert.equal(await codeOf(sender.send(`http://rebinding.example:${canary.port}/`, request)), 'forbidden')
      assert.equal(canary.requests.length, before)
    })

  test('fail alike for a name that does not exist and for one of a private network', async () => {
    const codes = await Promise.all(['missing', 'rebound'].map((name) => codeOf(ways().send(`https://${name}.example/`))))
    assert.deepEqual(codes, ['forbidden', 'forbidden'])
  })

  test('say whether they failed at an internal address', async () => {
    const isInternal = (url: string, more: Partial<OutboundOptions> = {}) =>
      ways(more)
        .send(url)
        .then(
          () => assert.fail('it succeeded'),
          (error: OutboundError) => error.isInternal,
        )
    const allow = ['127.0.0.0/8']
    assert.equal(await isInternal('http://127.0.0.1:1/', { allow }), true)
    // Port 1 of this machine in place of a public address.
    const connected = { resolve: async () => ['127.0.0.1'], isAllowed: () => true }
    assert.equal(await isInternal('http://rebound.example:1/', connected), true)
    assert.equal(await isInternal('https://missing.example/', { allow }), false)
  })

  test('follow two checked redirects and send no credentials to other origins', async () => {
    const other = await serve((_request, response) => response.end('other'))
    const first = await serve((request, response) => {
      const places: Record<string, string> = {
        '/once': '/twice',
        '/twice': `http://127.0.0.1:${other.port}/end`,
        '/private': 'http://10.0.0.1/',
        '/loop': '/loop',
        '/script': 'javascript:alert(1)',
      }
      const location = places[request.url!]
      if (location) response.writeHead(302, { location }).end()
      else response.end('here')
    })
    const at = `http://127.0.0.1:${first.port}`
    const allowed = ways({ allow: ['127.0.0.1'] })
    const headers = { authorization: 'Bearer secret' }
    assert.equal((await allowed.send(`${at}/once`, { headers })).text, 'other')
    assert.deepEqual(
      first.requests.map(({ authorization }) => authorization),
      ['Bearer secret', 'Bearer secret'],
    )
    assert.deepEqual(other.requests, [{ url: '/end' }])
    assert.equal(await codeOf(allowed.send(`${at}/private`, { headers })), 'forbidden')
    assert.equal(await codeOf(allowed.send(`${at}/loop`)), 'redirected')
    assert.equal(await codeOf(allowed.send(`${at}/script`)), 'forbidden')
    assert.equal((await allowed.send(`${at}/once`, { method: 'POST', body: 'x' })).status, 302)
  })

  test('end at the deadline for every behaviour of the server', async () => {
    const silent = await serve(() => {})
    const drip = await serve((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const headless = createTcpServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 20)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(headless, 'listening')
    after(() => headless.close())
    const allowed = ways({ allow: ['127.0.0.1', 'silent.example'], deadlineMs: 400 })
    for (const url of [
      `http://127.0.0.1:${silent.port}/`,
      `http://127.0.0.1:${drip.port}/`,
      `http://127.0.0.1:${(headless.address() as { port: number }).port}/`,
      'https://silent.example/',
    ])
      assert.match(await codeOf(allowed.send(url)), /^(too_slow|unreachable)$/, url)
  })

  test('limit the size and reject compressed bodies', async () => {
    const huge = await serve((_request, response) => response.end('x'.repeat(5_000)))
    const endless = await serve((_request, response) => {
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const packed = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)))
    })
    const allowed = ways({ allow: ['127.0.0.1'], maxBytes: 1_000 })
    assert.equal(await codeOf(allowed.send(`http://127.0.0.1:${huge.port}/`)), 'too_large')
    assert.equal(await codeOf(allowed.send(`http://127.0.0.1:${endless.port}/`)), 'too_large')
    assert.equal(await codeOf(allowed.send(`http://127.0.0.1:${packed.port}/`)), 'encoded')
  })

  test('report refused connections, unknown names and broken connections', async () => {
    const allowed = ways({ allow: ['127.0.0.1'] })
    const closed = createTcpServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    closed.close()
    await once(closed, 'close')
    assert.equal(await codeOf(allowed.send(`http://127.0.0.1:${port}/`)), 'unreachable')
    const rude = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    after(() => rude.close())
    assert.equal(await codeOf(allowed.send(`http://127.0.0.1:${(rude.address() as { port: number }).port}/`)), 'unreachable')
  })
})

describe('connections that are used again', () => {
  type Handler = (call: { path: string; connection: number; nth: number }, response: ServerResponse) => void

  /** `calls`: which request of which connection; counted from one. */
  async function serveOver(handle: Handler, host = '127.0.0.1', wantedPort = 0) {
    const numbers = new Map<Socket, { connection: number; requests: number }>()
    const calls: string[] = []
    const server = createServer((request, response) => {
      const entry = numbers.get(request.socket)!
      entry.requests++
      calls.push(`${entry.connection}.${entry.requests}`)
      request.resume()
      handle({ path: request.url!, connection: entry.connection, nth: entry.requests }, response)
    }).listen(wantedPort, host)
    server.on('connection', (socket) => {
      numbers.set(socket, { connection: numbers.size + 1, requests: 0 })
      socket.on('error', () => {})
    })
    open.push(server)
    await once(server, 'listening')
    return { port: (server.address() as { port: number }).port, calls, sockets: numbers }
  }

  const allow = ['127.0.0.0/8', 'moving.example']
  const post = { method: 'POST', body: '{}', discardsBody: true } as const
  /** Sends one request after the other; the connection is free when the client has read the end of the body. */
  async function sendAll(outbound: Outbound, urls: string[]): Promise<number[]> {
    const statuses: number[] = []
    for (const url of urls) {
      statuses.push((await outbound.send(url, post)).status)
      await setImmediate()
    }
    return statuses
  }
  const pooled = (more: Partial<OutboundOptions> = {}) =>
    makeOutbound({ allow, deadlineMs: GENEROUS_DEADLINE_MS, reusesConnections: true, ...more })

  test('carry requests to the same address, with and without a body', async () => {
    const { port, calls } = await serveOver(({ path }, response) => {
      if (path === '/empty') response.writeHead(204).end()
      else response.writeHead(200, { 'content-length': 2 }).end('ok')
    })
    const urls = ['/empty', '/empty', '/full', '/empty'].map((path) => `http://127.0.0.1:${port}${path}`)
    assert.deepEqual(await sendAll(pooled(), urls), [204, 204, 200, 204])
    assert.deepEqual(calls, ['1.1', '1.2', '1.3', '1.4'])
  })

  test('are not kept unless asked for', async () => {
    const { port, calls } = await serveOver((_call, response) => response.writeHead(204).end())
    const urls = ['/1', '/2'].map((path) => `http://127.0.0.1:${port}${path}`)
    await sendAll(pooled({ reusesConnections: false }), urls)
    assert.deepEqual(calls, ['1.1', '2.1'])
  })

  test('do not excuse from the check: a name that moves to a private address is refused', async () => {
    const { port, calls } = await serveOver((_call, response) => response.writeHead(204).end())
    let address = '127.0.0.1'
    const outbound = pooled({ allow: ['127.0.0.1'], resolve: async () => [address] })
    const url = `http://moving.example:${port}/`
    await sendAll(outbound, [url, url])
    address = '10.0.0.1'
    assert.equal(await codeOf(outbound.send(url, post)), 'forbidden')
    assert.deepEqual(calls, ['1.1', '1.2'])
  })

  test('belong to an address: a name that moves to another one leaves the old connection', async () => {
    const first = await serveOver((_call, response) => response.writeHead(204).end())
    const second = await serveOver((_call, response) => response.writeHead(205).end(), '127.0.0.2', first.port)
    let address = '127.0.0.1'
    const outbound = pooled({ resolve: async () => [address] })
    const url = `http://moving.example:${first.port}/`
    await sendAll(outbound, [url])
    address = '127.0.0.2'
    assert.deepEqual(await sendAll(outbound, [url]), [205])
    assert.deepEqual([first.calls, second.calls], [['1.1'], ['1.1']])
  })

  test('are replaced once if the server has closed them', async () => {
    const { port, calls, sockets } = await serveOver(({ path, nth }, response) => {
      if (path === '/rude' || nth > 1) for (const socket of sockets.keys()) socket.destroy()
      else response.writeHead(204).end()
    })
    const outbound = pooled()
    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    assert.deepEqual(await sendAll(outbound, [at('/'), at('/')]), [204, 204])
    assert.deepEqual(calls, ['1.1', '1.2', '2.1'])
    await sendAll(outbound, [at('/')])
    assert.equal(await codeOf(outbound.send(at('/rude'), post)), 'unreachable')
    assert.deepEqual(calls.slice(3), ['3.1', '3.2', '4.1'])
  })

  test('are given up for a body that does not end', async () => {
    const { port, calls, sockets } = await serveOver(({ path }, response) => {
      if (path === '/') return void response.writeHead(204).end()
      response.writeHead(200)
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    const outbound = pooled()
    const closed = Promise.withResolvers<void>()
    assert.equal((await outbound.send(at('/endless'), post)).status, 200)
    for (const socket of sockets.keys()) socket.on('close', () => closed.resolve())
    await closed.promise
    await sendAll(outbound, [at('/')])
    assert.deepEqual(calls, ['1.1', '2.1'])
  })
})

describe('a host that is this machine', () => {
  for (const host of ['localhost', 'LOCALHOST', 'plan.localhost', '127.0.0.1', '127.8.9.1', '[::1]'])
    test(`is ${host}`, () => assert.equal(isLoopbackHost(host), true))
  for (const host of [
    'localhost.example.org',
    'notlocalhost',
    '127.0.0.1.example.org',
    '10.0.0.5',
    '[::2]',
    '[::]',
    '0.0.0.0',
    '',
  ])
    test(`is not ${host || '(empty)'}`, () => assert.equal(isLoopbackHost(host), false))
})
