import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Scope } from '#platform/auth/scopes.ts'
import { npm, packFolder } from '#test/support/npm.ts'
import { ANN, BEN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { until } from '#test/support/process/processes.ts'
import { addressOf, clientOf, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld } from '#test/support/world.ts'
import { buildClient, repositoryOf } from '../../scripts/build-client.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'turnout-package-'))
/** Where the packed client is installed. */
const home = join(folder, 'home')

before(() => {
  const built = join(folder, 'built')
  buildClient(built)
  const tarball = packFolder(built, folder)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "private": true }')
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], home, join(folder, 'cache'))
  cpSync(join(root, 'clients/typescript/examples'), join(home, 'examples'), { recursive: true })
  const readme = readFileSync(join(root, 'clients/typescript/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!)
  assert.ok(blocks.length >= 7)
  writeFileSync(join(home, 'readme.ts'), blocks.join('\n'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the packed client', async () => {
  const world = await openWorld(REACHABLE)
  const instant = {
    flow: 'instant_confirmation',
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { minimum_number_of_participants: 2 },
    stats: { missing: 2, min: 2 },
  }
  const event = await world.addEvent({
    seenBy: [HELPERS],
    title: 'Harbour run',
    shifts: [
      { ...instant, label: 'Marshals' },
      { ...instant, label: 'Boats', start: '2031-05-05T08:00:00+02:00' },
    ],
  })
  const closed = { ...instant, flow: 'manual', start: '2031-05-06T08:00:00+02:00' }
  await world.addEvent({ seenBy: [HELPERS], title: 'Closed', shifts: [closed] })

  const start = async (file: string, person: Person, scopes: Scope[], args: string[] = []) => {
    const env = { ...process.env, TURNOUT_URL: addressOf(world), TURNOUT_TOKEN: await world.token(person, scopes) }
    return spawn(process.execPath, [file, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const run = async (...given: Parameters<typeof start>): Promise<string> => {
    const child = await start(...given)
    const closed = once(child, 'close')
    const [[code], stdout, stderr] = await Promise.all([closed, text(child.stdout!), text(child.stderr!)])
    assert.equal(code, 0, stdout + stderr)
    return stdout
  }

  test('contains modules, types, README and licence, and depends on nothing', () => {
    const installed = join(home, 'node_modules/@turnout/client')
    const files = globSync('**/*', { cwd: installed, withFileTypes: false })
    const modules = globSync('*.ts', { cwd: join(root, 'clients/typescript/src') }).map((name) => name.replace(/\.ts$/, ''))
    const expected = [
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      ...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
    ]
    assert.deepEqual(files.sort(), expected.sort())
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    assert.deepEqual([manifest.dependencies, manifest.peerDependencies, manifest.license], [undefined, undefined, 'MIT'])
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true })
    assert.deepEqual([manifest.name, manifest.private, manifest.repository], ['@turnout/client', undefined, undefined])
    assert.equal(
      repositoryOf('https://git.example/turnout').repository?.url,
      'git+https://git.example/turnout.git',
      'npm compares it with the place that publishes the package',
    )
    assert.equal(manifest.version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })

  test('runs in a script, also without what Node 18 does not have', async () => {
    const script = `
      delete Promise.withResolvers
      delete Array.fromAsync
      delete AbortSignal.any
      Object.defineProperty(globalThis, 'crypto', { value: undefined })
      const { TurnoutClient } = await import('@turnout/client')
      const client = new TurnoutClient({ url: process.env.TURNOUT_URL, token: process.env.TURNOUT_TOKEN })
      for await (const { title } of client.pages('/api/events/', { query: { limit: 1 } })) console.log(title)
      for await (const { data } of client.stream('/api/changes/stream/', { query: { after: 'start' } })) {
        console.log(data.kind)
        break
      }
      await client.post('/api/batch/', { body: { operations: [{ method: 'POST', path: '/api/nowhere/' }] } }).catch(({ name, code }) => console.log(name, code))`
    writeFileSync(join(home, 'script.mjs'), script)
    const printed = await run('script.mjs', ANN, ['PUBLIC_READ'])
    assert.match(printed, /^Harbour run\nClosed\n(access|event|shift)\nProblemError batch_failed\n$/)
  })

  test('type-checks the README and the examples', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const flags = '--noEmit --strict --target es2022 --module nodenext --noUncheckedIndexedAccess --exactOptionalPropertyTypes'
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const files = ['readme.ts', ...globSync('examples/*.ts', { cwd: home })]
    const checked = spawnSync(process.execPath, [tsc, ...flags.split(' '), ...types, ...files], { cwd: home, encoding: 'utf8' })
    assert.equal(checked.status, 0, checked.stdout + checked.stderr)
    assert.equal(files.length, 4)
  })

  test('runs every block of the README', async () => {
    const printed = await run('readme.ts', BEN, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'])
    assert.match(printed, /^Ben sees Harbour run with 2 shifts\n/)
    assert.match(printed, /\nconfirmed\n200 2\n/)
    assert.match(printed, /\n\S+ \w+ \d+ (created|visible|updated)\n$/)
  })

  test('the wall display shows who is missing, and follows changes', async () => {
    const child = await start('examples/wall-display.ts', ANN, ['PUBLIC_READ'], ['2031-05-05'])
    let printed = ''
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
    })
    const says = (line: string) => until(`the display shows ${line}`, () => printed.includes(line))
    try {
      await says('2031-05-05\n08:00–09:00  Harbour run, Boats: 0 confirmed, 2 missing\n')
      const ann = await clientOf(world, ANN, ['ME_WRITE'])
      await ann.post('/api/shifts/{id}/signup/', { path: { id: event.shifts[1]! } })
      await says('08:00–09:00  Harbour run, Boats: 1 confirmed, 1 missing\n')
    } finally {
      const ended = once(child, 'close')
      child.kill()
      await ended
    }
    assert.doesNotMatch(printed, /Marshals/)
  })

  test('the sign-up bot signs up where it fits, and tells what is against the rest', async () => {
    const cleo = await world.addPerson({ name: 'Cleo' })
    const manual = { ...instant, flow: 'manual', start: '2031-05-06T10:00:00+02:00' }
    await world.addEvent({ seenBy: [cleo], title: 'Assigned', shifts: [manual] })
    await world.grantsEvent(cleo, event.id, 'view')
    const bot = () => run('examples/sign-up-bot.ts', cleo, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'])
    const printed = await bot()
    assert.match(printed, /Harbour run Marshals: confirmed\n/)
    assert.match(printed, /Assigned : \S.+\n/)
    assert.doesNotMatch(printed, /Assigned : confirmed/)
    const own = await (await clientOf(world, cleo, ['ME_READ'])).get('/api/users/me/participations/')
    assert.ok(own.results.length > 0 && own.results.every((each) => each.event === event.id))
    assert.doesNotMatch(await bot(), /: confirmed/)
  })

  test('the export writes every participation of a month, over several pages', async () => {
    const { shifts } = await world.addEvent({ title: '=1+1 "quoted"', shifts: [{ start: '2032-03-31T23:00:00+02:00' }] })
    const later = await world.addEvent({ shifts: [{ start: '2032-04-01T00:00:00+02:00' }] })
    for (let n = 1; n <= 105; n++)
      await world.addParticipation({ shift: shifts[0]!, who: { placeholder: `Helper ${n}` }, state: 1 })
    await world.addParticipation({ shift: later.shifts[0]!, who: { placeholder: 'Late' }, state: 1 })
    const printed = await run('examples/nightly-export.ts', OLGA, ['CONFIDENTIAL_READ'], ['2032-03'])
    const lines = printed.trim().split('\n')
    assert.equal(lines.length, 106)
    assert.equal(lines[0], '"id","event","title","shift","person","state","start","end","hours"')
    assert.match(lines[1]!, /^\d+,\d+,"'=1\+1 ""quoted""",\d+,"Helper \d+","confirmed","2032-03-31T23:00:00\+02:00",/)
    assert.match(lines[1]!, /,1$/)
    assert.equal(new Set(lines.map((line) => line.split(',')[0])).size, 106)
  })
})
