import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`input before the scripts arrive is skipped, ${skip}`)

/** A slow phone shows the page long before its scripts have arrived. */
describe('what is chosen before the scripts of a page have arrived', { skip }, async () => {
  const instance = await openInstance()
  const { write } = instance.db
  let browser: Browser
  let context: BrowserContext
  let eventType: number

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    const { id } = await write.insertInto('event_type').values({ title: 'Service' }).returning('id').executeTakeFirstOrThrow()
    eventType = id
    context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    const { sessionId } = await instance.browserOf(OLGA)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
  })
  after(() => browser?.close())

  /** Opens a page whose script arrives when `arrive` is called. */
  async function openWithout(script: string, path: string): Promise<{ page: Page; arrive: () => void }> {
    const page = await context.newPage()
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(new RegExp(`/assets/${script}\\.[\\w-]+\\.js`), async (route) => {
      await promise
      await route.continue()
    })
    await page.goto(instance.base + path, { waitUntil: 'commit' })
    return { page, arrive: resolve }
  }

  const addRequest = async () => {
    const start = new Date(instance.now.getTime() + 48 * 3600_000).toISOString()
    const event = { title: 'Harbour fair', seenBy: [HELPERS], responsible: [OLGA], shifts: [{ start }] }
    const { shifts } = await addEvent(write, event, instance.now)
    await addParticipation(write, { who: ANN, shift: shifts[0]!, state: 0 }, instance.now)
    return shifts[0]!
  }
  const stateOn = async (shift: number) =>
    (await write.selectFrom('participation').select('state').where('shift_id', '=', shift).executeTakeFirstOrThrow()).state

  for (const script of ['board', 'app'])
    test(`counts on a board, if ${script}.js is late`, async () => {
      const shift = await addRequest()
      const { page, arrive } = await openWithout(script, `/shifts/${shift}/disposition/`)
      await page.locator(`#card-local-${ANN.id} select`).selectOption('1')
      arrive()
      await page.locator(`#confirmed #card-local-${ANN.id}`).waitFor({ state: 'attached' })
      await page.locator('[data-save]', { hasText: 'Save 1 change' }).tap()
      await page.locator('[data-flash] p', { hasText: '1 change saved' }).waitFor()
      assert.equal(await stateOn(shift), 1)
      await page.close()
    })

  test('counts in the preview of an event', async () => {
    const { page, arrive } = await openWithout('planning', `/events/new/?type=${eventType}`)
    await page.fill('[name=s0-date]', '2031-06-14')
    await page.fill('[name=s0-start]', '08:00')
    await page.fill('[name=s0-end]', '13:00')
    await page.fill('[name=s0-min]', '7')
    arrive()
    await page.locator('#plan-preview', { hasText: '7 missing' }).waitFor()
    await page.close()
  })

  test('is asked about before the page is left', async () => {
    const { page, arrive } = await openWithout('app', `/events/new/?type=${eventType}`)
    await page.fill('[name=title]', 'Harbour fair')
    arrive()
    await page.waitForLoadState()
    // The page repeats early input in a timeout of its own.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    assert.equal((await asked).type(), 'beforeunload')
    await (await asked).accept()
    await closing
  })

  test('is handled once if the scripts are there', async () => {
    const shift = await addRequest()
    const page = await context.newPage()
    await page.addInitScript(() => {
      const counted = window as unknown as { changes: number }
      counted.changes = 0
      document.addEventListener('change', () => counted.changes++)
    })
    await page.goto(`${instance.base}/shifts/${shift}/disposition/`)
    await page.locator(`#card-local-${ANN.id} select`).selectOption('1')
    await page.locator('[data-save]', { hasText: 'Save 1 change' }).waitFor()
    assert.equal(await page.evaluate(() => (window as unknown as { changes: number }).changes), 1)
    await page.close()
  })
})
