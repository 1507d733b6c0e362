import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { findBrowser } from '#test/support/browser.ts'
import { enterAs, openDemoInstance } from '#test/support/demo-instance.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`targets are skipped, ${skip}`)

/** Pages of people who take part. */
const PATHS = [
  '/',
  '/shifts/',
  '/my-shifts/',
  '/events/calendar/',
  '/events/20/',
  '/notifications/',
  '/settings/',
  '/settings/profile/',
  '/settings/notifications/',
]

/** Controls that are less than 44 px high and have another control within the 44 px around their middle. Links inside of sentences do not count (WCAG 2.5.8). */
const findSmall = (page: Page, least: number): Promise<string[]> =>
  page.evaluate((high) => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, summary, input:not([type=hidden]), select, textarea'),
    ]
    const shown = controls
      .filter((control) => control.checkVisibility() && !control.closest('.sr-only, .skip-link'))
      .map((control) => ({ control, box: (control.closest('label') ?? control).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1)
    const isInSentence = (control: HTMLElement) =>
      getComputedStyle(control).display === 'inline' &&
      (control.parentElement?.innerText.length ?? 0) > control.innerText.length + 10
    // Bars that stay in place cover what scrolls below them.
    const barOf = (control: HTMLElement) => {
      for (let each: HTMLElement | null = control; each; each = each.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(each).position)) return each
      return null
    }
    const nameOf = (control: HTMLElement) =>
      control.innerText.trim() || control.getAttribute('name') || control.outerHTML.slice(0, 80)
    return shown.flatMap(({ control, box }) => {
      if (Math.round(box.height) >= high || isInSentence(control)) return []
      const middle = box.top + box.height / 2
      const near = shown.find(
        (other) =>
          barOf(other.control) === barOf(control) &&
          !control.contains(other.control) &&
          !other.control.contains(control) &&
          other.box.left < box.right &&
          box.left < other.box.right &&
          other.box.top < middle + high / 2 - 1 &&
          middle - high / 2 + 1 < other.box.bottom,
      )
      return near ? [`${nameOf(control)}: ${Math.round(box.height)} px, near ${nameOf(near.control)}`] : []
    })
  }, least)

describe('controls on a phone can be hit', { skip }, () => {
  let browser: Browser
  let origin: string
  let db: Database
  let close: () => Promise<void>
  before(async () => {
    ;({ browser, origin, db, close } = await openDemoInstance({ hasMail: true }))
  })
  after(() => close?.())

  for (const path of PATHS)
    test(path, async () => {
      const { page, close: leave } = await enterAs('ann', {
        browser,
        origin,
        look: { viewport: { width: 360, height: 740 }, hasTouch: true },
      })
      await page.goto(origin + path)
      assert.deepEqual(await findSmall(page, 44), [])
      await leave()
    })

  test('the bar at the top has room for the name of the site and the account beside seven German entries', async () => {
    await db.write
      .updateTable('user_profile')
      .set({ preferred_language: 'de' })
      .where('email', '=', 'olga@demo.example')
      .execute()
    const { page, close: leave } = await enterAs('olga', { browser, origin, look: { viewport: { width: 1280, height: 800 } } })
    const name = await page.locator('.top-bar .brand span').evaluate(({ scrollHeight, clientHeight, textContent }) => ({
      textContent,
      isWhole: scrollHeight <= clientHeight,
    }))
    assert.deepEqual(name, { textContent: 'Feuerwehr Ahrensmünde', isWhole: true })
    assert.equal(await page.locator('.top-nav a').count(), 7)
    for (const width of [1280, 1024, 768]) {
      await page.setViewportSize({ width, height: 800 })
      const right = await page.locator('.top-bar .person').evaluate((person) => person.getBoundingClientRect().right)
      assert.ok(right <= width, `at ${width} px the account ends at ${right}`)
    }
    await leave()
  })

  test('undo stays while it has the focus', async () => {
    const { page, close: leave } = await enterAs('ann', { browser, origin, look: { viewport: { width: 1280, height: 800 } } })
    await page.clock.install()
    await page.goto(`${origin}/`)
    const show = () =>
      page.evaluate(() => {
        document.getElementById('flashes')!.innerHTML =
          '<div class="flash tone-good" data-flash><form data-undo data-seconds="60"><button type="button">Undo</button></form></div>'
        document.dispatchEvent(new CustomEvent('toast-shown'))
      })
    const undo = page.locator('#flashes form button')
    await show()
    await page.clock.runFor(61_000)
    assert.equal(await undo.count(), 0)
    await show()
    await undo.focus()
    await page.clock.runFor(61_000)
    assert.equal(await undo.count(), 1)
    await page.keyboard.press('Tab')
    assert.equal(await undo.count(), 0)
    await leave()
  })

  test('a page with small links beside each other is found', async () => {
    const { page, close: leave } = await enterAs('ann', {
      browser,
      origin,
      look: { viewport: { width: 360, height: 740 }, hasTouch: true },
    })
    await page.goto(`${origin}/`)
    await page.evaluate(() => {
      document
        .querySelector('main')!
        .insertAdjacentHTML('afterbegin', '<ul><li><a href="/">One</a></li><li><a href="/">Two</a></li></ul>')
    })
    assert.deepEqual(
      (await findSmall(page, 44)).map((each) => each.split(':')[0]),
      ['One', 'Two'],
    )
    await leave()
  })
})
