import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { timelinePath } from '#features/staffing/disposition/rules/paths.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`browser tests of the timeline are skipped, ${skip}`)

const HOUR_MS = 3_600_000

describe('moving shifts on the timeline', { skip }, async () => {
  const instance = await openInstance()
  const { write } = instance.db
  let browser: Browser
  let desk: BrowserContext
  let page: Page
  let path: string
  let shift: number
  /** The next noon, so that the shifts are on one day. */
  const noon = new Date(Math.ceil(instance.now.getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS)
  const at = (hours: number) => new Date(noon.getTime() + hours * HOUR_MS).toISOString()

  const signIn = async (context: BrowserContext, who: Person) => {
    const { sessionId } = await instance.browserOf(who)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
  }

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await write.insertInto('event_type').values({ title: 'Service' }).execute()
    const { id, shifts } = await addEvent(
      write,
      {
        title: 'Festival',
        seenBy: [HELPERS],
        responsible: [PAUL, OLGA],
        shifts: [
          { label: 'Bar', start: at(0), end: at(2) },
          { label: 'Door', start: at(-3), end: at(6) },
        ],
      },
      instance.now,
    )
    path = timelinePath(id)
    shift = shifts[0]!
    await addParticipation(write, { who: ANN, shift, state: 1 }, instance.now)
    desk = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await signIn(desk, PAUL)
    page = await desk.newPage()
  })
  after(() => browser?.close())

  const block = () => page.locator(`#block-${shift}`)
  /** Hours from noon at which the shift starts and ends. */
  const stored = async () => {
    const row = await write
      .selectFrom('shift')
      .select(['start_time', 'end_time'])
      .where('id', '=', shift)
      .executeTakeFirstOrThrow()
    return [row.start_time, row.end_time].map((time) => (time.getTime() - noon.getTime()) / HOUR_MS)
  }
  const hourWidth = async () => (await page.locator('.grid-hours th').nth(1).boundingBox())!.width
  /** Drags with the mouse, from the middle of the block or from its right edge. */
  const dragBy = async (pixels: number, from: 'middle' | 'end') => {
    const { x, y, width, height } = (await block().boundingBox())!
    const start = { x: from === 'end' ? x + width - 3 : x + width / 2, y: y + height / 2 }
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x + pixels / 2, start.y)
    await page.mouse.move(start.x + pixels, start.y)
    await page.mouse.up()
  }
  const panel = () => page.locator('[data-grid-panel]')
  /** The page shows the shift at these times, as the server answered. */
  const shown = (start: number, end: number) =>
    page
      .locator(`#block-${shift}[data-start="${Date.parse(at(start))}"][data-end="${Date.parse(at(end))}"]:not(.moved)`)
      .waitFor()
  const toast = (text: string | RegExp) => page.locator('#flashes').getByText(text).waitFor()

  test('opens at the hour before the first shift, and no hour is cut', async () => {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 } })
    await signIn(phone, PAUL)
    const narrow = await phone.newPage()
    await narrow.goto(instance.base + path)
    const [scrolled, distance] = await narrow.locator('[data-grid]').evaluate((box) => {
      const names = box.querySelector('tbody th')!.getBoundingClientRect().right
      const hours = [...box.querySelectorAll('.grid-hours th:not(:first-child)')]
      return [box.scrollLeft, Math.min(...hours.map((hour) => Math.abs(hour.getBoundingClientRect().left - names)))] as const
    })
    assert.ok(scrolled > 0)
    assert.ok(distance < 2, `the next hour begins ${distance} px beside the names`)
    await phone.close()
  })

  test('a block that is dragged snaps to 15 minutes, shows who is affected, is saved and undone', async () => {
    await page.goto(instance.base + path)
    const hour = await hourWidth()
    await dragBy(hour * 1.45, 'middle')
    await panel().getByText('1 confirmed, 0 requested. 1 person is notified of new times.').waitFor()
    assert.deepEqual(await stored(), [0, 2])
    await panel().getByRole('button', { name: 'Save times' }).click()
    await toast(/^Bar: now/)
    await shown(1.5, 3.5)
    assert.deepEqual(await stored(), [1.5, 3.5])
    assert.equal(await panel().isVisible(), false)
    assert.ok(page.url().endsWith(path), page.url())
    await page.locator('#flashes').getByRole('button', { name: 'Undo' }).click()
    await toast(/^Bar: again/)
    await shown(0, 2)
    assert.deepEqual(await stored(), [0, 2])
    assert.equal(await block().getAttribute('style'), null)
  })

  test('its right edge changes the end, and Cancel puts it back', async () => {
    const before = (await block().boundingBox())!
    await dragBy((await hourWidth()) * -1, 'end')
    await panel().getByRole('link', { name: 'Cancel' }).click()
    assert.deepEqual(await block().boundingBox(), before)
    await dragBy((await hourWidth()) * -1, 'end')
    await panel().getByRole('button', { name: 'Save times' }).click()
    await shown(0, 1)
    assert.deepEqual(await stored(), [0, 1])
  })

  test('keys move and resize it, Enter saves, Escape cancels', async () => {
    await block().focus()
    await page.keyboard.press('ArrowRight')
    await panel().getByRole('button', { name: 'Save times' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await panel().isVisible(), false)
    assert.equal(await block().evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await panel().getByRole('button', { name: 'Save times' }).waitFor()
    assert.match(await block().innerText(), /\d\d:30–\d\d:45/)
    await page.keyboard.press('Enter')
    await shown(0.5, 1.75)
    assert.deepEqual(await stored(), [0.5, 1.75])
    assert.equal(await block().evaluate((element) => element === document.activeElement), true)
  })

  test('a move of somebody else meanwhile is not overwritten: a message, and the block where it is now', async () => {
    await block().focus()
    await page.keyboard.press('ArrowLeft')
    await panel().getByRole('button', { name: 'Save times' }).waitFor()
    await write
      .updateTable('shift')
      .set({ start_time: new Date(at(3)), end_time: new Date(at(4)), meeting_time: new Date(at(3)) })
      .where('id', '=', shift)
      .execute()
    await page.keyboard.press('Enter')
    await toast(/^Not saved/)
    await shown(3, 4)
    assert.deepEqual(await stored(), [3, 4])
    assert.equal(await panel().isVisible(), false)
  })

  test('without a connection, a message says so and the block goes back', async () => {
    await block().focus()
    await page.keyboard.press('ArrowRight')
    await panel().getByRole('button', { name: 'Save times' }).waitFor()
    await desk.setOffline(true)
    await page.keyboard.press('Enter')
    await toast(/connection/i)
    await page.locator('.grid-block.moved').waitFor({ state: 'detached' })
    assert.equal(
      await block()
        .getAttribute('style')
        .then((style) => style || null),
      null,
    )
    await page.keyboard.press('ArrowRight')
    await page.locator('.grid-block.moved').waitFor({ state: 'detached' })
    await desk.setOffline(false)
    assert.deepEqual(await stored(), [3, 4])
  })

  test('on a phone, the grid scrolls in itself, and a tap leads to the form', async () => {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true })
    await signIn(phone, PAUL)
    const small = await phone.newPage()
    await small.goto(instance.base + path)
    assert.deepEqual(await overflowing(small), [])
    const box = small.locator('#grid')
    assert.equal(await box.evaluate((element) => element.scrollWidth > element.clientWidth), true)
    // The heads of the rows stay in view.
    await box.evaluate((element) => element.scrollTo(10_000, 0))
    const head = (await small.locator('tbody th').first().boundingBox())!
    assert.ok(head.x >= 0 && head.x < 40, `${head.x}`)
    await small.locator(`#block-${shift}`).tap()
    await small.getByLabel('Start').waitFor()
    assert.deepEqual(await overflowing(small), [])
    await phone.close()
  })
})
