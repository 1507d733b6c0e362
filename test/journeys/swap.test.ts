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
if (skip) console.log(`swapping shifts in a browser is skipped, ${skip}`)

describe('two people swap their shifts', { skip }, () => {
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

  const addShiftOf = async (who: Person, title: string, day: string, seenBy: Person[]) => {
    const shift = {
      label: 'Gate',
      start: `${day}T02:00:00+02:00`,
      end: `${day}T06:00:00+02:00`,
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: 1 },
    }
    const { id, shifts } = await addEvent(db.write, { title, seenBy, shifts: [shift] }, NOW)
    const place = await addParticipation(db.write, { who, shift: shifts[0]!, state: 1 }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))
    return { eventId: id, shiftId: shifts[0]!, place }
  }

  test('Ann proposes, Bo answers by the link, and both have the shift of the other', async () => {
    const ann = { ...bo, ...(await getDemoPerson(db, 'ann')) }
    const own = await addShiftOf(ann, 'Night watch', '2026-05-21', [ann, bo])
    const wanted = await addShiftOf(bo, 'Early watch', '2026-05-22', [ann, bo])

    const { page } = await enterAs('ann', { browser, origin, look: PHONE })
    await page.goto(`${origin}/events/${own.eventId}/`)
    await page.locator('.shift-more > summary').click()
    await page.locator(`a[href="/shifts/${own.shiftId}/swap/"]`).click()
    await page.locator(`a[href="/shifts/${own.shiftId}/swap/${wanted.place}/"]`).waitFor()
    await check(page)
    await page.locator(`a[href="/shifts/${own.shiftId}/swap/${wanted.place}/"]`).click()
    await page.locator('textarea[name="message"]').fill('My sister marries')
    await check(page)
    await page.locator('form.form button.primary').click()
    await page.locator('form[action$="/withdraw/"]').first().waitFor()
    await check(page)

    const { id } = await db.read.selectFrom('swap').select('id').where('other_id', '=', bo.id).executeTakeFirstOrThrow()
    const { keyring } = demoOptions('', db)
    const token = makeOfferToken(keyring, { kind: 'swap', id, userId: bo.id, shiftId: own.shiftId })
    // Another phone, without a session.
    const phone = await (await browser.newContext(PHONE)).newPage()
    await phone.goto(`${origin}/offered/${token}/`)
    await check(phone)
    assert.match((await phone.textContent('main')) ?? '', /My sister marries/)
    await phone.locator('button.primary').click()
    await phone.locator('.answer-done').waitFor()
    await check(phone)
    const rows = await db.read
      .selectFrom('participation')
      .select(['shift_id', 'user_id'])
      .where('shift_id', 'in', [own.shiftId, wanted.shiftId])
      .where('state', '=', 1)
      .orderBy('shift_id')
      .execute()
    assert.deepEqual(rows, [
      { shift_id: own.shiftId, user_id: bo.id },
      { shift_id: wanted.shiftId, user_id: ann.id },
    ])
  })
})
