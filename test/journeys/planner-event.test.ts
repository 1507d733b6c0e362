import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the event page of planners is skipped, ${skip}`)

const TASKS = ['Planen', 'Besetzen', 'Vor Ort', 'Danach']

/** Number of shifts → the most controls that are shown, and the most height on a phone and on a desktop. */
const LIMITS: Record<number, { controls: number; phone: number; desktop: number }> = {
  1: { controls: 12, phone: 1000, desktop: 800 },
  8: { controls: 26, phone: 2200, desktop: 1100 },
  67: { controls: 82, phone: 4500, desktop: 3300 },
}

/** The same of the form of the event. */
const FORM_LIMITS: typeof LIMITS = {
  1: { controls: 34, phone: 3300, desktop: 2300 },
  8: { controls: 48, phone: 3800, desktop: 2650 },
  67: { controls: 170, phone: 7800, desktop: 5350 },
}

/** And of the planning page with this event alone: one row, however many shifts need people. */
const PLANNING_LIMITS = { controls: 8, phone: 1200, desktop: 800 }

/** Twelve shifts a day; every fourth is full, the others lack two people. */
async function addEventWith(db: Database, count: number): Promise<number> {
  const [paul, olga] = await Promise.all((['paul', 'olga'] as const).map((name) => getDemoPerson(db, name)))
  const shifts = Array.from({ length: count }, (_, index) => {
    const isFull = index % 4 === 3
    return {
      label: `${['Main stage', 'Harbour gate'][index % 2]} ${(index % 12) + 1}`,
      start: `2026-08-${10 + Math.floor(index / 12)}T${(8 + (index % 12)).toString().padStart(2, '0')}:00:00+02:00`,
      flow: 'instant_confirmation',
      configuration: { minimum_number_of_participants: isFull ? 1 : 2, maximum_number_of_participants: isFull ? 1 : 4 },
    }
  })
  const made = await addEvent(db.write, { title: 'Harbour days', location: `Pier ${count}`, responsible: [paul!], shifts }, NOW)
  for (const [index, shift] of made.shifts.entries())
    if (index % 4 === 3) await addParticipation(db.write, { who: olga!, shift, state: 1 }, NOW)
  await transact(db.write, (tx) => refreshStatistics(tx, made.shifts))
  return made.id
}

/** Controls of the page itself that are shown; folded ones do not count. The height of everything. */
const measure = (page: Page): Promise<{ controls: number; height: number }> =>
  page.evaluate(() => {
    const all = document.querySelectorAll('main :is(a[href], button, summary, input:not([type=hidden]), select, textarea)')
    const shown = [...all].filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
    return { controls: shown.length, height: document.documentElement.scrollHeight }
  })

describe('the page of an event for those who plan it', { skip }, () => {
  let browser: Browser
  let origin: string
  let close: () => Promise<void>
  const events = new Map<number, number>()

  before(async () => {
    const instance = await openDemoInstance({ hasMail: true })
    ;({ browser, origin, close } = instance)
    for (const count of Object.keys(LIMITS).map(Number)) events.set(count, await addEventWith(instance.db, count))
  })
  after(() => close?.())

  const open = async (count: number, width: number, javaScriptEnabled = true) => {
    const look = { viewport: { width, height: 740 }, javaScriptEnabled }
    const visit = await enterAs('paul', { browser, origin, look })
    await visit.page.goto(`${origin}/events/${events.get(count)}/`)
    return visit
  }

  for (const [count, limits] of Object.entries(LIMITS))
    for (const [width, most] of [
      [360, limits.phone],
      [1280, limits.desktop],
    ] as const)
      test(`with ${count} shifts stays within its limits at ${width} pixels`, async () => {
        const { page, close: leave } = await open(Number(count), width)
        const { controls, height } = await measure(page)
        console.log(`${count} shifts, ${width} px: ${controls} controls, ${height} px`)
        assert.ok(controls <= limits.controls, `${controls} controls`)
        assert.ok(height <= most, `${height} px`)
        assert.deepEqual(await overflowing(page), [])
        await leave()
      })

  for (const count of Object.keys(LIMITS))
    for (const width of [360, 1280])
      test(`the form and the planning page with ${count} shifts stay within theirs at ${width} pixels`, async () => {
        const { page, close: leave } = await open(Number(count), width)
        const look = async (what: string, path: string, limits: (typeof LIMITS)[number]) => {
          await page.goto(origin + path)
          const { controls, height } = await measure(page)
          console.log(`${what}, ${count} shifts, ${width} px: ${controls} controls, ${height} px`)
          assert.ok(controls <= limits.controls, `${what}: ${controls} controls`)
          assert.ok(height <= (width === 360 ? limits.phone : limits.desktop), `${what}: ${height} px`)
          assert.deepEqual(await overflowing(page), [])
        }
        await look('form', `/events/${events.get(Number(count))}/edit/`, FORM_LIMITS[Number(count)]!)
        await look('planning', `/planning/?from=2026-08-10&until=2026-08-31&place=Pier+${count}`, PLANNING_LIMITS)
        const first = (await page.locator('.shortages tbody tr').first().boundingBox())!
        assert.ok(first.y < 740 - 130, `the first shortage begins at ${first.y} px`)
        assert.equal(await page.locator('main :is(a, button)', { hasText: 'Monat kopieren' }).isVisible(), false)
        await leave()
      })

  test('begins with the state of all shifts, above the first of them', async () => {
    const { page, close: leave } = await open(67, 360)
    const total = (await page.locator('.event-total').boundingBox())!
    assert.match(await page.locator('.event-total').innerText(), /102 fehlen/)
    const first = (await page.locator('.shift-row').first().boundingBox())!
    assert.ok(total.y < first.y)
    // Above both bars at the bottom.
    assert.ok(first.y + first.height <= 740 - 130, `${first.y + first.height} px`)
    await leave()
  })

  test('a short shift asks people; the own sign-up is in its menu', async () => {
    const { page, close: leave } = await open(8, 360)
    const cards = page.locator('.shift-card')
    const short = cards.filter({ hasText: '2 fehlen' }).first()
    const shownIn = (part: typeof cards) =>
      part.locator('a, button').evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent))
    assert.deepEqual(await shownIn(short), ['Leute fragen'])
    assert.deepEqual(await shownIn(cards.filter({ hasText: 'voll besetzt' }).first()), ['Disposition'])
    await short.locator('.shift-more > summary').press('Enter')
    const unfolded = await shownIn(short)
    for (const name of ['Leute fragen', 'Disposition', 'Anmelden', 'Bearbeiten']) assert.ok(unfolded.includes(name), name)
    await short.getByRole('button', { name: /^Anmelden/ }).press('Enter')
    await page.getByText('Du bist dabei').first().waitFor()
    await leave()
  })

  for (const width of chooseVariants([360, 1280], 1))
    test(`has one menu for each task, by keyboard, at ${width} pixels`, async () => {
      const { page, close: leave } = await open(8, width)
      const menus = page.locator('.task-menu')
      assert.deepEqual(await menus.locator('summary').allInnerTexts(), TASKS)
      for (const index of TASKS.keys()) {
        await menus.nth(index).locator('summary').press('Enter')
        assert.equal(await page.locator('.task-menu[open]').count(), 1)
        const list = menus.nth(index).locator('.menu-list')
        const { x, y, width: wide, height } = (await list.boundingBox())!
        assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + height <= 740, `${TASKS[index]}: ${x} ${y} ${wide} ${height}`)
        assert.ok((await list.getByRole('link').count()) > 0)
        assert.deepEqual(await axeProblems(page), [])
      }
      await page.keyboard.press('Escape')
      assert.equal(await page.locator('.task-menu[open]').count(), 0)
      await menus.nth(1).locator('summary').press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/board\/$/)
      await leave()
    })

  test('works without scripts', async () => {
    const { page, close: leave } = await open(67, 360, false)
    await page.getByText('Planen', { exact: true }).click()
    await page.getByText('Vor Ort', { exact: true }).click()
    assert.equal(await page.locator('.task-menu[open]').count(), 1)
    await page.getByRole('link', { name: 'Einsatzliste' }).click()
    await page.waitForURL(/\/roster\/$/)
    await leave()
  })
})
