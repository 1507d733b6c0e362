import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { authorizeUrl, openInstance, pkce, type TestClient } from '#test/support/instance.ts'
import { ANN, OLGA, type Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of applications are skipped, ${skip}`)

type Look = { width: number; colorScheme: 'light' | 'dark'; language: 'en' | 'de'; javaScriptEnabled?: boolean }

describe('applications in a browser', { skip }, async () => {
  const instance = await openInstance()
  let browser: Browser
  let application = ''
  const arrived: string[] = []

  // A minimal application that records the callback.
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) arrived.push(request.url)
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>app</title><link rel="icon" href="data:,"><h1>Back at the application</h1>')
  })

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    application = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  })
  after(async () => {
    await browser?.close()
    server.close()
  })

  async function visit(person: Person, look: Look, journey: (page: Page) => Promise<void>): Promise<void> {
    const { width, language, ...rest } = look
    await instance.db.write
      .updateTable('user_profile')
      .set({ preferred_language: language })
      .where('id', '=', person.id)
      .execute()
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...rest })
    const { sessionId } = await instance.browserOf(person)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    page.on('pageerror', (error) => said.push(String(error)))
    try {
      await journey(page)
    } finally {
      await context.close()
    }
    assert.deepEqual(said, [])
  }

  const ask = (client: Pick<TestClient, 'clientId'>, challenge: string, scope = 'openid ME_READ ME_WRITE') =>
    `${instance.base}${authorizeUrl({ response_type: 'code', client_id: client.clientId, redirect_uri: application, scope, state: 's', code_challenge: challenge, code_challenge_method: 'S256' })}`
  const scopes = ['openid', 'ME_READ', 'ME_WRITE']

  const LOOKS: Look[] = [
    { width: 360, colorScheme: 'light', language: 'en' },
    { width: 360, colorScheme: 'dark', language: 'de' },
    { width: 1280, colorScheme: 'light', language: 'de' },
    { width: 1280, colorScheme: 'dark', language: 'en' },
  ]
  for (const look of chooseVariants(LOOKS, 1)) {
    test(`are accessible at ${look.width} px, ${look.colorScheme}, ${look.language}`, async () => {
      const client = await instance.addClient({ redirectUris: [application], scopes })
      const known = await instance.addClient({ trusted: true, name: 'A rather long name of an application that wraps' })
      await instance.tokens(ANN, known)
      const fine = async (page: Page, url: string) => {
        await page.goto(url)
        assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], url)
      }
      await visit(ANN, look, async (page) => {
        await fine(page, ask(client, pkce().challenge))
        await fine(page, `${ask(client, pkce().challenge)}&prompt=login`)
        await fine(page, `${instance.base}/settings/applications/`)
      })
      await visit(OLGA, look, async (page) => {
        for (const path of ['', 'new/', `${client.id}/`, `${client.id}/delete/`])
          await fine(page, `${instance.base}/manage/applications/${path}`)
        await page.goto(`${instance.base}/manage/applications/${client.id}/secret/`)
        await page.click('.confirm button.danger')
        await page.waitForSelector('#client-secret')
        assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
      })
    })
  }

  test('are registered, authorised by keyboard, used and revoked', async () => {
    const { verifier, challenge } = pkce()
    let client = { id: 0, clientId: '', secret: '' }
    await visit(OLGA, { width: 1280, colorScheme: 'light', language: 'en' }, async (page) => {
      await page.goto(`${instance.base}/manage/applications/new/`)
      await page.fill('[name=name]', 'Rota viewer')
      await page.fill('[name=redirect_uris]', application)
      await page.check('[value=ME_READ]')
      await page.click('main form button.primary')
      await page.waitForSelector('#client-secret')
      client = { id: 0, clientId: await page.inputValue('#client-id'), secret: await page.inputValue('#client-secret') }
    })
    await visit(ANN, { width: 360, colorScheme: 'light', language: 'en' }, async (page) => {
      await page.goto(ask(client, challenge, 'ME_READ'))
      await page.focus('[name=decision][value=deny]')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${application}?**`)
      assert.equal(await page.textContent('h1'), 'Back at the application')
      const code = new URL(arrived.at(-1)!, application).searchParams.get('code')!
      const answer = await instance.token({ grant_type: 'authorization_code', code, code_verifier: verifier }, client)
      assert.equal(await instance.me(answer.json.access_token), 200)
      await page.goto(`${instance.base}/settings/applications/`)
      await page.click('text=Revoke access of Rota viewer')
      await page.waitForSelector('.flash')
      assert.equal(await instance.me(answer.json.access_token), 401)
    })
  })

  test('are authorised and refused without scripts, after signing in', async () => {
    const client = await instance.addClient({ redirectUris: [application], scopes })
    for (const [decision, came] of [
      ['deny', /error=access_denied/],
      ['allow', /code=/],
    ] as const) {
      await visit(ANN, { width: 360, colorScheme: 'dark', language: 'de', javaScriptEnabled: false }, async (page) => {
        await page.goto(ask(client, pkce().challenge))
        await page.click(`[name=decision][value=${decision}]`)
        await page.waitForURL(`${application}?**`)
        assert.match(arrived.at(-1)!, came)
      })
    }
  })
})
