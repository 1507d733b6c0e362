import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { addPerson } from '#test/support/fixtures.ts'
import { OLGA } from '#test/support/people.ts'
import { IS_EXHAUSTIVE } from '#test/support/sizes.ts'
import { migratedDatabase } from '../support/process/database.ts'
import { ask } from '../support/process/http-client.ts'
import { endAll, freePort, launch, ROOT, run, SECRET_KEY, turnout } from '../support/process/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnout-extensions-'))
after(async () => {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** Code that never ends. A loop takes the processor from other tests until the server is ended; waiting for ever takes nothing. */
const NEVER_ENDS = IS_EXHAUSTIVE ? 'for (;;) {}' : 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

const CLI = join(ROOT, 'src/cli.ts')
const cookieOf = (origin: string, session: string) => `${cookieNames(origin).session}=${session}`

/** A server on the database, with Olga's session. */
async function serve(databaseUrl: string, settings: Record<string, string>, ...flags: string[]) {
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const server = launch({
    args: [CLI, 'serve', ...flags],
    settings: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
      SITE_URL: origin,
      SECRET_KEY,
      PORT: port,
      ...settings,
    },
  })
  await server.says(/Turnout listens on/)
  return {
    ...server,
    get: (path: string, session = '') => ask(`${origin}${path}`, { headers: { cookie: cookieOf(origin, session) } }),
  }
}

async function addSession(databaseUrl: string): Promise<string> {
  const db = openTestDatabase({ url: databaseUrl })
  try {
    const now = new Date()
    await addPerson(db.write, OLGA, now)
    const id = randomSecret(43)
    const times = { created_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 86_400_000) }
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(id), user_id: OLGA.id, ...times })
      .execute()
    return id
  } finally {
    await db.close()
  }
}

const turnoutIn = (cwd: string, args: readonly string[]) => run({ args: [CLI, ...args], cwd })

type Block = { language: string; text: string }
const blocksOf = (document: string): Block[] =>
  [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language: language!, text: text! }))

describe('extensions', () => {
  test('the chapter for authors works, step by step', async () => {
    const blocks = blocksOf(readFileSync(join(ROOT, 'docs/extensions.md'), 'utf8'))
    const commands: string[] = []
    for (const { language, text } of blocks) {
      if (language === 'js') {
        const [, file] = /^\/\/ (\S+)\n/.exec(text) ?? []
        assert.ok(file, text)
        writeFileSync(join(folder, file), text)
        continue
      }
      const [, settings = '', args] = /^((?:[A-Z]+=\S+ )*)npx turnout (.+)\n$/.exec(text) ?? []
      assert.ok(args, text)
      commands.push(settings + args)
      if (settings) continue
      const { code, stdout, stderr } = await turnoutIn(folder, args.split(' '))
      assert.equal(code, 0, stdout + stderr)
    }
    assert.deepEqual(commands, ['extension new wave', 'extension test wave', 'extension test wave', 'EXTENSIONS=./wave try-out'])
    const databaseUrl = await migratedDatabase()
    const session = await addSession(databaseUrl)
    const server = await serve(databaseUrl, { EXTENSIONS: join(folder, 'wave') })
    const page = await server.get('/x/wave/', session)
    assert.equal(page.status, 200)
    assert.match(page.body, /<h1>Wave<\/h1>[\s\S]*Hello Olga!/)
    assert.equal(await server.stop(), 0)
    const plain = await serve(databaseUrl, { EXTENSIONS: join(folder, 'wave') }, '--without-extensions')
    assert.equal((await plain.get('/x/wave/', session)).status, 404)
    assert.equal(await plain.stop(), 0)
  })

  test('a new extension has a valid definition and a test that passes', async () => {
    assert.equal((await turnoutIn(folder, ['extension', 'new', 'fresh'])).code, 0)
    const { code, stdout, stderr } = await turnoutIn(folder, ['extension', 'test', 'fresh'])
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout + stderr, /The definition is valid\./)
    assert.match(stdout + stderr, /pass 2/)
    writeFileSync(join(folder, 'fresh/rules.test.js'), "import 'node:test'\nthrow new Error('red')\n")
    assert.equal((await turnoutIn(folder, ['extension', 'test', 'fresh'])).code, 1)
    assert.match((await turnoutIn(folder, ['extension', 'new', 'fresh'])).stderr, /exists already/)
  })

  for (const [where, code] of [
    // Its limit of time is that of what it waits for, and this code waits for nothing.
    ['in a section', `adds: { personSection: async ({ db }) => { await db.query('select 1'); ${NEVER_ENDS} } }`],
    ['at its import', `...(() => { ${NEVER_ENDS} })()`],
  ] as const)
    test(`code that never ends ${where} ends the server, which then starts without the extension`, async () => {
      const databaseUrl = await migratedDatabase()
      const session = await addSession(databaseUrl)
      const own = join(mkdtempSync(join(folder, 'stuck-')), 'stuck')
      const made = await turnoutIn(join(own, '..'), ['extension', 'new', 'stuck'])
      assert.equal(made.code, 0, made.stderr)
      const index = readFileSync(join(own, 'index.js'), 'utf8')
      writeFileSync(join(own, 'index.js'), index.replace(/pages: \[[\s\S]*\n {2}\],\n {2}adds: .*\n/, `${code},\n`))
      const settings = { EXTENSIONS: own, DATABASE_URL: databaseUrl, SECRET_KEY, SITE_URL: 'http://127.0.0.1:1' }
      const port = String(await freePort())
      const origin = `http://127.0.0.1:${port}`
      const first = launch({
        args: [CLI, 'serve'],
        settings: { ...settings, DATA_DIR: join(folder, 'data'), SITE_URL: origin, PORT: port },
      })
      const shows = `/manage/people/${OLGA.id}/`
      if (where === 'in a section') {
        await first.says(/Turnout listens on/)
        await ask(`${origin}${shows}`, { headers: { cookie: cookieOf(origin, session) } }).catch(() => undefined)
      }
      assert.equal((await first.exited).signal, 'SIGKILL')
      assert.match(first.stderr(), /extension stuck: it kept the server from answering for 10 s/)
      const second = await serve(databaseUrl, { EXTENSIONS: own })
      assert.equal((await second.get(shows, session)).status, 200)
      const home = await second.get('/', session)
      assert.equal(home.status, 200)
      assert.match(home.body, /Turnout has switched off after repeated failures: stuck\./)
      const doctor = await turnout(['doctor'], settings)
      assert.match(doctor.stdout + doctor.stderr, /stuck is left out: its code never ended and took the server with it/)
      assert.equal(await second.stop(), 0)
    })
})
