import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type App, buildApp } from '#app'
import type { Database } from '#platform/db/pool.ts'
import { tasksOf } from '#platform/features/compose.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, readMain } from '#test/support/browser.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { demoOptions, freshDemoDatabase, PASSWORDS } from '#test/support/demo-instance.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { makeRuntime } from '../../src/app-options.ts'

const PASSWORD = PASSWORDS.ann
const NEW = 'four green umbrellas'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of one’s own account are skipped, ${skip}`)

type Look = { width?: number; colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean; locale?: string }

describe('the own account in a browser', { skip }, () => {
  let browser: Browser
  let database: TestDatabase
  let db: Database
  let app: App
  let options: AppOptions
  let origin: string
  const contexts: BrowserContext[] = []
  const sent: Mail[] = []

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())
  // Journeys change passwords, so each one has an instance of its own.
  beforeEach(async () => {
    database = await freshDemoDatabase()
    db = openTestDatabase({ url: database.url })
    const mailer = { send: async (mail: Mail) => void sent.push(mail), describe: 'a test' }
    options = { ...demoOptions(database.url, db, { hasMail: true }), mailer }
    app = await buildApp(options)
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    sent.length = 0
    await app?.app.close()
    await db?.close()
    await database?.drop()
  })

  async function open({ width = 360, ...look }: Look = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...look })
    contexts.push(context)
    return context.newPage()
  }

  async function signIn(page: Page, password = PASSWORD): Promise<void> {
    await page.goto(`${origin}/accounts/login/`)
    await page.fill('[name=email]', 'ann@demo.example')
    await page.fill('[name=password]', password)
    await page.click('main form button')
  }
  async function signedIn(look: Look = {}): Promise<Page> {
    const page = await open(look)
    await signIn(page)
    await page.waitForURL(`${origin}/`)
    return page
  }
  const goTo = (page: Page, path: string) => page.goto(origin + path)
  const textOf = readMain
  const statusWith = async (token: string) =>
    (await fetch(`${origin}/api/users/me/`, { headers: { authorization: `Bearer ${token}` } })).status

  async function makeToken(page: Page): Promise<string> {
    await goTo(page, '/settings/tokens/')
    await page.click('main a:has-text("New token")')
    await page.fill('[name=description]', 'My calendar')
    await page.check('[value=ME_READ]')
    await page.check('[name=lifetime][value="30"]')
    await page.click('main form button.primary')
    await page.waitForSelector('#token-value')
    return page.inputValue('#token-value')
  }

  async function changePassword(page: Page): Promise<void> {
    await goTo(page, '/settings/security/')
    await page.fill('[name=current]', PASSWORD)
    await page.fill('[name=password]', NEW)
    await page.fill('[name=password_again]', NEW)
    await page.click('button:has-text("Change password")')
    await page.waitForSelector('.flash')
  }

  for (const javaScriptEnabled of chooseVariants([true, false], 1)) {
    test(`a token is created, used and revoked ${javaScriptEnabled ? '' : 'without scripts'}`, async () => {
      const page = await signedIn({ javaScriptEnabled })
      await page.click('.person > summary')
      await page.click('.person .menu-more summary')
      await page.click('.person a:has-text("API tokens")')
      await page.waitForURL('**/settings/tokens/')
      assert.match(await textOf(page), /You have no API tokens yet\./)
      const token = await makeToken(page)
      assert.match(token, /^turnout_pat_\w{40}$/)
      assert.match(await page.inputValue('#token-curl'), new RegExp(`^curl -H 'Authorization: Bearer ${token}'`))
      assert.equal(await page.locator('[data-copy]').first().isVisible(), javaScriptEnabled)
      assert.equal(await statusWith(token), 200)
      await page.click('main a:has-text("Done")')
      await page.waitForURL('**/settings/tokens/')
      assert.match(await textOf(page), /My calendar.*active.*PUBLIC_READ.*ME_READ/s)
      await page.click('main a:has-text("Revoke")')
      await page.click('main button:has-text("Revoke token")')
      await page.waitForURL('**/settings/tokens/')
      assert.match(await textOf(page), /The token “My calendar” was revoked\./)
      assert.equal(await statusWith(token), 401)
    })

    test(`a new password ends all other sessions ${javaScriptEnabled ? '' : 'without scripts'}`, async () => {
      const [laptop, phone] = [await signedIn({ javaScriptEnabled }), await signedIn({ javaScriptEnabled })]
      const token = await makeToken(laptop)
      assert.equal(await statusWith(token), 200)
      await changePassword(laptop)
      assert.match(await textOf(laptop), /Your password was changed, and all other devices are signed out\. Strength: strong\./)
      await goTo(phone, '/events/')
      assert.match(phone.url(), /\/accounts\/login\/\?next=/)
      assert.equal(await statusWith(token), 401)
      await signIn(phone)
      assert.match(await textOf(phone), /Email address or password is wrong/)
      await signIn(phone, NEW)
      await phone.waitForURL(`${origin}/`)
    })
  }

  test('the language changes at once', async () => {
    const page = await signedIn()
    await goTo(page, '/settings/')
    assert.match(await textOf(page), /About you.*ann@.*Language/s)
    await page.check('[value=de]')
    await page.click('button:has-text("Use this language")')
    await page.waitForSelector('html[lang=de]')
    assert.match(await textOf(page), /Die Sprache ist jetzt Deutsch\..*Über dich/s)
  })

  test('the strength of a password is shown while typing', async () => {
    const page = await signedIn()
    await goTo(page, '/settings/security/')
    for (const [password, hint] of [
      ['umbrella', 'Strength: weak Please choose a password of at least 10 characters.'],
      [NEW, 'Strength: strong'],
    ] as const) {
      await page.fill('[name=password]', '')
      await page.locator('[name=password]').pressSequentially(password)
      await page.waitForFunction((text) => document.querySelector('#password-strength')?.textContent?.trim() === text, hint)
    }
  })

  test('one device ends the session of another', async () => {
    const [laptop, phone] = [await signedIn(), await signedIn()]
    await goTo(laptop, '/settings/security/')
    await laptop.click('table button:has-text("Sign out")')
    await laptop.waitForSelector('.flash')
    assert.match(await textOf(laptop), /The device was signed out\..*You are signed in on this device only\./s)
    await goTo(phone, '/')
    assert.match(phone.url(), /\/accounts\/login\//)
  })

  test('a forgotten password is reset by mail', async () => {
    const page = await open({ locale: 'en' })
    await goTo(page, '/accounts/login/')
    await page.click('a:has-text("Forgot your password?")')
    await page.fill('[name=email]', 'ann@demo.example')
    await page.click('main form button')
    await page.waitForSelector('h1:has-text("Check your inbox")')
    const task = tasksOf(makeRuntime(options)).find(({ name }) => name === 'account_mail')!
    for (const { payload } of await findJobs(db, task.name)) await task.run(payload)
    const path = /http:\/\/localhost:8000(\/accounts\/reset\/\w+\/)/.exec(sent[0]!.text)![1]!
    await goTo(page, path)
    await page.fill('[name=password]', NEW)
    await page.fill('[name=password_again]', NEW)
    await page.click('main form button')
    await page.waitForURL(`${origin}/`)
    assert.match(await textOf(page), /Your new password is set\..*Hello Ann/s)
    await goTo(await open(), path).then((answer) => assert.equal(answer!.status(), 404))
  })

  test('every page is accessible at 360 and 1280 px, light and dark', async () => {
    const page = await open({ locale: 'de' })
    const check = async (what: string) => assert.deepEqual(await pageProblems(page), [], what)
    for (const path of ['/accounts/login/', '/accounts/reset/', '/accounts/reset/unknown/', '/accounts/welcome/unknown/']) {
      await goTo(page, path)
      await check(path)
    }
    await signIn(page)
    await page.waitForURL(`${origin}/`)
    await page.click('.person > summary')
    await page.click('.person .menu-more summary')
    await check('the menu')
    for (const path of ['profile', 'security', 'tokens', 'tokens/new']) {
      await goTo(page, `/settings/${path}/`)
      await check(path)
    }
    await page.click('main form button.primary')
    await page.waitForSelector('.error-summary')
    await check('a refused token')
    await makeToken(page)
    await check('a new token')
    await goTo(page, '/settings/tokens/')
    await check('a list of tokens')
    await page.click('main a:has-text("Revoke")')
    await page.waitForSelector('.confirm')
    await check('the question before a token is revoked')
    await goTo(page, '/settings/security/')
    await page.click('button:has-text("Change password")')
    await page.waitForSelector('.error-summary')
    await check('a refused password')
  })
})
