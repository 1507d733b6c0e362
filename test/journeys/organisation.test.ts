import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type App, buildApp } from '#app'
import { createFirstAdministratorLink } from '#features/access/sign-in/commands/administrators.ts'
import { SEND_TASK } from '#features/messaging/notifications/schema.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { tasksOf } from '#platform/features/compose.ts'
import { JOURNAL_TASK } from '#platform/journal/journal.ts'
import { makeLog } from '#platform/log.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { freshDatabase, openTestDatabase, PATIENT, type TestDatabase } from '#test/support/database.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { makeRuntime } from '../../src/app-options.ts'

const NOW = new Date('2026-05-20T09:30:00Z')
const PASSWORD = 'four green umbrellas'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`setting up an organisation is skipped, ${skip}`)

describe('the first administrator sets up an organisation', { skip }, () => {
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  for (const width of chooseVariants([360, 1280], 1)) {
    test(`sets the name, adds a group and a user, plans an event and confirms a sign-up, at ${width} pixels`, async () => {
      const testApp = await openTestApp(browser, width)
      try {
        const people = await setUp(testApp)
        const address = await planEvent(testApp, people.olga)
        await dispatch(testApp, people, { address, isByTouch: width < 500 })
      } finally {
        await testApp.close()
      }
    })
  }
})

type TestApp = Awaited<ReturnType<typeof openTestApp>>
type People = { olga: Page; nora: Page }
type Where = { address: string; isByTouch: boolean }

