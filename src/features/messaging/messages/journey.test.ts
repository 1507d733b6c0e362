import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { makeUnsubscribeToken } from '#features/messaging/notifications/queries/unsubscribe-tokens.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`browser tests of messages are skipped, ${skip}`)

type Display = { width: number; colorScheme: 'light' | 'dark'; language: 'en' | 'de'; javaScriptEnabled?: boolean }

describe('messages and rosters in a browser', { skip }, async () => {
  const instance = await openInstance({ hasMail: true })
  const { write } = instance.db
  let browser: Browser
  let eventId = 0

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await write.insertInto('event_type').values({ title: 'Service' }).execute()
    const soon = (hours: number) => new Date(instance.now.getTime() + hours * 3600_000).toISOString()
    const made = await addEvent(
      write,
      {
        title: 'City marathon with a rather long name',
        seenBy: [HELPERS],
        responsible: [PAUL],
        shifts: [
          { label: 'First aid, north', start: soon(48), end: soon(56) },
          { label: 'First aid, south', start: soon(50), end: soon(80) },
        ],
      },
      instance.now,
    )
    eventId = made.id
    await addParticipation(
      write,
      { who: ANN, shift: made.shifts[0]!, state: 1, comments: [{ text: 'vegetarian', level: 2 }] },
      instance.now,
    )
    await addParticipation(write, { who: BEN, shift: made.shifts[1]!, state: 0 }, instance.now)
    await addParticipation(write, { who: { placeholder: 'A neighbour' }, shift: made.shifts[0]!, state: 1 }, instance.now)
  })
  after(() => browser?.close())

  async function visit(person: Person, display: Display, journey: (page: Page) => Promise<void>): Promise<void> {
    const { width, language, ...rest } = display
    await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', person.id).execute()
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...rest })
    const { sessionId } = await instance.browserOf(person)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    try {
      await journey(page)
    } finally {
      await context.close()
    }
    assert.deepEqual(errors, [])
  }
  const check = async (page: Page, path: string) => {
    if (path) await page.goto(`${instance.base}${path}`)
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], path)
  }

  test('a responsible sends a message from a phone after a preview, and the recipient finds it among the notifications', async () => {
    await visit(PAUL, { width: 360, colorScheme: 'light', language: 'en', javaScriptEnabled: false }, async (page) => {
      await page.goto(`${instance.base}/events/${eventId}/message/`)
      await page.check('[name=to][value=requested]')
      await page.fill('[name=subject]', 'Bring a raincoat')
      await page.fill('[name=text]', 'It will **rain**.')
      await page.click('button[value=preview]')
      await page.waitForLoadState()
      assert.match(await page.innerText('main'), /To 2 people/)
      assert.match(await page.innerText('main'), /A neighbour \(only a name, no account\)/)
      assert.equal(await page.innerText('main strong'), 'rain')
      await page.click('button[value=send]')
      await page.waitForLoadState()
      assert.match(await page.innerText('#flashes'), /on its way to 2 people/)
    })
    await visit(ANN, { width: 360, colorScheme: 'light', language: 'en', javaScriptEnabled: false }, async (page) => {
      await page.goto(instance.base)
      await page.click('a.bell')
      await page.waitForLoadState()
      assert.match(await page.innerText('.inbox'), /Bring a raincoat/)
      await page.click('form[action="/notifications/read/"] button')
      await page.waitForLoadState()
      assert.equal(await page.locator('.bell-count').count(), 0)
    })
  })

  test('the printed roster has no menus and is black on white in dark mode, too', async () => {
    await visit(PAUL, { width: 1280, colorScheme: 'dark', language: 'en' }, async (page) => {
      await page.goto(`${instance.base}/events/${eventId}/roster/?sheet=1`)
      assert.ok(await page.isVisible('[data-print]'))
      await page.emulateMedia({ media: 'print' })
      for (const gone of ['.top-bar', '.roster-options', '[data-print]', '.site-foot'])
        assert.equal(await page.locator(gone).first().isVisible(), false, gone)
      assert.ok(await page.isVisible('.roster-sign'))
      const colours = await page.evaluate(() => {
        const { color } = getComputedStyle(document.querySelector('.roster tbody th')!)
        return [color, getComputedStyle(document.body).backgroundColor]
      })
      assert.deepEqual(colours, ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    })
  })

  const DISPLAYS: Display[] = [
    { width: 360, colorScheme: 'dark', language: 'de' },
    { width: 1280, colorScheme: 'light', language: 'en' },
  ]
  for (const display of chooseVariants(DISPLAYS, 1)) {
    test(`all pages are accessible and do not overflow at ${display.width} px, ${display.colorScheme}, ${display.language}`, async () => {
      await visit(PAUL, display, async (page) => {
        await check(page, `/events/${eventId}/roster/?sheet=1`)
        await check(page, `/events/${eventId}/message/`)
        await page.click('.single-people summary')
        await check(page, '')
        await page.fill('[name=subject]', 'x')
        await page.fill('[name=text]', 'y')
        await page.click('button[value=preview]')
        await page.waitForSelector('button[value=send]')
        await check(page, '')
        await check(page, '/settings/notifications/')
      })
      await visit(ANN, display, async (page) => {
        await check(page, '/notifications/')
        const token = makeUnsubscribeToken(makeKeyring('k'.repeat(32)), { userId: ANN.id, kinds: ['reminder'] })
        await check(page, `/notifications/off/${token}/`)
      })
    })
  }
})
