import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTerminal, migrationProgress } from '#platform/command-line/terminal.ts'
import { ask, Visitor, withToken } from '../support/process/http-client.ts'
import {
  databasePid,
  endAll,
  freePort,
  isAlive,
  launch,
  newDataDir,
  ROOT,
  run,
  type Server,
  startTryOut,
  until,
} from '../support/process/processes.ts'

after(endAll)

const MAIN = join(ROOT, 'src/main.ts')
const signInsIn = (printed: string) =>
  [...printed.matchAll(/^ {4}(\w+) +(\w+@demo\.example) +(\S+)$/gm)].map(([, role, email, password]) => ({
    role,
    email: email!,
    password: password!,
  }))
const tokenIn = (printed: string) => /Bearer (\S+)'/.exec(printed)?.[1] ?? ''
const canConnect = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

describe('the try-out', () => {
  let server: Server
  before(async () => {
    server = await startTryOut()
  })

  test('prints its URL and the demo accounts, whose printed passwords work', async () => {
    assert.match(server.stdout(), new RegExp(`Turnout is running: http://localhost:${server.port}\n`))
    const people = signInsIn(server.stdout())
    assert.deepEqual(
      people.map(({ role, email }) => [role, email]),
      [
        ['administrator', 'olga@demo.example'],
        ['planner', 'paul@demo.example'],
        ['volunteer', 'ann@demo.example'],
      ],
    )
    for (const { email, password } of people) {
      const visitor = new Visitor(server.origin)
      assert.equal(await visitor.isSignedIn(), false)
      const wrong = await visitor.signIn(email, `${password}x`)
      assert.notEqual(wrong.status, 303)
      assert.equal(await visitor.isSignedIn(), false)
      const right = await visitor.signIn(email, password)
      assert.deepEqual([right.status, right.headers.location], [303, '/'])
      assert.equal(await visitor.isSignedIn(), true)
    }
  })

  test('prints a curl command whose token and URL work', async () => {
    const [, token, url] = /curl -H 'Authorization: Bearer (\S+)' '(\S+)'/.exec(server.stdout()) ?? []
    assert.equal(new URL(url!).host, `localhost:${server.port}`)
    const address = `${server.origin}${new URL(url!).pathname}${new URL(url!).search}`
    const { status, body } = await ask(address, withToken(token!))
    assert.equal(status, 200)
    const { count, results } = JSON.parse(body)
    assert.equal(results.length, 2)
    assert.ok(count > 2)
    assert.equal((await ask(address, withToken(`${token}x`))).status, 401)
    const own = await ask(`${server.origin}/api/users/me/`, withToken(token!))
    assert.deepEqual([own.status, JSON.parse(own.body).email], [200, 'olga@demo.example'])
    assert.equal((await ask(`${server.origin}/api/users/`, withToken(token!))).status, 200)
  })

  test('stores passwords and keys in files that only the owner can read', () => {
    for (const name of ['sign-ins.json', 'secret-key', 'postgres.password']) {
      assert.equal((statSync(join(server.dataDir, name)).mode & 0o777).toString(8), '600', name)
    }
  })

  test('listens only on the loopback address', async () => {
    assert.equal(await canConnect('127.0.0.1', server.port), true)
    // A server on all interfaces would answer here, too.
    assert.equal(await canConnect('127.0.0.2', server.port), false)
    assert.equal(await canConnect('::1', server.port), false)
  })

  test('prints no colours if the output is not a terminal', () => {
    assert.equal(server.stdout().includes('\u001b'), false)
    assert.equal(server.stderr(), '')
  })

  test('a second try-out on the same data is refused with the reason, and the first keeps running', async () => {
    const token = tokenIn(server.stdout())
    const database = databasePid(server.dataDir)
    const second = await run({ args: [MAIN], settings: { DATA_DIR: server.dataDir, PORT: String(await freePort()) } })
    assert.equal(second.code, 1)
    assert.equal(
      second.stderr,
      `turnout: Another turnout is already running on ${server.dataDir}: stop it first, or give this one another DATA_DIR.\n`,
    )
    assert.equal(databasePid(server.dataDir), database)
    assert.equal((await ask(`${server.origin}/api/events/`, withToken(token))).status, 200)
  })

  test('reports a port in use, and stops the database again', async () => {
    const dataDir = newDataDir()
    const other = createServer().listen(0, '127.0.0.1')
    await until('the port is taken', () => other.listening)
    try {
      const { port } = other.address() as { port: number }
      const { code, stderr } = await run({ args: [MAIN], settings: { DATA_DIR: dataDir, PORT: String(port) } })
      assert.equal(code, 1)
      assert.match(
        stderr,
        new RegExp(`^turnout: port ${port} on 127\\.0\\.0\\.1 is taken by another program\\. .*PORT=${port + 1}\\.\n$`),
      )
      assert.equal(databasePid(dataDir), undefined)
    } finally {
      other.close()
    }
  })

  test('stops on SIGTERM with its database, and starts again with the same accounts and data', async () => {
    const database = databasePid(server.dataDir)!
    const { socketDir } = JSON.parse(readFileSync(join(server.dataDir, 'running.json'), 'utf8'))
    const token = tokenIn(server.stdout())
    const events = (await ask(`${server.origin}/api/events/`, withToken(token))).body
    assert.equal(await server.stop(), 0)
    assert.equal(isAlive(database), false)
    assert.equal(existsSync(socketDir), false)

    const again = await startTryOut({ DATA_DIR: server.dataDir, PORT: String(server.port) })
    assert.deepEqual(signInsIn(again.stdout()), signInsIn(server.stdout()))
    assert.equal(tokenIn(again.stdout()), token)
    assert.doesNotMatch(again.stdout(), /Loading|applying/)
    assert.equal((await ask(`${again.origin}/api/events/`, withToken(token))).body, events)
    // The signal of a closed terminal.
    assert.equal(await again.stop('SIGHUP'), 0)
    assert.equal(databasePid(server.dataDir), undefined)
  })
})

