import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { type Host, readHostList, type Target } from '../host-list.ts'
import { chooserFor, connectTo, HostChooser, probeServer, type ServerState } from './host-chooser.ts'

const HOSTS: Host[] = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }))
type Role = 'primary' | 'standby' | 'down' | 'silent' | 'hanging'

/** Servers whose roles a test changes. */
function makeServers(roles: Record<string, Role>, target?: Target) {
  const probed: string[] = []
  const chooser = new HostChooser({ hosts: HOSTS, target }, async ({ host }) => {
    probed.push(host)
    if (roles[host] === 'silent') return new Promise((_, reject) => setImmediate(() => reject(new Error('timeout'))))
    if (roles[host] === 'hanging') return new Promise(() => {})
    if (roles[host] === 'down') throw new Error('ECONNREFUSED')
    return { recovering: roles[host] === 'standby', readOnly: roles[host] === 'standby' }
  })
  return { chooser, probed, roles }
}

const nameOf = async (chooser: HostChooser) => (await chooser.choose(60_000)).host

const CHOSEN: [roles: Record<string, Role>, target: Target | undefined, expected: string][] = [
  [{ a: 'standby', b: 'primary', c: 'standby' }, undefined, 'b'],
  [{ a: 'down', b: 'silent', c: 'primary' }, 'read-write', 'c'],
  [{ a: 'primary', b: 'down', c: 'standby' }, 'standby', 'c'],
  [{ a: 'down', b: 'standby', c: 'down' }, 'any', 'b'],
]
for (const [roles, target, expected] of CHOSEN)
  test(`chooses ${expected} of ${JSON.stringify(roles)} for ${target ?? 'no target'}`, async (t) => {
    const { chooser } = makeServers(roles, target)
    t.after(() => chooser.close())
    assert.equal(await nameOf(chooser), expected)
  })

test('the server that was found is used until it is suspected', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'primary', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  assert.equal(await nameOf(chooser), 'a')
  assert.equal(await nameOf(chooser), 'a')
  assert.equal(probed.length, 3)
  Object.assign(roles, { a: 'standby', c: 'primary' })
  assert.equal(await nameOf(chooser), 'a')
  chooser.suspect(HOSTS[0]!)
  assert.equal(await nameOf(chooser), 'c')
  chooser.suspect(HOSTS[0]!) // a late error of a connection to the former server
  assert.equal(await nameOf(chooser), 'c')
  assert.equal(probed.length, 6)
})

test('waits for a server while a new primary is elected', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'down', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const chosen = nameOf(chooser)
  while (probed.length < 6) await new Promise((done) => setImmediate(done))
  roles.b = 'primary'
  assert.equal(await chosen, 'b')
})

test('a server that does not answer does not delay the discovery of the next primary', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'hanging', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const chosen = nameOf(chooser)
  while (probed.length < 3) await new Promise((done) => setImmediate(done))
  roles.c = 'primary'
  assert.equal(await chosen, 'c')
  assert.equal(probed.filter((host) => host === 'a').length, 1)
})

