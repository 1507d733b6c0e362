import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { continueSearches } from '#features/staffing/exchanges/commands/search.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { demoOptions, enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, addPerson } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { ADDED } from '../../src/features.ts'

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

  test('stand-in with waves: favourites first, the next ones later, the search stands on the own row and can be stopped', async () => {
    const ann = { ...bo, ...(await getDemoPerson(db, 'ann')) }
    const others: Person[] = []
    for (const [index, name] of ['Cy Wave', 'Di Wave', 'Eli Wave'].entries()) {
      others.push({ ...bo, id: 9200 + index, name, email: `wave${index}@demo.example` })
      await addPerson(db.write, others[index]!, NOW)
    }
    const shiftAt = (day: string) => ({
      label: 'Gate',
      start: `${day}T10:00:00+02:00`,
      end: `${day}T14:00:00+02:00`,
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: 2 },
    })
    const add = async (day: string) => {
      const event = { title: `Watch ${day}`, seenBy: [ann, ...others], shifts: [shiftAt(day)] }
      return (await addEvent(db.write, event, NOW)).shifts[0]!
    }
    // Eli has worked with Ann, so Ann may choose them by name.
    const past = await add('2026-03-01')
    for (const who of [ann, others[2]!]) await addParticipation(db.write, { who, shift: past, state: 1 }, NOW)
    const shiftId = await add('2026-05-23')
    await addParticipation(db.write, { who: ann, shift: shiftId, state: 1 }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, [shiftId]))

    const { page } = await enterAs('ann', { browser, origin, look: PHONE })
    await page.goto(`${origin}/my-shifts/?all=1`)
    // Two taps and a confirmation: the menu of the row, Stand-in, and the page that says how many people are asked.
    const row = page.locator(`#own-${shiftId}`)
    await row.locator('summary').press('Enter')
    await row.locator(`a[href="/shifts/${shiftId}/stand-in/"]`).press('Enter')
    await page.locator('input[name="size"]').waitFor()
    await check(page)
    const text = (await page.textContent('main')) ?? ''
    const count = Number(/(\d+) people fit and are free then/.exec(text)?.[1])
    assert.ok(count >= 3, text)
    await page.locator('details.fold > summary').press('Enter')
    await page.locator(`input[name="first"][value="${others[2]!.id}"]`).press('Space')
    await check(page)
    await page.locator('input[name="size"]').fill('1')
    await page.locator('form.form button.primary').press('Enter')
    await page.locator('form[action$="/stand-in/cancel/"]').first().waitFor()
    await check(page)
    const asked = async () =>
      (
        await db.read
          .selectFrom('stand_in_person as p')
          .innerJoin('stand_in as s', 's.id', 'p.stand_in_id')
          .select('p.user_id')
          .where('s.shift_id', '=', shiftId)
          .where('p.asked_at', 'is not', null)
          .orderBy('p.position')
          .execute()
      ).map(({ user_id }) => user_id)
    assert.deepEqual(await asked(), [others[2]!.id])
    const { keyring, config } = demoOptions('', db)
    const site = { url: origin, timeZone: config.timeZone, keyring, tokenMaxDays: 365, added: ADDED }
    const later = { db: db.write, actor: ANONYMOUS, now: new Date(NOW.getTime() + 2 * 3_600_000), site, requestId: null }
    await continueSearches(later)
    assert.equal((await asked()).length, 2)

    await page.goto(`${origin}/my-shifts/?all=1`)
    await check(page)
    assert.match((await row.textContent()) ?? '', new RegExp(`2 of ${count} asked, the next 1 `))
    await row.locator('form[action$="/stand-in/cancel/"] button').press('Enter')
    await page.locator('[role="status"]:has-text("You keep your place")').first().waitFor()
    assert.doesNotMatch((await row.textContent()) ?? '', / asked/)
    await continueSearches({ ...later, now: new Date(NOW.getTime() + 5 * 3_600_000) })
    assert.equal((await asked()).length, 2)
    await page.close()
  })

  test('answer by link and change of mind: Bo says no, takes the place after all, and Ann is free', async () => {
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
    // No, and yes after all: the page stays usable. By keys, because a second tap at the same place is ignored for a while.
    await phone.getByRole('button', { name: 'No, thanks' }).press('Enter')
    await phone.getByRole('heading', { name: 'You can’t this time' }).waitFor()
    await check(phone)
    await phone.getByRole('button', { name: 'I can after all' }).press('Enter')
    await phone.getByRole('heading', { name: 'The place is yours' }).waitFor()
    await check(phone)
    const [file] = await Promise.all([
      phone.waitForEvent('download'),
      phone.getByRole('link', { name: /Add to calendar/ }).press('Enter'),
    ])
    assert.equal(file.suggestedFilename(), `shift-${shiftId}.ics`)
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