test('reports each invalid setting on a line, before it creates any file', async () => {
  const dataDir = join(newDataDir(), 'never')
  const settings = {
    DATA_DIR: dataDir,
    PORT: '99999',
    TIME_ZONE: 'Mars/Olympus',
    MAIL_URL: 'smtp://mail.example',
    DEFAULT_LANGUAGE: 'xx',
  }
  const { code, stdout, stderr } = await run({ args: [MAIN], settings })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const lines = stderr.trimEnd().split('\n')
  assert.deepEqual(lines.map((line) => /^turnout: ([A-Z_]+) /.exec(line)?.[1]).sort(), [
    'DEFAULT_LANGUAGE',
    'MAIL_FROM',
    'PORT',
    'TIME_ZONE',
  ])
  assert.equal(existsSync(dataDir), false)
})

test('a signal during the start ends it and its database', async () => {
  const dataDir = newDataDir()
  // While the cluster is created, while migrations run, and while the demo data is loaded.
  for (const moment of [/Starting Turnout/, /applying 0004/, /Loading demo data/]) {
    const starting = launch({ args: [MAIN], settings: { DATA_DIR: dataDir, PORT: String(await freePort()) } })
    await starting.says(moment)
    await starting.stop()
    await until('no database is left', () => databasePid(dataDir) === undefined)
  }
  assert.ok(existsSync(join(dataDir, 'sign-ins.json')), 'the passwords are kept before the world has them')
  const server = await startTryOut({ DATA_DIR: dataDir })
  assert.equal(signInsIn(server.stdout()).length, 3)
  assert.equal(await server.stop(), 0)
})

describe('colours of the terminal', () => {
  const painted = (env: Record<string, string>, isTTY: boolean) => makeTerminal(env, { isTTY, write: () => {} }).bold('x') !== 'x'
  for (const [what, env, isTTY, expected] of [
    ['are shown to people', {}, true, true],
    ['are not written to files', {}, false, false],
    ['are not shown in CI', { CI: 'true' }, true, false],
    ['are not shown to those who said NO_COLOR, whatever its value', { NO_COLOR: '' }, true, false],
  ] as const) {
    test(what, () => {
      assert.equal(painted(env, isTTY), expected)
      assert.equal(migrationProgress(makeTerminal(env, { isTTY, write: () => {} })) !== undefined, expected)
    })
  }
})
