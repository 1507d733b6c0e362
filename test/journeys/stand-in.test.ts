import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { demoOptions, enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, addPerson } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`finding a stand-in in a browser is skipped, ${skip}`)

describe('a stand-in is found at night without the planner', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  const bo: Person = {
    kind: 'person',
    id: 9100,
    name: 'Bo Quist',
    email: 'bo@demo.example',
    dateOfBirth: '1990-01-01',
    phone: null,
  }

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    await addPerson(db.write, bo, NOW)
  })
  after(() => close?.())

  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())

  test('Ann asks, Bo takes the place by the link, and Ann is free', async () => {
    const ann = { ...bo, ...(await getDemoPerson(db, 'ann')) }
    const shift = {
      label: 'Gate',
      start: '2026-05-21T02:00:00+02:00',
      end: '2026-05-21T06:00:00+02:00',
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: 1 },
    }
    const { id: eventId, shifts } = await addEvent(db.write, { title: 'Night watch', seenBy: [ann, bo], shifts: [shift] }, NOW)
    const shiftId = shifts[0]!
    await addParticipation(db.write, { who: ann, shift: shiftId, state: 1 }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))

    const { page } = await enterAs('ann', { browser, origin, look: PHONE })
    await page.goto(`${origin}/events/${eventId}/`)
    await page.locator('.shift-more > summary').click()
    await page.locator(`a[href="/shifts/${shiftId}/stand-in/"]`).click()
    await check(page)
    await page.locator('textarea[name="message"]').fill('I am ill')
    await Promise.all([page.waitForLoadState(), page.locator('form.form button.primary').click()])
    await page.locator('form[action$="/stand-in/cancel/"]').first().waitFor()
    await check(page)

    const asked = await db.read.selectFrom('stand_in_person').select('id').where('user_id', '=', bo.id).executeTakeFirstOrThrow()
    const { keyring } = demoOptions('', db)
    const token = makeOfferToken(keyring, { kind: 'stand_in', id: asked.id, userId: bo.id, shiftId })
    // Another phone, on which nobody is signed in.
    const phone = await (await browser.newContext(PHONE)).newPage()
    await phone.goto(`${origin}/offered/${token}/`)
    await check(phone)
    assert.match((await phone.textContent('main')) ?? '', /I am ill/)
    await phone.locator('button.primary').click()
    await phone.locator('.answer-done').waitFor()
    await check(phone)
    const rows = await db.read.selectFrom('participation').select(['user_id', 'state']).where('shift_id', '=', shiftId).execute()
    assert.deepEqual(
      new Map(rows.map(({ user_id, state }) => [user_id, state])),
      new Map([
        [ann.id, 2],
        [bo.id, 1],
      ]),
    )
    await page.goto(`${origin}/events/${eventId}/`)
    assert.equal(await page.locator(`a[href="/shifts/${shiftId}/stand-in/"]`).count(), 0)
  })
})
