import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, type ShiftOptions } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`an event with many shifts in a browser is skipped, ${skip}`)

describe('an event with many shifts', { skip }, () => {
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

  /** Ten shifts: Ann is in the second, the third overlaps it, the fourth is full, and the others are free. */
  async function addLong(): Promise<{ id: number; shifts: number[] }> {
    const shifts: ShiftOptions[] = Array.from({ length: 10 }, (_, index) => ({
      label: `Part ${index + 1}`,
      start: `2026-06-${index < 5 ? 10 : 11}T${10 + (index === 2 ? 1 : index % 5)}:00:00+02:00`,
      flow: 'instant_confirmation',
      flowConfiguration: { user_can_decline_confirmed: true },
      configuration: { minimum_number_of_participants: 1, maximum_number_of_participants: index === 3 ? 1 : 2 },
      stats: { missing: index === 3 ? 0 : 1, free: index === 3 ? 0 : 2, min: 1, max: index === 3 ? 1 : 2 },
    }))
    await db.write.deleteFrom('participation').where('user_id', '=', ann.id).execute()
    const made = await addEvent(db.write, { title: 'Long fair', seenBy: [ann], responsible: [paul], shifts }, NOW)
    await addParticipation(db.write, { who: ann, shift: made.shifts[1]!, state: 1 }, NOW)
    await addParticipation(db.write, { who: paul, shift: made.shifts[3]!, state: 1 }, NOW)
    return made
  }

  test('a link to a shift opens and marks it, in the list and among those that have ended', async () => {
    const { id, shifts } = await addLong()
    await db.write
      .updateTable('shift')
      .set({
        meeting_time: new Date('2026-05-01T08:00:00Z'),
        start_time: new Date('2026-05-01T08:00:00Z'),
        end_time: new Date('2026-05-01T10:00:00Z'),
      })
      .where('id', '=', shifts[0]!)
      .execute()
    const { page, close: leave } = await enterAs('ann', { browser, origin, look: { viewport: { width: 360, height: 740 } } })
    for (const shift of [shifts[9]!, shifts[0]!]) {
      await page.goto(`${origin}/`)
      await page.goto(`${origin}/events/${id}/#shift-${shift}`)
      const row = page.locator(`#shift-${shift}[open]:target`)
      await row.locator('.shift-fold').waitFor({ state: 'visible' })
      const { y } = (await row.boundingBox())!
      assert.ok(y >= 0 && y < 740 - 64, `${y} px`)
      assert.notEqual(await row.evaluate((element) => getComputedStyle(element).outlineStyle), 'none')
    }
    await leave()
  })

  for (const javaScriptEnabled of chooseVariants([true, false], 1))
    test(`finds what fits and signs up there, with${javaScriptEnabled ? '' : 'out'} scripts`, async () => {
      const { id, shifts } = await addLong()
      const look = { viewport: { width: 360, height: 740 }, javaScriptEnabled }
      const { page, close: leave } = await enterAs('ann', { browser, origin, look })
      await page.goto(`${origin}/events/${id}/`)
      const rows = page.locator('.shift-row')
      assert.match((await page.textContent('.shift-card'))!, /Part 2.*You’re in.*Can’t come/s)
      assert.equal(await rows.count(), 9)
      assert.deepEqual(await page.locator('.shift-day h3').allTextContents(), ['Wed 10 Jun', 'Thu 11 Jun'])
      assert.match((await rows.nth(1).textContent())!, /Part 3.*You have another shift then/s)
      assert.match((await rows.nth(2).textContent())!, /Part 4.*Full, waiting list/s)
      await page.getByRole('link', { name: 'Free 8' }).click()
      await page.waitForURL(/\?show=free$/)
      assert.equal(await rows.count(), 8)
      await page.getByRole('link', { name: 'Fits me 7' }).click()
      await page.waitForURL(/\?show=fits$/)
      assert.equal(await rows.count(), 7)
      if (javaScriptEnabled) assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
      const third = page.locator(`#row-${shifts[4]}`)
      await third.locator('summary').click()
      if (javaScriptEnabled) assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
      await third.getByRole('button', { name: /^Sign up: Part 5/ }).click()
      await page.locator('.flash', { hasText: 'You are confirmed for Long fair, Part 5.' }).waitFor()
      assert.match(page.url(), /\?show=fits$/)
      assert.equal(await page.locator('.shift-card').count(), 2)
      if (javaScriptEnabled) assert.match((await third.textContent())!, /Part 5.*You’re in/s)
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await page.locator('.flash', { hasText: 'Undone.' }).waitFor()
      assert.match(page.url(), /\?show=fits$/)
      assert.equal(await page.locator('.shift-card').count(), 1)
      assert.match((await third.textContent())!, /2 places left/)
      await leave()
    })

  test('a free shift takes one tap; days after the first shifts are folded', async () => {
    await db.write.deleteFrom('participation').where('user_id', '=', ann.id).execute()
    const shifts: ShiftOptions[] = Array.from({ length: 36 }, (_, index) => ({
      label: `Post ${index + 1}`,
      start: `2026-07-${10 + Math.floor(index / 12)}T${10 + (index % 12)}:00:00+02:00`,
      flow: 'instant_confirmation',
    }))
    const made = await addEvent(db.write, { title: 'Longer fair', seenBy: [ann], responsible: [paul], shifts }, NOW)
    const { page, close: leave } = await enterAs('ann', { browser, origin, look: { viewport: { width: 360, height: 740 } } })
    await page.goto(`${origin}/events/${made.id}/`)
    const days = page.locator('.shift-day')
    assert.deepEqual(await days.evaluateAll((all) => all.map((day) => (day as HTMLDetailsElement).open)), [true, true, false])
    assert.equal(await days.nth(2).locator('summary').first().innerText(), 'Sun 12 Jul\n12 shifts')
    const row = page.locator(`#row-${made.shifts[1]}`)
    const top = async () => (await row.boundingBox())!.y
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const before = await top()
    await row.getByRole('button', { name: /^Sign up: Post 2/ }).click()
    await row.getByText('You’re in').waitFor()
    assert.ok(Math.abs((await top()) - before) < 2, `${before} px, then ${await top()} px`)
    assert.match((await row.innerText())!, /Post 2.*Undo/s)
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
    // The page of a link opens the day that the shift is folded in.
    await page.goto(`${origin}/`)
    await page.goto(`${origin}/events/${made.id}/#shift-${made.shifts[35]}`)
    await page.locator(`#shift-${made.shifts[35]}[open]:target`).waitFor()
    await leave()
  })

  test('planners filter by what is missing and keep all actions of a shift', async () => {
    const { id, shifts } = await addLong()
    const { page, close: leave } = await enterAs('paul', { browser, origin, look: { viewport: { width: 360, height: 740 } } })
    await page.goto(`${origin}/events/${id}/?show=needs`)
    const row = page.locator(`#row-${shifts[0]}`)
    assert.match((await row.locator('summary').textContent())!, /Part 1.*1 fehlt/s)
    await row.locator('summary').click()
    for (const path of [`/shifts/${shifts[0]}/disposition/`, `/shifts/${shifts[0]}/edit/`, `/shifts/${shifts[0]}/resources/`])
      assert.ok(await row.locator(`a[href="${path}"]`).isVisible(), path)
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
    await leave()
  })
})
