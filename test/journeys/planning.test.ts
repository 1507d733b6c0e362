import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, openDemoInstance } from '#test/support/demo-instance.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`planning in a browser is skipped, ${skip}`)

describe('planning in a browser', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    await db.write.updateTable('user_profile').set({ preferred_language: 'en' }).execute()
  })

  after(() => close?.())

  async function visit(width: number, journey: (page: Page) => Promise<void>): Promise<void> {
    const entered = await enterAs('paul', { browser, origin, look: { viewport: { width, height: 740 } } })
    await journey(entered.page)
    await entered.close()
  }

  const sound = async (page: Page) => {
    assert.deepEqual(await axeProblems(page), [], page.url())
    assert.deepEqual(await overflowing(page), [], page.url())
  }
  const preview = (page: Page) => page.locator('#plan-preview')
  const choose = async (page: Page, name: string) => {
    await page.locator('.task-menu > summary', { hasText: /^Plan$/ }).press('Enter')
    await page.locator('.task-menu[open]').getByRole('link', { name, exact: true }).press('Enter')
  }

  for (const width of chooseVariants([360, 1280], 0))
    test(`creates an event with three shifts, deletes and restores it, at ${width} pixels`, async () => {
      await visit(width, async (page) => {
        const title = `Bridge run ${width}`
        await page.goto(`${origin}/events/`)
        await page.getByRole('link', { name: 'New event' }).click()
        await sound(page)
        await page.locator('.plan-type').first().click()
        await page.getByLabel('Title').fill(title)
        await page.getByLabel('Place').fill('Old bridge')
        await page.fill('[name=s0-date]', '2026-06-14')
        await page.fill('[name=s0-meeting]', '07:30')
        await page.fill('[name=s0-start]', '08:00')
        await page.fill('[name=s0-end]', '13:00')
        await page.fill('[name=s0-min]', '2')
        await page.fill('[name=s0-max]', '4')
        await preview(page).getByText('2 missing').waitFor()
        await sound(page)

        // Switching to another structure and back keeps the input.
        await page.selectOption('[name=s0-structure]', 'named_teams')
        await page.fill('[name=s0-t0-title]', 'Bridge')
        await page.fill('[name=s0-t0-min]', '1')
        await page.getByRole('button', { name: 'Add a team' }).first().click()
        await page.locator('[name=s0-t1-title]').waitFor()
        assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).name), 's0-t1-title')
        await page.keyboard.type('Meadow')
        await preview(page).getByText('Meadow').waitFor()
        await page.selectOption('[name=s0-structure]', 'uniform')
        assert.equal(await page.inputValue('[name=s0-max]'), '4')
        assert.equal(await page.locator('[name=s0-t1-title]').isVisible(), false)
        await page.selectOption('[name=s0-structure]', 'named_teams')
        assert.equal(await page.inputValue('[name=s0-t1-title]'), 'Meadow')

        await page.getByRole('button', { name: 'Add another shift' }).click()
        await page.locator('[name=s1-date]').waitFor()
        assert.equal(await page.inputValue('[name=s1-start]'), '13:00')
        await page.fill('[name=s1-end]', '18:00')
        await page.getByRole('button', { name: 'Add another shift' }).click()
        await page.locator('[name=s2-date]').waitFor()
        await page.check('[name=s2-full]')
        assert.equal(await page.inputValue('[name=s2-start_at]'), '2026-06-14T18:00')
        await page.fill('[name=s2-end_at]', '2026-06-16T02:00')
        await page.locator('#shift-row-2').locator('summary', { hasText: 'How people join' }).click()
        await page.selectOption('[name=s2-flow]', 'manual')
        await page.locator('[data-chosen=s2-flow]').getByText('Only responsible people add participants').waitFor()
        await page.fill('[name=s2-explanation]', 'Call the bridge keeper.')
        await preview(page).getByText('Call the bridge keeper.').waitFor()
        await preview(page).getByText('→ Tue 16 Jun 02:00').waitFor()
        await sound(page)
        await page.getByRole('button', { name: 'Publish event' }).click()
        await page.getByText(`${title} is published.`).waitFor()
        assert.equal(await page.locator('.shift-card').count(), 3)
        await sound(page)

        await choose(page, 'Edit')
        await sound(page)
        await page.getByLabel('Place').fill('New bridge')
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.getByText('Saved.').waitFor()
        const address = page.url()

        await choose(page, 'Duplicate')
        await page.selectOption('[name=every]', 'week')
        await page.fill('[name=times]', '3')
        await preview(page).getByText('3 dates').waitFor()
        await sound(page)
        await page.getByRole('button', { name: 'Create copies' }).click()
        await page.getByText('Series with 3 new events created as drafts.').waitFor()

        await page.goto(address)
        await choose(page, 'Cancel event')
        await page.getByLabel('Reason').fill('High water')
        await sound(page)
        await page.getByRole('button', { name: 'Cancel event' }).click()
        await page.getByText(`${title} is cancelled.`).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText(`${title} is open again.`).waitFor()

        await choose(page, 'Delete')
        await page.getByText('3 shifts are deleted, too.').waitFor()
        await sound(page)
        await page.getByRole('button', { name: 'Delete event' }).click()
        await page.getByText(`${title} is in the bin.`).waitFor()
        await page.goto(`${origin}/events/bin/`)
        await sound(page)
        await page.getByRole('button', { name: `Restore ${title}` }).click()
        await page.getByText(`${title} is restored.`).waitFor()
        assert.equal(page.url(), address)
      })
    })
})
