import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { endAll, type Launch, launch, ROOT, run, until } from '../support/process/processes.ts'

after(endAll)

/** Fake npm: records each call, waits while the file `wait` exists, and recreates node_modules as `npm ci` does. */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, rmSync } = require('node:fs')
appendFileSync('calls', JSON.stringify({ args: process.argv.slice(2), omit: process.env.npm_config_omit ?? null }) + '\\n')
while (existsSync('wait')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules')
process.exit(existsSync('fail') ? 7 : 0)
`

describe('scripts/ensure.mjs', () => {
  let root: string
  const inside = (name: string) => join(root, name)
  const calls = () => (existsSync(inside('calls')) ? readFileSync(inside('calls'), 'utf8').trimEnd().split('\n') : [])
  const ensure = (settings = {}): Launch => ({
    args: [inside('scripts/ensure.mjs')],
    settings: { npm_execpath: inside('npm.cjs'), ...settings },
  })
  const ensured = async () => assert.equal((await run(ensure())).code, 0)

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ensure-test-'))
    mkdirSync(inside('scripts'))
    copyFileSync(join(ROOT, 'scripts/ensure.mjs'), inside('scripts/ensure.mjs'))
    writeFileSync(inside('package-lock.json'), '{}')
    writeFileSync(inside('npm.cjs'), NPM)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  test('installs if nothing is installed, and not again', async () => {
    const { code, stdout, stderr } = await run(ensure({ npm_config_omit: 'dev' }))
    assert.deepEqual([code, stdout], [0, ''])
    assert.match(stderr, /installing dependencies/)
    const { args, omit } = JSON.parse(calls()[0]!)
    assert.equal(args[0], 'ci')
    assert.ok(args.includes('--ignore-scripts'))
    assert.equal(omit, null, 'npm_config_omit must not be passed on')
    assert.deepEqual(await run(ensure()), { code: 0, stdout: '', stderr: '' })
    assert.equal(calls().length, 1)
  })

  test('installs again if the lock file changed, and if node_modules is missing or was created by hand', async () => {
    await ensured()
    writeFileSync(inside('package-lock.json'), '{ "changed": true }')
    await ensured()
    assert.equal(calls().length, 2)
    rmSync(inside('node_modules'), { recursive: true })
    await ensured()
    assert.equal(calls().length, 3)
    rmSync(inside('node_modules'), { recursive: true })
    mkdirSync(inside('node_modules'))
    await ensured()
    assert.equal(calls().length, 4)
    await ensured()
    assert.equal(calls().length, 4)
  })

  test('accepts what npm has installed, unless a package is missing or has another version', async () => {
    const lockOf = (packages: object) => JSON.stringify({ packages: { '': {}, ...packages } })
    const here = { version: '1.0.0', integrity: 'a', optional: true, os: process.platform, cpu: process.arch }
    const wanted = {
      'node_modules/a': { version: '2.0.0', integrity: 'b' },
      'node_modules/for-here': here,
      'node_modules/for-elsewhere': { ...here, os: 'elsewhere' },
    }
    const { 'node_modules/for-elsewhere': _, ...complete } = wanted
    const install = (packages: object) => {
      for (const path of Object.keys(packages)) {
        mkdirSync(inside(path), { recursive: true })
        writeFileSync(inside(`${path}/package.json`), '{}')
      }
      writeFileSync(inside('node_modules/.package-lock.json'), lockOf(packages))
    }
    writeFileSync(inside('package-lock.json'), lockOf(wanted))
    install(complete)
    await ensured()
    assert.equal(calls().length, 0)
    const { 'node_modules/for-here': __, ...lacking } = complete
    for (const packages of [lacking, { ...complete, 'node_modules/a': { version: '2.0.1', integrity: 'c' } }]) {
      install(packages)
      const before = calls().length
      await ensured()
      assert.equal(calls().length, before + 1)
      rmSync(inside('node_modules/.turnout-lock'), { force: true })
    }
    install(complete)
    rmSync(inside('node_modules/a'), { recursive: true })
    await ensured()
    assert.equal(calls().length, 3)
  })

  test('installs once if two commands start at the same time', async () => {
    writeFileSync(inside('wait'), '')
    const both = [launch(ensure()), launch(ensure())]
    await until('one installs', () => calls().length > 0)
    await until('the other one waits', () => both.some((each) => each.stderr().includes('another command is installing')))
    assert.equal(both.filter((each) => each.stderr().includes('installing dependencies')).length, 1)
    rmSync(inside('wait'))
    for (const each of both) assert.equal((await each.exited).code, 0)
    assert.equal(calls().length, 1)
    assert.equal(existsSync(inside('.install-lock')), false)
  })

  test('returns the exit code of a failed installation, and installs on the next call', async () => {
    writeFileSync(inside('fail'), '')
    const { code, stderr } = await run(ensure())
    assert.equal(code, 7)
    assert.match(stderr, /the installation failed/)
    assert.equal(existsSync(inside('node_modules/.turnout-lock')), false)
    assert.equal(existsSync(inside('.install-lock')), false)
    rmSync(inside('fail'))
    await ensured()
    assert.equal(calls().length, 2)
  })

  test('releases the lock if it is interrupted', async () => {
    writeFileSync(inside('wait'), '')
    const interrupted = launch(ensure())
    await until('it installs', () => calls().length === 1)
    assert.notEqual(await interrupted.stop('SIGINT'), 0)
    assert.equal(existsSync(inside('node_modules')), false)
    assert.equal(existsSync(inside('.install-lock')), false)
    rmSync(inside('wait'))
    await ensured()
    assert.equal(calls().length, 2)
  })

  test('removes the stale lock of a killed command', async () => {
    mkdirSync(inside('.install-lock'))
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(inside('.install-lock'), longAgo, longAgo)
    await ensured()
    assert.equal(calls().length, 1)
  })
})
