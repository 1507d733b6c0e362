import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { GUIDE_BLOCKS, readBlocks } from '#test/support/guide.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { endAll, freePort, launch, preloading } from '#test/support/process/processes.ts'
import { addWebhook, LOOPBACK, openDispatcher } from '#test/support/webhooks.ts'
import { openWorld } from '#test/support/world.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the page of docs/api/recipes.md is skipped, ${skip}`)

const PROGRAMS = readBlocks(readFileSync(new URL('../../docs/api/recipes.md', import.meta.url), 'utf8')).filter(
  ({ language }) => language === 'js' || language === 'html',
)
/** The display waits five seconds between two requests. */
const SHORT_WAITS = preloading(
  'const wait = globalThis.setTimeout; globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms === 5_000 ? 20 : ms, ...rest)',
)

function programText(name: string): string {
  const program = PROGRAMS.find(({ text }) => text.includes(`// ${name}\n`) || text.includes(`<!-- ${name} -->\n`))
  assert.ok(program, `docs/api/recipes.md has no ${name}`)
  return program.text
}

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
    const file = join(folder, name)
    writeFileSync(file, programText(name))
    return launch({ args: [file], settings: { SITE: instance.base, CLIENT_ID: clientId, ...settings } })
  }
  const finish = async ({ exited, stdout, stderr }: ReturnType<typeof start>): Promise<string> => {
    assert.deepEqual([(await exited).code, stderr()], [0, ''])
    return stdout()
  }

  test('are run here', () => assert.equal(PROGRAMS.length, 5))

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
  test('a page in a browser signs in without a secret, reads and signs out', { skip }, async () => {
    const library = readFileSync(fileURLToPath(import.meta.resolve('oauth4webapi')))
    let page = ''
    const server = createServer(({ url = '/' }, response) => {
      const isLibrary = url === '/oauth4webapi.js'
      response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html; charset=utf-8')
      response.end(isLibrary ? library : page)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const address = `${origin}/my-shifts.html`
    const client = await instance.addClient({ isPublic: true, redirectUris: [address], origins: [origin] })
    page = programText('my-shifts.html').replace('https://plan.example.org', instance.base).replace('CLIENT_ID', client.clientId)

    const { browser } = await openBrowser()
    const context = await browser!.newContext({ locale: 'en-GB' })
    const session = (await instance.browserOf(ANN)).jar.values().next().value!
    await context.addCookies([{ name: session.name, value: session.value, url: instance.base }])
    const tab = await context.newPage()
    await tab.goto(address)
    await tab.locator('button[value="allow"]').click()
    await tab.getByText('1 shifts').waitFor()
    assert.match((await tab.locator('li').textContent())!, /Harbour run: confirmed/)
    assert.equal(tab.url(), address, 'without the code')
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.getByText('Signed out').waitFor()
    const tokens = instance.db.read.selectFrom('access_token').select('revoked_at').where('application_id', '=', client.id)
    assert.deepEqual(
      (await tokens.execute()).filter(({ revoked_at: at }) => !at),
      [],
    )
    // Before the instance ends, which waits for its connections.
    await browser!.close()
    server.closeAllConnections()
    server.close()
  })

  test('a copy of events follows changes, also after it was killed', async () => {
    const { access_token: TOKEN } = await instance.tokens(BEN, await instance.addClient(), 'PUBLIC_READ')
    const FILE = join(folder, 'events.json')
    const mirror = () => start('mirror.mjs', '', { TOKEN, FILE })
    const listed = async () => {
      const { json } = await instance.send('/api/events/?limit=1000', { headers: { authorization: `Bearer ${TOKEN}` } })
      return json.results
    }
    const copied = () => Object.values(JSON.parse(readFileSync(FILE, 'utf8')).events)
    const first = await addEvent(instance.db.write, { title: 'First', seenBy: [BEN], shifts }, now)
    const running = mirror()
    await running.says(/1 events at/)
    const second = await addEvent(instance.db.write, { title: 'Second', seenBy: [BEN], shifts }, now)
    await running.says(/2 events at/)
    process.kill(running.pid, 'SIGKILL')
    await running.exited
    await instance.db.write.updateTable('event').set({ title: 'Changed' }).where('id', '=', first.id).execute()
    await instance.db.write.updateTable('event').set({ deleted_at: now }).where('id', '=', second.id).execute()
    await addEvent(instance.db.write, { title: 'Third', seenBy: [BEN], shifts }, now)
    const again = mirror()
    await again.says(/2 events at [\s\S]*2 events at/)
    assert.deepEqual(copied(), await listed())
    await again.stop('SIGKILL')
  })
})

describe('the receiver of docs/api/recipes.md', async () => {
  const world = await openWorld(LOOPBACK)
  const folder = mkdtempSync(join(tmpdir(), 'turnout-recipes-'))
  after(async () => {
    await endAll()
    rmSync(folder, { recursive: true })
  })
  const sample = GUIDE_BLOCKS.find(({ text }) => text.includes('export function isGenuine('))!
  writeFileSync(join(folder, 'is-genuine.mjs'), sample.text)
  writeFileSync(join(folder, 'receiver.mjs'), programText('receiver.mjs'))

  test('takes genuine changes once, and nothing else', async () => {
    world.now = new Date()
    const dispatcher = openDispatcher(world)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const { secret } = await addWebhook(world, ANN, { url })
    const receiver = launch({ args: [join(folder, 'receiver.mjs')], settings: { SECRET: secret, PORT: String(port) } })
    await receiver.says(/listens at port \d+/)
    const { id } = await world.addEvent({ seenBy: [ANN], shifts: [] })
    await dispatcher.runUntilIdle()
    await receiver.says(new RegExp(`event ${id} created`))
    const forged = await fetch(url, { method: 'POST', headers: { 'webhook-id': 'x' }, body: '{}' })
    assert.equal(forged.status, 401)
    assert.doesNotMatch(receiver.stdout(), /undefined/)
  })
})
