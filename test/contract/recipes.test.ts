import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { readBlocks } from '#test/support/guide.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'
import { endAll, launch, preloading } from '#test/support/process/processes.ts'

const PROGRAMS = readBlocks(readFileSync(new URL('../../docs/api/recipes.md', import.meta.url), 'utf8')).filter(
  ({ language }) => language === 'js',
)
/** The display waits five seconds between two requests. */
const SHORT_WAITS = preloading(
  'const wait = globalThis.setTimeout; globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms === 5_000 ? 20 : ms, ...rest)',
)

describe('the programs of docs/api/recipes.md', async () => {
  const instance = await openInstance()
  const folder = mkdtempSync(join(tmpdir(), 'turnout-recipes-'))
  after(async () => {
    await endAll()
    rmSync(folder, { recursive: true })
  })
  const now = new Date()
  const soon = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
  const shifts = [{ start: soon(24), end: soon(26) }]
  await instance.db.write.insertInto('event_type').values({ id: 1, title: 'Race' }).execute()
  const event = await addEvent(instance.db.write, { title: 'Harbour run', seenBy: [ANN], shifts }, now)
  await addParticipation(instance.db.write, { who: ANN, shift: event.shifts[0]!, state: 1 }, now)
  const start = (name: string, clientId: string, settings = {}) => {
    const program = PROGRAMS.find(({ text }) => text.startsWith(`// ${name}\n`))
    assert.ok(program, `docs/api/recipes.md has no ${name}`)
    const file = join(folder, name)
    writeFileSync(file, program.text)
    return launch({ args: [file], settings: { SITE: instance.base, CLIENT_ID: clientId, ...settings } })
  }
  const finish = async ({ exited, stdout, stderr }: ReturnType<typeof start>): Promise<string> => {
    assert.deepEqual([(await exited).code, stderr()], [0, ''])
    return stdout()
  }

  test('are run here', () => assert.equal(PROGRAMS.length, 2))

  test('a wall display signs in by a code', async () => {
    const client = await instance.addClient({ isPublic: true, allowsDevices: true, redirectUris: [] })
    const display = start('wall-display.mjs', client.clientId, SHORT_WAITS)
    const [, address, code] = await display.says(/Open (\S+) and enter (\S+)/)
    assert.equal(address, `${instance.base}/device/`)
    const ann = await instance.browserOf(ANN)
    await ann.go('/device/')
    await ann.post('/device/', { user_code: code!, decision: 'allow' })
    assert.match(await finish(display), /Harbour run: \d+ missing/)
  })

  test('a program on the command line signs in without a secret, at any port', async () => {
    const client = await instance.addClient({ isPublic: true, redirectUris: ['http://127.0.0.1/back'] })
    const program = start('my-shifts.mjs', client.clientId)
    const [, url] = await program.says(/Open (\S+)/)
    const browser = await instance.browserOf(ANN)
    const { headers } = await browser.authorize(Object.fromEntries(new URL(url!).searchParams))
    assert.equal((await fetch(headers.location!)).status, 200)
    assert.match(await finish(program), /Harbour run: confirmed/)
  })
})
