import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, HELPERS, OLGA, type Person } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of hours, pages and resources are skipped, ${skip}`)

describe('hours, pages and resources on a phone', { skip }, async () => {
  const instance = await openInstance()
  const { base, db } = instance
  let browser: Browser
  let olga: Page
  let ann: Page
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    olga = await openAs(OLGA)
    ann = await openAs(ANN)
    await db.write.insertInto('event_type').values({ id: 1, title: 'Service', color: '#336699' }).execute()
  })
  after(() => browser?.close())

  async function openAs(person: Person): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const { sessionId } = await instance.browserOf(person)
    await context.addCookies([{ name: cookieNames(base).session, value: sessionId, url: base }])
    return context.newPage()
  }
  const open = async (page: Page, path: string) => {
    await page.goto(`${base}${path}`)
    assert.deepEqual(await overflowing(page), [], path)
  }
  /** Sends the form of the page and waits for the message. */
  async function submit(page: Page): Promise<string> {
    await page.click('main form button.primary')
    await page.waitForSelector('.flash')
    return page.innerText('.flash')
  }

  test('a volunteer requests hours, an administrator approves them from home, and they count', async () => {
    await open(ann, '/my-shifts/')
    await ann.getByRole('link', { name: 'Request hours' }).click()
    await ann.fill('[name=hours]', 'many')
    await ann.fill('[name=reason]', 'Cleaned the pumps')
    await ann.click('main form button.primary')
    await ann.waitForSelector('.field-error')
    assert.equal(await ann.inputValue('[name=reason]'), 'Cleaned the pumps')
    await ann.fill('[name=hours]', '2.5')
    assert.match(await submit(ann), /Your request was sent/)
    await open(olga, '/')
    await olga.getByRole('link', { name: /^Requests to decide/ }).click()
    await olga.getByRole('button', { name: /^Approve the request of/ }).click()
    await olga.waitForSelector('.flash')
    await open(ann, '/my-shifts/')
    assert.match(await readMain(ann), /2\.5 hours this year[\s\S]*Cleaned the pumps/)
  })

  test('a page for everybody is linked below every page', async () => {
    await open(olga, '/manage/pages/new/')
    await olga.fill('[name=title]', 'House rules')
    await olga.fill('[name=content]', '## Keys\n\n- Return them')
    await olga.check('[name=is_public]')
    await olga.check('[name=in_footer]')
    assert.match(await submit(olga), /House rules was created/)
    await open(ann, '/')
    await ann.locator('.foot-links').getByRole('link', { name: 'House rules' }).click()
    await ann.waitForURL(/\/pages\/house-rules\//)
    assert.match(await readMain(ann), /Keys[\s\S]*Return them/)
  })

  test('a vehicle in two shifts at the same time is pointed out', async () => {
    const day = { start: '2031-06-01T08:00:00+02:00', end: '2031-06-01T12:00:00+02:00' }
    const plan = (title: string) =>
      addEvent(db.write, { title, seenBy: [HELPERS], responsible: [OLGA], shifts: [day] }, instance.now)
    const events = [await plan('Fair'), await plan('Run')]
    await open(olga, '/manage/resources/categories/new/')
    await olga.fill('[name=name]', 'Vehicles')
    await submit(olga)
    await open(olga, '/manage/resources/new/')
    await olga.fill('[name=title]', 'Van 1')
    await olga.selectOption('[name=category]', { label: 'Vehicles' })
    await submit(olga)
    for (const { shifts } of events) {
      await open(olga, `/shifts/${shifts[0]}/resources/`)
      await olga.getByLabel('Van 1').check()
      await submit(olga)
    }
    await open(olga, `/events/${events[1]!.id}/`)
    assert.match(await readMain(olga), /Also used elsewhere at this time: Van 1/)
    await open(olga, '/manage/resources/week/?from=2031-05-26')
    assert.match(await readMain(olga), /used twice/)
  })
})
