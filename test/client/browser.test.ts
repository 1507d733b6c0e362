import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, OLGA, PLANNERS } from '#test/support/people.ts'
import { addressOf, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld } from '#test/support/world.ts'
import { buildClient } from '../../scripts/build-client.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the typed client in a browser is skipped, ${skip}`)

/** Lists events, then follows changes, and shows what it gets or why it fails. */
const PROGRAM = `
import { TurnoutClient } from '/client/client.js'
const show = (text) => document.body.append(Object.assign(document.createElement('p'), { textContent: text }))
const { url, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const client = new TurnoutClient({ url, token: key, retry: { attempts: 1 } })
try {
  const { next } = await client.get('/api/changes/')
  const titles = []
  for await (const { title } of client.pages('/api/events/', { query: { limit: 1 } })) titles.push(title)
  show('listed ' + titles.join(', '))
  for await (const { data } of client.stream('/api/changes/stream/', { query: { after: next } }))
    show('heard ' + [data.kind, data.id, data.what].join(' '))
} catch (error) {
  show('failed: ' + [error.name, error.code].filter(Boolean).join(' '))
}`

describe('the built client in a page of another origin', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-browser-client-'))
  const world = await openWorld(REACHABLE)
  let browser: Browser

  /** A web server with the page and the client; resolves to its origin. */
  async function servePage(): Promise<string> {
    const server = createServer(({ url = '/' }, response) => {
      const isModule = url.endsWith('.js')
      response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html; charset=utf-8')
      if (url.startsWith('/client/')) response.end(readFileSync(join(folder, 'dist', basename(url))))
      else
        response.end(isModule ? PROGRAM : '<!doctype html><title>Display</title><script type="module" src="/page.js"></script>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function addKey(name: string, origins: string[]): Promise<string> {
    const input = { name, scopes: ['PUBLIC_READ'], groupIds: [HELPERS.id], lastDay: '', networks: [], origins }
    const made = await createServiceAccount(contextAs(world, OLGA), input)
    assert.ok(made.ok, JSON.stringify(made))
    return made.key
  }

  async function open(origin: string, key: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${origin}/#${new URLSearchParams({ url: addressOf(world), key })}`)
    return page
  }
  /** Waits for the line with this number, counted from 0. */
  const line = (page: Page, index: number) => page.locator('p').nth(index).textContent()

  before(async () => {
    buildClient(folder)
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('lists events and hears a change, from an origin that the key allows', async () => {
    const origin = await servePage()
    const key = await addKey('Display', [origin])
    const event = await world.addEvent({ seenBy: [HELPERS], title: 'Harbour run' })
    await world.addEvent({ seenBy: [HELPERS], title: 'Regatta' })
    const hidden = await world.addEvent({ seenBy: [PLANNERS], title: 'Meeting of planners' })
    const page = await open(origin, key)
    assert.equal(await line(page, 0), 'listed Harbour run, Regatta')
    for (const { id } of [hidden, event])
      await world.db.write.updateTable('event').set({ title: 'Renamed' }).where('id', '=', id).execute()
    assert.equal(await line(page, 1), `heard event ${event.id} updated`)
  })

  test('is refused from an origin that no key allows, and from one that only another key allows', async () => {
    const [allowed, other, unknown] = [await servePage(), await servePage(), await servePage()]
    const key = await addKey('Allowed', [allowed])
    await addKey('Other', [other])
    const shown = async (origin: string) => line(await open(origin, key), 0)
    assert.match((await shown(allowed))!, /^listed /)
    assert.equal(await shown(other), 'failed: ProblemError origin_not_allowed')
    assert.equal(await shown(unknown), 'failed: ConnectionError')
  })
})
