import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`a cancelled shift in a browser is skipped, ${skip}`)

const DAY_MS = 24 * 3_600_000
const REASON = 'Storm over the whole coast'

describe('a cancelled shift', { skip }, () => {
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
    const both = db.write.updateTable('user_profile').set({ preferred_language: 'en' })
    await both.where('id', 'in', [ann.id, paul.id]).execute()
  })
  after(() => close?.())

  const states = async (shiftId: number) =>
    (await db.write.selectFrom('participation').select('state').where('shift_id', '=', shiftId).execute()).map(
      ({ state }) => state,
    )

  async function addTwoShifts() {
    const start = new Date(NOW.getTime() + 2 * DAY_MS)
    const end = new Date(start.getTime() + 4 * 3_600_000)
    const times = { start: start.toISOString(), end: end.toISOString() }
    const shifts = [
      { label: 'Pier', ...times },
      { label: 'Tent', ...times },
    ]
    const made = await addEvent(db.write, { title: 'Regatta', seenBy: [ann], responsible: [paul], shifts }, NOW)
    await addParticipation(db.write, { who: ann, shift: made.shifts[0]!, state: 1 }, NOW)
    return { path: `${origin}/events/${made.id}-regatta/`, shiftId: made.shifts[0]! }
  }

  const text = (page: Page) => page.textContent('main')

  for (const width of chooseVariants([360, 1280], 1))
    test(`is undone at ${width} px, and restored later`, async () => {
      const look = { viewport: { width, height: 800 } }
      const { path, shiftId } = await addTwoShifts()
      const planner = await enterAs('paul', { browser, origin, look })
      const volunteer = await enterAs('ann', { browser, origin, look })
      const { page } = planner

      const cancel = async () => {
        await page.goto(`${origin}/shifts/${shiftId}/cancel/`)
        assert.match((await text(page))!, /1 person is notified, with the reason:\s*Ann/)
        assert.deepEqual([await overflowing(page), await axeProblems(page)], [[], []])
        await page.fill('[name=reason]', REASON)
        await page.locator('main form button').press('Enter')
        await page.waitForURL(path)
      }
      await page.goto(path)
      assert.equal(await page.locator(`a[href="/shifts/${shiftId}/cancel/"]`).count(), 1)
      await cancel()
      assert.deepEqual(await states(shiftId), [])
      await page.locator('[data-flash] [data-undo] button').press('Enter')
      await page.locator('[data-flash]', { hasText: 'Shift restored' }).waitFor()
      assert.deepEqual(await states(shiftId), [1])

      await cancel()
      for (const seen of [path, `${origin}/`, `${origin}/my-shifts/`]) {
        await volunteer.page.goto(seen)
        assert.match((await text(volunteer.page))!, new RegExp(REASON), seen)
        assert.deepEqual([await overflowing(volunteer.page), await axeProblems(volunteer.page)], [[], []], seen)
      }
      await page.goto(path)
      await page.locator(`a[href="/shifts/${shiftId}/restore/"]`).press('Enter')
      await page.waitForURL(`${origin}/shifts/${shiftId}/restore/`)
      assert.deepEqual([await overflowing(page), await axeProblems(page)], [[], []])
      await page.locator('main form button').press('Enter')
      await page.waitForURL(path)
      assert.deepEqual(await states(shiftId), [1])
      await volunteer.page.goto(path)
      assert.doesNotMatch((await text(volunteer.page))!, new RegExp(REASON))
      await planner.close()
      await volunteer.close()
    })
})