async function openTestApp(browser: Browser, width: number) {
  const database: TestDatabase = await freshDatabase()
  const db: Database = openTestDatabase({ url: database.url })
  const sent: Mail[] = []
  const config = readConfig({ WORKER: 'off', MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'turnout@harbour.example' }, 'try-out')
  const options: AppOptions = {
    config,
    databaseUrl: database.url,
    db,
    log: makeLog('silent'),
    keyring: makeKeyring('a key of thirty-two bytes or more'),
    clock: { now: () => NOW },
    mailer: { send: async (mail) => void sent.push(mail), describe: 'a test' },
    clientTimeouts: PATIENT,
  }
  const app: App = await buildApp(options)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const contexts: BrowserContext[] = []
  return {
    db,
    origin,
    app,
    sent,
    /** Runs all queued jobs as the worker would: first the journal reader, then the mails. */
    deliver: async () => {
      for (const name of [JOURNAL_TASK, 'account_mail', SEND_TASK]) {
        const task = tasksOf(makeRuntime(options)).find((one) => one.name === name)!
        // As if the time had passed in which the action can be undone.
        if (name === SEND_TASK)
          await db.write.updateTable('notification').set({ next_attempt_at: NOW }).where('attempts', '=', 0).execute()
        for (const { id, payload } of await findJobs(db, name)) {
          await task.run(payload)
          await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db.write)
        }
      }
    },
    open: async (): Promise<Page> => {
      const look = { viewport: { width, height: 740 }, hasTouch: width < 500, isMobile: width < 500 }
      const context = await browser.newContext({ ...look, reducedMotion: 'reduce', locale: 'en' })
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

/** Called for every page of the journey. */
async function looksRight(page: Page): Promise<void> {
  await page.waitForLoadState()
  assert.deepEqual(await axeProblems(page), [], page.url())
  assert.deepEqual(await overflowing(page), [], page.url())
}

async function setUp({ db, origin, app, sent, open, deliver }: TestApp): Promise<People> {
  const link = await createFirstAdministratorLink({ db: db.write, actor: ANONYMOUS, now: NOW, site: app.site, requestId: null })
  const page = await open()
  const textOf = () => readMain(page)
  await page.goto(`${origin}/accounts/first-administrator/${link!.token}/`)
  await page.fill('[name=name]', 'Olga Brandt')
  await page.fill('[name=email]', 'olga@harbour.example')
  await page.fill('[name=password]', PASSWORD)
  await page.fill('[name=password_again]', PASSWORD)
  await page.click('main form button')
  await page.waitForURL(`${origin}/`)

  const more = page.locator('.bottom-bar .more > summary')
  if (await more.isVisible()) await more.click()
  await page.click('nav:visible a:has-text("Manage")')
  await looksRight(page)
  await page.click('a.place[href="/manage/instance/"]')
  await page.fill('[name=organization_name]', 'Harbour rescue')
  await page.fill('[name=imprint]', 'Harbour rescue, Pier 3')
  await page.fill('[name=individual_times_tolerance_minutes]', '15')
  await page.click('button:has-text("Save settings")')
  assert.match(await textOf(), /settings were saved/)
  assert.match((await page.textContent('.brand'))!, /Harbour rescue/)
  await looksRight(page)

  await openArea(page, 'Groups')
  await page.click('a:has-text("New group")')
  await page.fill('[name=name]', 'Crew')
  await page.check('[name=bundles][value=planning]')
  await looksRight(page)
  await page.click('button:has-text("Create group")')
  assert.match(await textOf(), /Members of Crew/)

  await openArea(page, 'People')
  await looksRight(page)
  await page.click('a:has-text("Add person")')
  await page.fill('[name=name]', 'Nora Note')
  await page.fill('[name=email]', 'nora')
  await page.click('button:has-text("Add and send welcome")')
  // The form shows the error and keeps the input.
  assert.match(await textOf(), /enter a complete email address/)
  assert.equal(await page.inputValue('[name=name]'), 'Nora Note')
  await looksRight(page)
  await page.fill('[name=email]', 'nora@harbour.example')
  await page.check('label:has-text("Crew") input')
  await page.click('button:has-text("Add and send welcome")')
  assert.match(await textOf(), /Nora Note was added and gets a welcome email/)
  await looksRight(page)

  await deliver()
  const path = /(\/accounts\/welcome\/\w+\/)/.exec(sent.find(({ to }) => to === 'nora@harbour.example')!.text)![1]!
  const nora = await open()
  await nora.goto(origin + path)
  await nora.fill('[name=password]', 'seven quiet lamps')
  await nora.fill('[name=password_again]', 'seven quiet lamps')
  await nora.click('main form button')
  await nora.waitForURL(`${origin}/`)
  assert.match(await readMain(nora), /Hello Nora/)
  assert.equal(await nora.locator('nav:visible a:has-text("Manage")').count(), 0)
  await nora.click('a:has-text("Imprint")')
  assert.match(await readMain(nora), /Pier 3/)
  await looksRight(nora)

  await openArea(page, 'Log')
  assert.match(await textOf(), /Olga Brandt added Nora Note.*changed the settings of this instance/s)
  await page.click('summary:has-text("Changes") >> nth=0')
  await looksRight(page)
  return { olga: page, nora }
}

/** A qualification that Nora holds, a type of events, and an event with three shifts. */
async function planEvent({ origin }: TestApp, page: Page): Promise<string> {
  const saved = (text: string) => page.locator('[data-flash], .flash').getByText(text).first().waitFor()
  await openArea(page, 'Qualifications')
  await page.click('a:has-text("New category")')
  await page.fill('[name=title]', 'Medical')
  await page.click('button:has-text("Create category")')
  await page.click('a:has-text("New qualification")')
  await page.fill('[name=title]', 'First aid')
  await page.click('button:has-text("Create qualification")')
  await saved('First aid was created.')
  await openArea(page, 'People')
  await page.click('a:has-text("Nora Note")')
  await page.click('summary:has-text("Add a qualification")')
  await page.selectOption('select[name=qualification]', { label: 'First aid · Medical' })
  await page.click('button:has-text("Add qualification")')
  await saved('First aid was recorded.')

  await openArea(page, 'Event types')
  await page.click('a:has-text("New event type")')
  await page.fill('[name=title]', 'Fair')
  await page.click('button:has-text("Create event type")')
  await saved('Fair is created.')
  // An administrator needs no further permission for the other steps.
  await openArea(page, 'Building blocks')
  await looksRight(page)

  await page.goto(`${origin}/events/`)
  await looksRight(page)
  await page.click('a:has-text("New event")')
  if (await page.locator('.plan-type').count()) await page.locator('.plan-type').first().click()
  await page.getByLabel('Title').fill('Harbour fair')
  await page.getByLabel('Place').fill('Pier 3')
  await page.fill('[name=s0-date]', '2026-06-14')
  await page.fill('[name=s0-start]', '08:00')
  await page.fill('[name=s0-end]', '13:00')
  for (const next of ['s1', 's2']) {
    await page.getByRole('button', { name: 'Add another shift' }).click()
    await page.locator(`[name=${next}-date]`).waitFor()
    await page.fill(`[name=${next}-end]`, next === 's1' ? '18:00' : '23:00')
  }
  await page.getByRole('button', { name: 'Publish event' }).click()
  await page.getByText('Harbour fair is published.').waitFor()
  assert.equal(await page.locator('.shift-card').count(), 3)
  await looksRight(page)
  return page.url()
}

/** Nora signs up, Olga decides on the board, and each gets a mail about the other's action. */
async function dispatch(
  { sent, deliver, origin }: TestApp,
  { olga, nora }: People,
  { address, isByTouch }: Where,
): Promise<void> {
  const mailsTo = (who: string) => sent.filter(({ to }) => to === `${who}@harbour.example`).map(({ subject }) => subject)
  await nora.goto(`${origin}/`)
  await looksRight(nora)
  await nora.goto(address)
  await nora
    .locator('.shift-card')
    .first()
    .getByRole('button', { name: /^Sign up/ })
    .click()
  await nora.locator('.shift-card').first().getByText('Requested', { exact: true }).first().waitFor()
  await deliver()
  assert.deepEqual(mailsTo('olga'), ['Nora Note wants to take part: Harbour fair'])

  await olga.goto(address)
  await olga.locator('.shift-card').first().locator('a[href$="/disposition/"]').click()
  const card = olga.locator('#requested [id^=card-local-]').first()
  const save = olga.locator('[data-save]')
  if (isByTouch) {
    await card.locator('select').selectOption('1')
  } else {
    await card.focus()
    await olga.keyboard.press('ArrowRight')
  }
  await olga.locator('#confirmed [id^=card-local-]').first().waitFor({ state: 'attached' })
  await olga.locator('[data-save]', { hasText: 'Save 1 change' }).waitFor()
  if (isByTouch) await save.tap()
  else {
    await save.focus()
    await olga.keyboard.press('Enter')
  }
  await olga.locator('[data-flash] p', { hasText: '1 change saved' }).waitFor()
  await looksRight(olga)
  await deliver()
  assert.deepEqual(mailsTo('nora').slice(-1), ['You are confirmed: Harbour fair'])
  assert.deepEqual(mailsTo('olga').length, 1, 'users get no mail about their own actions')
  await nora.reload()
  await nora.locator('.shift-card').first().getByText('You’re in', { exact: true }).first().waitFor()
  await looksRight(nora)
}

/** Opens a management area by its tab, or by its card if it belongs to another group. */
async function openArea(page: Page, name: string): Promise<void> {
  const tab = page.locator('.section-nav a', { hasText: name })
  if ((await tab.count()) > 0) return tab.first().click()
  await page.goto(new URL('/manage/', page.url()).href)
  await page.locator('.places a', { hasText: name }).first().click()
}
