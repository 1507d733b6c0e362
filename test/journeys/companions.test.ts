import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`bringing others in a browser is skipped, ${skip}`)

describe('a person brings others', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
  })
  after(() => close?.())
  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())

  test('on a phone: signs up, adds two, names one, and gives up the places', async () => {
    const base: Person = { kind: 'person', id: 0, name: '', email: '', dateOfBirth: null, phone: null }
    const ann = { ...base, ...(await getDemoPerson(db, 'ann')) }
    const paul = { ...base, ...(await getDemoPerson(db, 'paul')) }
    const shift = {
      label: 'Gate',
      start: '2026-05-21T02:00:00+02:00',
      end: '2026-05-21T06:00:00+02:00',
      flow: 'instant_confirmation',
      flowConfiguration: { user_can_bring: 3, user_can_decline_confirmed: true },
      configuration: { maximum_number_of_participants: 6 },
    }
    const { id, shifts } = await addEvent(
      db.write,
      { title: 'Night watch', seenBy: [ann], responsible: [paul], shifts: [shift] },
      NOW,
    )
    const { page } = await enterAs('ann', { browser, origin, look: PHONE, expected: /40[39]|422/ })
    await page.goto(`${origin}/events/${id}-night-watch/`)
    await page.getByRole('button', { name: /^Sign up/ }).click()
    // By key: a tap at the place of the first one would count as its repetition.
    await page.locator('summary', { hasText: 'More about' }).press('Enter')
    await page.getByRole('link', { name: /^Bring others/ }).press('Enter')
    await page.getByLabel('How many').fill('2')
    await check(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Name (optional)').first().fill('Eva Lind')
    await page.getByRole('button', { name: 'Save' }).click()
    await check(page)
    await page.getByLabel('How many').fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await check(page)
    await page.goto(`${origin}/events/${id}-night-watch/`)
    await check(page)
    await page.getByRole('link', { name: /^Can’t come/ }).click()
    assert.match((await page.textContent('main')) ?? '', /The 2 people you bring leave the shift together with you/)
    await check(page)
    await page.getByRole('button', { name: 'Give up my place' }).click()
    await page.waitForLoadState()
    const left = await db.read.selectFrom('participation').select('state').where('shift_id', '=', shifts[0]!).execute()
    assert.deepEqual(
      left.map(({ state }) => state),
      [2, 2, 2],
    )
  })
})
