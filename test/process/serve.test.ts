import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runOn } from '#test/support/postgres-server.ts'
import { emptyDatabase, migratedDatabase } from '../support/process/database.ts'
import { ask, Visitor, withToken } from '../support/process/http-client.ts'
import {
  databasePid,
  endAll,
  freePort,
  isReady,
  launch,
  newDataDir,
  preloading,
  ROOT,
  run,
  SECRET_KEY,
  type Server,
  startServe,
  turnout,
} from '../support/process/processes.ts'

after(endAll)

const LINK = /"msg":"http\S+(\/accounts\/first-administrator\/\w+\/)"\}$/m
const FORM = { name: 'Olga', email: 'olga@example.org', password: 'seven quiet lamps' }

/** Under a service every line is JSON, also the last one. */
const messagesOf = (stderr: string): string[] =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)

describe('serve', () => {
  test('names each missing setting on a line of its own', async () => {
    const { code, stdout, stderr } = await turnout(['serve'], { DATA_DIR: newDataDir() })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(
      messagesOf(stderr).map((message) => message.split(' ').slice(0, 4).join(' ')),
      ['turnout: SITE_URL is needed:', 'turnout: SECRET_KEY is needed:'],
    )
  })

  for (const kind of ['embedded', 'external'] as const) {
    describe(`on an ${kind} database`, () => {
      let server: Server
      let settings: Record<string, string>
      before(async () => {
        settings = kind === 'external' ? { DATABASE_URL: await emptyDatabase() } : { DATA_DIR: newDataDir() }
        server = await startServe(settings)
      })

      test('starts, and the link for the first administrator works once', async () => {
        const [, link = ''] = await server.says(LINK)
        const olga = new Visitor(server.origin)
        assert.equal((await olga.get(link)).status, 200)
        const weak = await olga.post(link, { ...FORM, password: 'password12', password_again: 'password12' })
        assert.equal(weak.status, 422, 'a weak password leaves the link alive')
        const made = await olga.post(link, { ...FORM, password_again: FORM.password })
        assert.deepEqual([made.status, made.headers.location], [303, '/'])
        assert.equal(await olga.isSignedIn(), true)

        const mallory = new Visitor(server.origin)
        assert.equal((await mallory.get(link)).status, 404)
        await mallory.get('/accounts/login/')
        const second = await mallory.post(link, { ...FORM, email: 'mallory@example.org', password_again: FORM.password })
        assert.equal(second.status, 404)
        assert.equal(await mallory.isSignedIn(), false)
      })

      test('lets the administrator sign in again after a restart, and prints no link then', async () => {
        assert.equal(await server.stop(), 0)
        assert.equal(databasePid(server.dataDir), undefined)
        server = await startServe(settings)
        const olga = new Visitor(server.origin)
        assert.equal((await olga.signIn(FORM.email, FORM.password)).status, 303)
        assert.equal(await olga.isSignedIn(), true)
        assert.doesNotMatch(server.stderr(), /first-administrator/)
        const lines = server.stderr().trimEnd().split('\n')
        assert.match(lines.at(-1)!, /Turnout listens on/)
        for (const line of lines) assert.equal(typeof JSON.parse(line).msg, 'string', line)
      })

      test('answers only for its own host name', async () => {
        const other = await ask(`${server.origin}/accounts/login/`, { headers: { host: 'elsewhere.example' } })
        assert.equal(other.status, 421)
      })

      test('commands use the same data while the server runs', async () => {
        const made = await turnout(['token', '--email', FORM.email, '--scope', 'ME_READ'], {
          SECRET_KEY,
          DATA_DIR: server.dataDir,
          ...settings,
        })
        assert.equal(made.code, 0, made.stderr)
        const me = await ask(`${server.origin}/api/users/me/`, withToken(made.stdout.trim()))
        assert.equal(me.status, 200)
        assert.equal(JSON.parse(me.body).email, FORM.email)
      })
    })
  }

  test('refuses to start while demo accounts are active', async () => {
    const DATABASE_URL = await migratedDatabase()
    const settings = { DATABASE_URL, SECRET_KEY, DATA_DIR: newDataDir(), SITE_URL: 'https://plan.example', PORT: '0' }
    assert.equal((await turnout(['demo', '--size', '1'], settings)).code, 0)
    const refused = await turnout(['serve'], settings)
    assert.equal(refused.code, 2)
    assert.match(messagesOf(refused.stderr).at(-1)!, /^turnout: \d+ demo accounts \(@demo\.example\) are active, /)
    assert.doesNotMatch(refused.stderr, /listens on/)
    await runOn(DATABASE_URL, `update user_profile set is_active = false where email like '%@demo.example'`)
    const server = await startServe({ DATABASE_URL })
    assert.equal(await server.stop(), 0)
  })

  test('exits with one line for a port in use, an unreachable and an unknown database', async () => {
    const server = await startServe({ DATABASE_URL: await migratedDatabase() })
    const settings = { SITE_URL: server.origin, SECRET_KEY, DATA_DIR: newDataDir() }
    const taken = await turnout(['serve'], { ...settings, DATABASE_URL: await migratedDatabase(), PORT: String(server.port) })
    assert.match(taken.stderr, new RegExp(`turnout: port ${server.port} on 127\\.0\\.0\\.1 is taken by another program`))
    const nowhere = `postgresql://turnout@127.0.0.1:${await freePort()}/turnout`
    const unreachable = await turnout(['serve'], { ...settings, DATABASE_URL: nowhere, PORT: '0' })
    assert.match(
      unreachable.stderr,
      /^\{"level":60,"time":\d+,"msg":"turnout: the database of DATABASE_URL cannot be reached: .*\}\n$/,
    )
    const unknown = (await emptyDatabase()).replace('/empty_', '/missing_')
    const missing = await turnout(['serve'], { ...settings, DATABASE_URL: unknown, PORT: '0' })
    assert.match(messagesOf(missing.stderr).join('\n'), /^turnout: the database of DATABASE_URL cannot be reached: .*$/)
    assert.deepEqual([taken.code, unreachable.code, missing.code], [1, 1, 1])
    assert.equal(await server.stop(), 0)
  })

  test('connects to an external database before the import of the app blocks the thread', async () => {
    const report = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { if (url.endsWith('/src/app.ts')) console.error('imports the app'); return next(url, context) } })`
    const settings = { SITE_URL: 'http://localhost:8000', SECRET_KEY, ...preloading(report) }
    const unreachable = `postgresql://turnout@127.0.0.1:${await freePort()}/turnout`
    const failed = await turnout(['serve'], { ...settings, DATA_DIR: newDataDir(), DATABASE_URL: unreachable })
    assert.match(failed.stderr, /ECONNREFUSED/)
    assert.doesNotMatch(failed.stderr, /imports the app/)
    const server = await startServe({ DATABASE_URL: await emptyDatabase(), ...preloading(report) })
    await server.says(LINK)
    assert.match(server.stderr(), /imports the app/)
    assert.equal(await server.stop(), 0)
  })

  test('the executable of the package forwards signals and returns the exit code', async () => {
    const program = join(ROOT, 'bin/turnout.js')
    const failed = await run({ args: [program, 'serve'], settings: { DATA_DIR: newDataDir() } })
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /SITE_URL is needed/)

    const port = String(await freePort())
    const settings = { SITE_URL: 'https://plan.example', SECRET_KEY, PORT: port, DATABASE_URL: await migratedDatabase() }
    const serving = launch({ args: [program, 'serve'], settings: { ...settings, DATA_DIR: newDataDir() }, ownGroup: true })
    await serving.says(/Turnout listens on/)
    assert.equal(await isReady(`http://127.0.0.1:${port}`), true)
    assert.equal(await serving.stop(), 0)
    assert.equal(await isReady(`http://127.0.0.1:${port}`), false)
  })
})