test('connections to other servers are ended when another one is chosen, and all while none answers', async (t) => {
  const { chooser, roles } = makeServers({ a: 'primary', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const ended: string[] = []
  const attach = (host: Host) => chooser.attach({ giveUp: () => ended.push(host.host) }, host)
  const chosen = await chooser.choose(60_000)
  attach(chosen)
  chooser.suspect(chosen)
  assert.equal(await nameOf(chooser), 'a')
  assert.deepEqual(ended, [], 'the server is still the right one')
  Object.assign(roles, { a: 'silent', b: 'primary' })
  chooser.suspect(chosen)
  const next = await chooser.choose(60_000)
  assert.deepEqual(ended, ['a'])
  attach(next)
  roles.b = 'silent'
  chooser.suspect(next)
  while (ended.length < 3) await new Promise((done) => setImmediate(done))
  assert.deepEqual(ended, ['a', 'a', 'b'])
})

test('a connection that was detached is not ended', async (t) => {
  const { chooser, roles } = makeServers({ a: 'primary', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const ended: string[] = []
  const [kept, detached] = ['kept', 'detached'].map((name) => ({ giveUp: () => void ended.push(name) }))
  const chosen = await chooser.choose(60_000)
  for (const connection of [kept!, detached!]) chooser.attach(connection, chosen)
  chooser.detach(detached!)
  Object.assign(roles, { a: 'standby', b: 'primary' })
  chooser.suspect(chosen)
  await chooser.choose(60_000)
  assert.deepEqual(new Set(ended), new Set(['kept']))
})

test('a late answer of another server changes nothing after one was chosen', async (t) => {
  const late = Promise.withResolvers<ServerState>()
  const primary = { recovering: false, readOnly: false }
  const chooser = new HostChooser({ hosts: HOSTS.slice(0, 2), target: undefined }, async ({ host }) =>
    host === 'a' ? primary : late.promise,
  )
  t.after(() => chooser.close())
  assert.equal(await nameOf(chooser), 'a')
  const ended: string[] = []
  chooser.attach({ giveUp: () => void ended.push('b') }, HOSTS[1]!)
  late.resolve({ recovering: true, readOnly: true })
  await new Promise(setImmediate)
  assert.deepEqual(ended, [])
})

test('a search ends when the chooser is closed', async () => {
  const { chooser } = makeServers({ a: 'down', b: 'down', c: 'standby' })
  const chosen = chooser.choose(60_000)
  chooser.close()
  await assert.rejects(chosen, { name: 'AbortError' })
})

test('a search keeps a process running while somebody waits for it, and not longer', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'down', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const chosen = chooser.choose(60_000)
  while (probed.length < 3) await new Promise(setImmediate)
  await new Promise(setImmediate)
  assert.equal(timers(), before + 1)
  roles.b = 'primary'
  await chosen
  assert.equal(timers(), before)
})

test('gives up with an error that means: try again later', async (t) => {
  const { chooser } = makeServers({ a: 'down', b: 'standby', c: 'silent' })
  t.after(() => chooser.close())
  await assert.rejects(
    chooser.choose(0),
    /timeout exceeded when trying to connect: no usable server among a:5432, b:5432, c:5432/,
  )
})

describe('servers that a target accepts', () => {
  const [PRIMARY, READ_ONLY, STANDBY] = [
    { recovering: false, readOnly: false },
    { recovering: false, readOnly: true },
    { recovering: true, readOnly: true },
  ]
  const ACCEPTED: [target: Target | undefined, primary: boolean, readOnly: boolean, standby: boolean][] = [
    [undefined, true, false, false],
    ['any', true, true, true],
    ['read-write', true, false, false],
    ['primary', true, true, false],
    ['read-only', false, true, true],
    ['standby', false, false, true],
    ['prefer-standby', true, true, true],
  ]
  for (const [target, ...expected] of ACCEPTED)
    test(`${target ?? 'none'}: ${expected.join(', ')}`, () => {
      const chooser = new HostChooser({ hosts: HOSTS, target }, async () => PRIMARY)
      assert.deepEqual(
        [PRIMARY, READ_ONLY, STANDBY].map((state) => chooser.accepts(state)),
        expected,
      )
    })
})

describe('an address needs a choice', () => {
  for (const [address, isChosen] of [
    ['postgresql://u@a/t', false],
    ['postgresql://u@a/t?target_session_attrs=read-write', true],
    ['postgresql://u@a,b/t', true],
    ['postgresql://u@a,b/t?target_session_attrs=any', true],
    ['postgresql://u@a,b,c/t', true],
  ] as const)
    test(`${address}: ${isChosen ? 'yes' : 'no'}`, () => {
      assert.equal(chooserFor(readHostList(address)) !== undefined, isChosen)
    })
})

describe('a connection of its own', () => {
  const ADDRESS = 'postgresql://u@a,b/t'
  for (const [given, expected] of [
    [{ connectionTimeoutMillis: 5 }, 5],
    [{}, 10_000],
  ] as const)
    test(`waits ${expected} ms for a server, and looks for none afterwards`, async (t) => {
      const choose = t.mock.method(HostChooser.prototype, 'choose', async () => ({ host: 'b', port: 7 }))
      const close = t.mock.method(HostChooser.prototype, 'close')
      const { host, port } = await connectTo(ADDRESS, given)
      assert.deepEqual([host, port], ['b', 7])
      assert.deepEqual(choose.mock.calls[0]!.arguments, [expected])
      assert.equal(close.mock.callCount(), 1)
    })

  test('is not searched for any more after it was not found', async (t) => {
    t.mock.method(HostChooser.prototype, 'choose', async () => Promise.reject(new Error('none')))
    const close = t.mock.method(HostChooser.prototype, 'close')
    await assert.rejects(connectTo(ADDRESS, {}), /none/)
    assert.equal(close.mock.callCount(), 1)
  })
})

describe('a probe of a server', () => {
  /** A message of the protocol of PostgreSQL: type, length and content. */
  const message = (type: string, ...parts: (string | number[])[]): Buffer => {
    const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const length = Buffer.alloc(4)
    length.writeInt32BE(content.length + 4)
    return Buffer.concat([Buffer.from(type), length, content])
  }
  const [AUTHENTICATED, READY] = [message('R', [0, 0, 0, 0]), message('Z', 'I')]
  const booleanColumn = (name: string): [string, number[]] => [
    `${name}\0`,
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 1, 255, 255, 255, 255, 0, 0],
  ]
  const ANSWER = Buffer.concat([
    message('T', [0, 2], ...booleanColumn('recovering'), ...booleanColumn('readOnly')),
    message('D', [0, 2], [0, 0, 0, 1], 't', [0, 0, 0, 1], 'f'),
    message('C', 'SELECT 1\0'),
    READY,
  ])
  /** A server that accepts everybody, and does this with the first statement. It never ends a connection by itself. */
  async function startServer(t: TestContext, onStatement: (socket: Socket) => void) {
    const sockets = new Set<Socket>()
    const started = Promise.withResolvers<string>()
    const ended = Promise.withResolvers<void>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on('error', () => ended.resolve())
      socket.on('end', () => ended.resolve())
      socket.once('data', (data) => {
        started.resolve(data.toString('latin1'))
        socket.write(Buffer.concat([AUTHENTICATED, READY]))
        socket.once('data', () => onStatement(socket))
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { url: `postgresql://u@127.0.0.1:${port}/t`, started: started.promise, ended: ended.promise }
  }

  test('fails, and nothing else does, if the server resets the connection', async (t) => {
    const { url } = await startServer(t, (socket) => socket.resetAndDestroy())
    await assert.rejects(probeServer(url), { code: 'ECONNRESET' })
  })

  test('does not wait until a server that hangs ends the connection, and is not counted as a connection that works', async (t) => {
    const { url, started, ended } = await startServer(t, (socket) => socket.write(ANSWER))
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = sockets()
    assert.deepEqual({ ...(await probeServer(url)) }, { recovering: true, readOnly: false })
    await ended
    assert.equal(sockets(), before)
    assert.match(await started, /application_name\0turnout-probe\0/)
  })
})
