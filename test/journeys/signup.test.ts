import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, type ShiftOptions } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const hour = (of: number) => `2026-05-20T${of}:00:00+02:00`

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`signing up in a browser is skipped, ${skip}`)

describe('signing up in a browser', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  let ann: Person

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    ann = await getDemoPerson(db, 'ann')
  })

  after(() => close?.())

  const addShifts = (title: string, ...shifts: ShiftOptions[]) => addEvent(db.write, { title, seenBy: [ann], shifts }, NOW)
  /** Each journey starts without participations of Ann. */
  const deleteParticipations = () => db.write.deleteFrom('participation').where('user_id', '=', ann.id).execute()

  type Look = { width: number; javaScriptEnabled?: boolean; colorScheme?: 'dark' }
  async function visit({ width, ...look }: Look, journey: (page: Page) => Promise<void>): Promise<void> {
    await deleteParticipations()
    // Browsers log the 422 of a refused form as an error, and requests that fail.
    const expected = /status of (404|422|502)|ERR_INTERNET_DISCONNECTED|htmx: htmx:(response:)?error/
    const entered = await enterAs('ann', { browser, origin, look: { viewport: { width, height: 740 }, ...look }, expected })
    await journey(entered.page)
    await entered.close()
  }
  async function check(page: Page): Promise<void> {
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())
  }
  /** Clicks and waits for the result: another page, or with scripts the same page with changed content. */
  async function press(page: Page, target: Locator): Promise<void> {
    const loaded = page.waitForEvent('load')
    const swapped = page
      .evaluate(() => new Promise<void>((done) => document.addEventListener('htmx:after:swap', () => done(), { once: true })))
      // Navigation aborts the evaluation; wait for the next page.
      .catch(() => loaded)
    loaded.catch(() => {})
    await Promise.all([Promise.race([loaded, swapped]), target.click()])
  }
  const flashOf = (page: Page) => page.textContent('.flash p')
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })

  for (const width of chooseVariants([360, 1280], 1)) {
    test(`reads in view what was saved and what was not, ${width} px`, async () => {
      const title = `Beach day ${width}`
      const shift = { start: hour(12), end: hour(14), flow: 'instant_confirmation' }
      const { id } = await addShifts(title, ...['First', 'Second', 'Third', 'Fourth'].map((label) => ({ ...shift, label })))
      await visit({ width }, async (page) => {
        await page.goto(`${origin}/events/${id}/`)
        const signUp = button(page, /^Sign up: Fourth/)
        const readInView = async (role: 'alert' | 'status', text: string | RegExp) => {
          const message = page.locator(`#flashes [role=${role}]`, { hasText: text })
          await message.waitFor()
          const { top, bottom } = await message.evaluate((element) => element.getBoundingClientRect())
          assert.ok(top >= 0 && bottom <= 740 - (width === 360 ? 60 : 0), `${top} to ${bottom}`)
        }
        await page.context().setOffline(true)
        await signUp.click()
        await readInView('alert', 'Not saved: there is no connection')
        await check(page)
        await page.context().setOffline(false)
        let answer = () => {}
        const answered = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/signup/', async (route) => {
          await answered
          await route.continue()
        })
        await signUp.click()
        await readInView('status', 'Saving…')
        answer()
        await readInView('status', `You are confirmed for ${title}, Fourth.`)
        await page.unrouteAll()
        await page.route('**/decline/', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
        await page.locator('summary', { hasText: 'More about First' }).click()
        await button(page, /^Decline: First/).click()
        await readInView('alert', 'Not saved: the server did not answer')
        assert.equal(await page.getByText('Bad gateway').count(), 0)
      })
    })
  }

  test('reads why something was refused, also if the answer came at once', async () => {
    const { id } = await addShifts('Beach night', { start: hour(12), end: hour(14), flow: 'instant_confirmation' })
    await visit({ width: 360 }, async (page) => {
      await page.goto(`${origin}/events/${id}/`)
      await db.write.deleteFrom('event_user_grant').where('event_id', '=', id).execute()
      await page.clock.install()
      await page.locator('main form[action*="/signup/"] button').first().click()
      await page.locator('#flashes [role=alert]').waitFor()
      // “Saving…”, which precedes slow answers, does not replace it.
      await page.clock.runFor(2000)
      assert.equal(await page.locator('#flashes [role=alert]').count(), 1)
      assert.doesNotMatch((await page.textContent('#flashes'))!, /Saving/)
    })
  })

  const LOOKS = [{ width: 360 }, { width: 1280, colorScheme: 'dark' }, { width: 360, javaScriptEnabled: false }] as const
  for (const look of chooseVariants(LOOKS, 0)) {
    test(`finds a shift with free places, signs up, undoes it, declines: ${JSON.stringify(look)}`, async () => {
      const title = `Pier clean-up ${look.width} ${'javaScriptEnabled' in look ? 'plain' : ''}`.trim()
      const { id, shifts } = await addShifts(title, {
        label: 'Sweeping',
        start: hour(12),
        end: hour(14),
        stats: { missing: 2, free: 3, min: 2, max: 3 },
        flow: 'instant_confirmation',
        flowConfiguration: { user_can_decline_confirmed: true },
        configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 3 },
      })
      const scripted = !('javaScriptEnabled' in look)
      await visit(look, async (page) => {
        if (scripted) await check(page)
        await press(page, button(page, new RegExp(`^Sign up: ${title}, Sweeping`)))
        assert.equal(page.url(), `${origin}/`)
        assert.equal(await flashOf(page), `You are confirmed for ${title}, Sweeping.`)
        if (scripted) await check(page)
        await press(page, button(page, 'Undo'))
        assert.match((await flashOf(page))!, /^Undone\. Your answer for Pier clean-up .* is as it was before/)
        assert.equal(page.url(), `${origin}/`)
        await press(page, button(page, new RegExp(`^Sign up: ${title}, Sweeping`)))
        await page.goto(`${origin}/events/${id}/`)
        const card = page.locator(`#shift-${shifts[0]}`)
        assert.match((await card.textContent())!, /You’re in.*Ann Becker/s)
        await press(page, link(page, /^Can’t come/))
        assert.match((await page.textContent('.confirm'))!, /Give up your place\?.*planners of the event are notified/s)
        if (scripted) await check(page)
        await page.getByLabel('Reason').fill('I am ill')
        await press(page, button(page, 'Give up my place'))
        assert.match((await card.textContent())!, /You declined/)
        if (scripted) await check(page)
        assert.match(page.url(), new RegExp(`/events/${id}-`))
      })
    })

    test(`chooses times, a team and a comment, and reads why another shift is not possible: ${JSON.stringify(look)}`, async () => {
      const teams = ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 0, max_count: 2 }))
      const { id, shifts } = await addShifts(
        `Lantern walk ${look.width}`,
        { label: 'Stalls', start: hour(16), end: hour(20), structure: 'named_teams', configuration: { teams } },
        { label: 'Drums', start: hour(15), end: hour(18), flow: 'instant_confirmation' },
        { label: 'Lights', start: hour(16), end: hour(17) },
      )
      const scripted = !('javaScriptEnabled' in look)
      const card = (page: Page, index: number) => page.locator(`#shift-${shifts[index]}`)
      await visit(look, async (page) => {
        await page.goto(`${origin}/events/${id}/`)
        await press(page, button(page, /^Sign up: Drums/))
        assert.match((await card(page, 2).textContent())!, /You are confirmed for another shift at that time: Lantern walk/)
        assert.match((await card(page, 0).textContent())!, /This overlaps/)
        if (scripted) await check(page)
        await press(page, link(page, /^Sign up…: Stalls/))
        if (scripted) await check(page)
        // The other shift is named, and the free part is filled in.
        assert.match((await page.textContent('main'))!, /Confirmed at the same time: Lantern walk.*The free part is filled in/s)
        const [from, until] = [page.getByLabel('From'), page.getByLabel('Until')]
        const part = [await from.inputValue(), await until.inputValue()]
        assert.deepEqual(part, ['18:00', '20:00'])
        await from.fill('16:00')
        await until.fill('20:00')
        await press(page, button(page, 'Sign up'))
        assert.match((await page.textContent('.error-summary'))!, /You are confirmed for another shift at that time/)
        const wrong = page.locator('[aria-invalid=true]')
        assert.equal(await wrong.getAttribute('id'), 'field-start')
        const described = (await wrong.getAttribute('aria-describedby'))!.split(' ').at(-1)
        assert.match((await page.textContent(`#${described}`))!, /You are confirmed for another shift at that time/)
        if (scripted) await check(page)
        await page.locator('.error-summary a').click()
        if (scripted) assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-start')
        await from.fill('18:00')
        await until.fill('20:00')
        await page.getByLabel('South').check()
        await page.getByLabel('Comment').fill('Coming from the drums')
        await page.getByLabel('Also visible to other participants').check()
        await press(page, button(page, 'Sign up'))
        assert.match((await flashOf(page))!, /^You requested a place at Lantern walk/)
        assert.match((await card(page, 0).textContent())!, /For you: 18:00–20:00.*Requested.*South.*Ann Becker/s)
        await page.locator('summary', { hasText: 'More about Stalls' }).click()
        await press(page, link(page, /^Change times: Stalls/))
        assert.equal(await page.getByLabel('From').inputValue(), '18:00')
        assert.equal(await page.getByLabel('South').isChecked(), true)
        if (scripted) await check(page)
        await press(page, link(page, 'Decline'))
        if (scripted) await check(page)
        await press(page, button(page, 'Decline'))
        assert.match((await card(page, 0).textContent())!, /You declined/)
      })
    })
  }
})
