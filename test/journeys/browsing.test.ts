import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { eventsOf, parseIcal, textOf } from '#test/support/ical.ts'
import type { Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`finding events in a browser is skipped, ${skip}`)

describe('finding events in a browser', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  let ann: Person
  let paul: Person

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    ann = await getDemoPerson(db, 'ann')
    paul = await getDemoPerson(db, 'paul')
  })

  after(() => close?.())

  async function visit(width: number, colorScheme: 'light' | 'dark', journey: (page: Page) => Promise<void>): Promise<void> {
    const entered = await enterAs('ann', { browser, origin, look: { viewport: { width, height: 740 }, colorScheme } })
    await journey(entered.page)
    await entered.close()
  }
  async function check(page: Page): Promise<void> {
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })
  /** Whether the page was reloaded since the last call. */
  const isSamePage = (page: Page) =>
    page.evaluate(() => {
      const was = 'mark' in window
      Object.assign(window, { mark: true })
      return was
    })

  const LOOKS = [
    [360, 'light'],
    [1280, 'dark'],
  ] as const
  for (const [width, scheme] of chooseVariants(LOOKS, 1))
    test(`filters, opens the calendar, signs up without a reload, undoes it, and sees others sign up: ${width}`, async () => {
      const title = `Lantern walk ${width}`
      const shift = {
        label: 'Stalls',
        start: '2026-05-28T16:00:00+02:00',
        end: '2026-05-28T20:00:00+02:00',
        flow: 'instant_confirmation',
        flowConfiguration: { user_can_decline_confirmed: true },
        stats: { missing: 2, free: 3, min: 2, max: 3 },
        configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 3 },
      }
      const { id, shifts } = await addEvent(db.write, { title, seenBy: [ann, paul], shifts: [shift] }, NOW)
      await visit(width, scheme, async (page) => {
        await page.goto(`${origin}/events/`)
        await check(page)
        await page.getByText('Filter', { exact: true }).click()
        await page.getByLabel('Search', { exact: true }).first().fill('lantern')
        await page.getByLabel('Fits me').check()
        await page.getByLabel('From').fill('2026-05-25')
        await check(page)
        await button(page, 'Show').click()
        await page.waitForURL(/\/events\/\?q=lantern&fits=1&from=2026-05-25$/)
        await page.getByText('Filter: “lantern” · Fits me · from 25 May 2026').waitFor()
        await check(page)
        assert.equal(await link(page, title).count(), 1)
        await page.goto(`${origin}/shifts/`)
        await page.getByText('Filter', { exact: true }).click()
        await check(page)
        await page.getByLabel('Search', { exact: true }).first().fill('lantern')
        await page.keyboard.press('Enter')
        await page.getByText('Filter: “lantern”').waitFor()
        await check(page)
        await button(page, new RegExp(`^Sign up: ${title}`)).press('Enter')
        await page.locator('.answered').getByText('You’re in').waitFor()
        // The filters are kept.
        assert.equal(await page.getByText('Filter: “lantern”').count(), 1)
        assert.match(await page.locator('.answered').innerText(), /Undo/)
        await check(page)
        await page.locator('.answered').getByRole('button', { name: /Undo/ }).press('Enter')
        await button(page, new RegExp(`^Sign up: ${title}`)).waitFor()
        await page.goto(`${origin}/events/calendar/?q=lantern&fits=1`)
        await check(page)
        await link(page, new RegExp(`${title} ?, Stalls`)).click()
        await page.waitForURL(new RegExp(`/events/${id}-.*#shift-${shifts[0]}$`))
        await check(page)

        const card = page.locator(`#shift-${shifts[0]}`)
        await isSamePage(page)
        await button(page, /^Sign up: Stalls/).focus()
        await page.keyboard.press('Enter')
        await page.getByText(`You are confirmed for ${title}, Stalls.`).waitFor()
        assert.equal(await isSamePage(page), true)
        assert.match((await card.textContent())!, /You’re in/)
        // The focus is on the control that replaced the pressed one.
        assert.equal(await page.evaluate((shiftId) => !!document.activeElement?.closest(`#row-${shiftId}`), shifts[0]), true)
        await check(page)
        await button(page, 'Undo').first().click()
        await page.getByText(`Undone. Your answer for ${title}, Stalls is as it was before`, { exact: false }).waitFor()
        assert.equal(await isSamePage(page), true)
        assert.match((await card.textContent())!, /3 places left/)
        assert.doesNotMatch((await card.textContent())!, /You (declined|’re in)/)

        await addParticipation(db.write, { who: paul, shift: shifts[0]!, state: 1 }, NOW)
        const [looked] = await Promise.all([
          page.waitForResponse((response) => response.request().headers()['hx-target'] === 'div#page'),
          page.evaluate('pollPage()'),
        ])
        assert.equal(looked.status(), 200)
        await card.getByText(paul.name).waitFor({ state: 'attached' })
        // The message stays until it is dismissed.
        assert.equal(await page.getByText(`Undone. Your answer for ${title}, Stalls`, { exact: false }).count(), 1)
        const [again] = await Promise.all([
          page.waitForResponse((response) => response.request().headers()['hx-target'] === 'div#page'),
          page.evaluate('pollPage()'),
        ])
        assert.equal(again.status(), 304)
        assert.equal(await isSamePage(page), true)
        await check(page)
      })
    })

  test('on phones the calendar begins today, and the pages of the account are a list', async () => {
    await visit(360, 'light', async (page) => {
      await page.goto(`${origin}/events/calendar/`)
      const past = page.locator('.day.over:not(.bare-day)')
      assert.ok((await past.count()) > 0, 'the demo has shifts earlier this month')
      assert.equal(await page.locator('.day.over:visible').count(), 0)
      await link(page, 'Show earlier days').click()
      assert.equal(await page.locator('.day.over:visible').count(), await past.count())
      await check(page)
      await page.goto(`${origin}/settings/security/`)
      assert.equal(await page.locator('.tabs').isVisible(), false)
      await page.locator('.settings-list > summary').click()
      await check(page)
      await page.locator('.settings-list').getByRole('link', { name: 'Notifications' }).click()
      await page.waitForURL('**/settings/notifications/')
    })
  })

  test('subscribes to the personal calendar, and replaces its URL', async () => {
    await visit(360, 'light', async (page) => {
      await page.goto(`${origin}/settings/calendar/`)
      await check(page)
      await button(page, 'Create calendar feed').click()
      const field = page.getByLabel('Your secret address')
      await field.waitFor()
      await check(page)
      const first = await field.inputValue()
      // The URL uses SITE_URL, which differs from the address of the test server.
      const local = (address: string) => origin + new URL(address).pathname
      const feed = parseIcal(await (await fetch(local(first))).text())
      assert.ok(eventsOf(feed).every((event) => textOf(event, 'STATUS')))
      await link(page, 'Create new address…').click()
      await check(page)
      await button(page, 'Create new address').click()
      await page.getByText('The old address no longer works.').waitFor()
      assert.notEqual(await field.inputValue(), first)
      assert.deepEqual([(await fetch(local(first))).status, (await fetch(local(await field.inputValue()))).status], [404, 200])
    })
  })
})
