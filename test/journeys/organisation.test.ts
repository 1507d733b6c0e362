import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type App, type AppOptions, buildApp, tasksOf } from '#app'
import { makeFirstAdministratorLink } from '#features/sign-in/commands/administrators.ts'
import { findJobs } from '#features/sign-in/post.test.ts'
import { NOBODY } from '#platform/auth/actor.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { axeProblems, findBrowser, openBrowser, overflowing } from '#test/browser.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

const NOW = new Date('2026-05-20T09:30:00Z')
const PASSWORD = 'four green umbrellas'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`setting up an organisation is skipped, ${skip}`)

describe('the first administrator sets up an organisation from nothing', { skip }, () => {
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  for (const width of [360, 1280]) {
    test(`name, group and person, at ${width} pixels`, async () => {
      const house = await openHouse(browser, width)
      try {
        await setUp(house)
      } finally {
        await house.close()
      }
    })
  }
})

type House = Awaited<ReturnType<typeof openHouse>>

async function openHouse(browser: Browser, width: number) {
  const database: TestDatabase = await freshDatabase()
  const db: Database = openDatabase({ url: database.url, timeZone: 'Europe/Berlin' })
  const sent: Mail[] = []
  const config = readConfig({ WORKER: 'off' }, 'try-out')
  const options: AppOptions = {
    ...{
      config,
      databaseUrl: database.url,
      db,
      log: makeLog('silent'),
      keyring: makeKeyring('a key of thirty-two bytes or more'),
    },
    clock: { now: () => NOW },
    mailer: { send: async (mail) => void sent.push(mail), describe: 'a test' },
  }
  const app: App = await buildApp(options)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const contexts: BrowserContext[] = []
  return {
    ...{ db, origin, options, app, sent },
    open: async (): Promise<Page> => {
      const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', locale: 'en' })
      contexts.push(context)
      return context.newPage()
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
      await app.app.close()
      await db.close()
      await database.drop()
    },
  }
}

/** Every page on the way is looked at. */
async function looksRight(page: Page): Promise<void> {
  assert.deepEqual(await axeProblems(page), [], page.url())
  assert.deepEqual(await overflowing(page), [], page.url())
}

async function setUp({ db, origin, options, app, sent, open }: House): Promise<void> {
  const link = await makeFirstAdministratorLink({ db: db.write, actor: NOBODY, now: NOW, site: app.site, requestId: null })
  const page = await open()
  const textOf = async () => (await page.textContent('main'))!
  await page.goto(`${origin}/accounts/first-administrator/${link!.token}/`)
  await page.fill('[name=name]', 'Olga Brandt')
  await page.fill('[name=email]', 'olga@harbour.example')
  await page.fill('[name=password]', PASSWORD)
  await page.fill('[name=password_again]', PASSWORD)
  await page.click('main form button')
  await page.waitForURL(`${origin}/`)

  await page.click('nav:visible a:has-text("Manage")')
  await looksRight(page)
  await page.click('a.place:has-text("Instance")')
  await page.fill('[name=organization_name]', 'Harbour rescue')
  await page.fill('[name=imprint]', 'Harbour rescue, Pier 3')
  await page.fill('[name=minimum_rest_hours]', '11')
  await page.click('button:has-text("Save settings")')
  assert.match(await textOf(), /settings were saved/)
  assert.match((await page.textContent('.brand'))!, /Harbour rescue/)
  await looksRight(page)

  await page.click('.section-nav a:has-text("Groups")')
  await page.click('a:has-text("New group")')
  await page.fill('[name=name]', 'Crew')
  await page.check('[name=bundles][value=planning]')
  await looksRight(page)
  await page.click('button:has-text("Create group")')
  assert.match(await textOf(), /Members of Crew/)

  await page.click('.section-nav a:has-text("People")')
  await looksRight(page)
  await page.click('a:has-text("Add person")')
  await page.fill('[name=name]', 'Nora Note')
  await page.fill('[name=email]', 'nora')
  await page.click('button:has-text("Create and send")')
  // What is wrong is said, what was typed stays.
  assert.match(await textOf(), /not a complete e-mail address/)
  assert.equal(await page.inputValue('[name=name]'), 'Nora Note')
  await looksRight(page)
  await page.fill('[name=email]', 'nora@harbour.example')
  await page.check('label:has-text("Crew") input')
  await page.click('button:has-text("Create and send")')
  assert.match(await textOf(), /Nora Note was added and gets a welcome mail/)
  await looksRight(page)

  const task = tasksOf(options).find(({ name }) => name === 'account_mail')!
  for (const { payload } of await findJobs(db, 'account_mail')) await task.run(payload)
  const path = /(\/accounts\/welcome\/\w+\/)/.exec(sent.find(({ to }) => to === 'nora@harbour.example')!.text)![1]!
  const nora = await open()
  await nora.goto(origin + path)
  await nora.fill('[name=password]', 'seven quiet lamps')
  await nora.fill('[name=password_again]', 'seven quiet lamps')
  await nora.click('main form button')
  await nora.waitForURL(`${origin}/`)
  assert.match((await nora.textContent('main'))!, /Hello Nora/)
  assert.equal(await nora.locator('nav:visible a:has-text("Manage")').count(), 0)
  await nora.click('a:has-text("Imprint")')
  assert.match((await nora.textContent('main'))!, /Pier 3/)
  await looksRight(nora)

  await page.click('.section-nav a:has-text("Log")')
  assert.match(await textOf(), /Olga Brandt added Nora Note.*changed the settings of the instance/s)
  await page.click('summary:has-text("What changed") >> nth=0')
  await looksRight(page)
}
