import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser, readMain } from '#test/support/browser.ts'
import { openDemoInstance, PASSWORDS } from '#test/support/demo-instance.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the first look is skipped, ${skip}`)

type Look = { width: number; colorScheme: 'light' | 'dark'; javaScriptEnabled?: boolean }

describe('the demo data in a browser', { skip }, () => {
  let browser: Browser
  let origin: string
  let close: () => Promise<void>

  before(async () => {
    ;({ browser, origin, close } = await openDemoInstance())
  })

  after(() => close?.())

  /** Signs in with the form; errors that the browser logs fail the test. */
  async function visit(who: keyof typeof PASSWORDS, look: Look, journey: (page: Page) => Promise<void>): Promise<void> {
    const { width, ...rest } = look
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...rest })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${origin}/`)
    await page.fill('[name=email]', `${who}@demo.example`)
    await page.fill('[name=password]', PASSWORDS[who])
    await page.click('main form button')
    await page.waitForURL(`${origin}/`)
    await journey(page)
    assert.deepEqual(problems, [])
    await context.close()
  }

  const heading = (page: Page) => page.textContent('h1')
  /** Clicks and waits for the other URL. */
  async function follow(page: Page, target: Locator): Promise<void> {
    const before = page.url()
    await target.click()
    await page.waitForURL(({ href }) => href !== before)
  }
  const open = (page: Page, title: string) => follow(page, page.locator('.event-title', { hasText: title }).last())
  /** The bottom bar on phones, the top bar on other devices. */
  const goTo = (page: Page, label: string) => follow(page, page.locator('nav a:visible', { hasText: label }).first())

  /** The list of events is below the shifts that can be taken. */
  async function goToEvents(page: Page): Promise<void> {
    if ((await heading(page)) !== 'Find shifts') await goTo(page, 'Find shifts')
    await follow(page, page.locator('main').getByRole('link', { name: 'All events' }))
  }

  async function check(page: Page): Promise<void> {
    const where = new URL(page.url()).pathname
    const { width } = page.viewportSize()!
    const looks = (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme }))
    assert.deepEqual(await pageProblems(page, looks), [], where)
  }

  for (const width of chooseVariants([360, 1280], 0)) {
    test(`Ann uses the main pages at ${width} px, light and dark`, async () => {
      await visit('ann', { width, colorScheme: 'light' }, async (page) => {
        assert.equal(await heading(page), 'Hello Ann')
        assert.match(await readMain(page), /Next shift.*Waiting for your answer.*You could help here.*All events/s)
        await check(page)
        await goTo(page, 'Find shifts')
        assert.equal(await heading(page), 'Find shifts')
        await check(page)
        await goToEvents(page)
        assert.equal(await heading(page), 'Events')
        await check(page)
        await open(page, 'Open Air')
        assert.match((await heading(page))!, /^Open Air/)
        assert.match(await readMain(page), /Konzert.*You’re in.*Ann Becker/s)
        await check(page)
        await goToEvents(page)
        await open(page, 'Nordlicht')
        await page.click('main summary:has-text("more")')
        await check(page)
        for (const path of ['/events/?when=past', '/events/?q=nothing+like+this']) {
          await page.goto(origin + path)
          await check(page)
        }
      })
    })
  }

  test('Paul sees his open tasks in German', async () => {
    await visit('paul', { width: 360, colorScheme: 'light' }, async (page) => {
      assert.equal(await heading(page), 'Hallo Paul')
      assert.match(await readMain(page), /Anfragen für Schichten/s)
      await check(page)
    })
  })

  test('hidden names are shown as a count', async () => {
    await visit('ann', { width: 360, colorScheme: 'light' }, async (page) => {
      await goToEvents(page)
      await open(page, 'Bereitschaft')
      assert.match(await readMain(page), /\d people.*Only the people who plan this event can see names\./s)
      await check(page)
    })
  })

  test('a cancelled event shows that it is cancelled, and the reason', async () => {
    await visit('ann', { width: 360, colorScheme: 'dark' }, async (page) => {
      await page.goto(`${origin}/events/?q=Stadtmarkt`)
      await open(page, 'Stadtmarkt')
      assert.match((await page.textContent('.notice'))!, /This event is cancelled\..*Bauarbeiten/s)
      assert.doesNotMatch(await readMain(page), /not decided|Requested|You’re in|Sign up/)
      await check(page)
    })
  })

  test('everything works without scripts', async () => {
    await visit('ann', { width: 360, colorScheme: 'light', javaScriptEnabled: false }, async (page) => {
      assert.equal(await heading(page), 'Hello Ann')
      await goToEvents(page)
      await page.locator('.finder summary').click()
      await page.fill('[name=q]', 'nordlicht')
      await follow(page, page.locator('.filters button'))
      assert.equal(new URL(page.url()).searchParams.get('q'), 'nordlicht')
      await open(page, 'Nordlicht')
      await page.locator('.shift-more > summary').last().click()
      const people = page.locator('.shift-more .more-people').last()
      assert.equal(await people.locator('li').first().isVisible(), false)
      await people.locator('summary').click()
      assert.ok(await people.locator('li').first().isVisible())
      await goTo(page, 'Home')
      assert.equal(await heading(page), 'Hello Ann')
    })
  })
})
