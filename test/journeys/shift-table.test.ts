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
if (skip) console.log(`the shift table in a browser is skipped, ${skip}`)

/** Refusals that the journeys provoke. */
const expected = /status of (409|422)/

/** A festival as it is copied from a spreadsheet: 67 shifts on three days, with the day named once. */
const DAYS = ['Fri 12 Jun', 'Sat 13 Jun', 'Sun 14 Jun']
const POSTS = ['Entrance', 'Bar', 'Stage', 'First aid', 'Parking']
const FESTIVAL = DAYS.flatMap((day) =>
  POSTS.flatMap((post, at) =>
    Array.from({ length: 5 }, (_, slot) => {
      const start = 8 + slot * 2
      return `${at === 0 && slot === 0 ? day : ''}\t${start}\t${start + 2}:00\t${post}\t${at + 1}\tsee plan`
    }),
  ),
)
const ROWS = FESTIVAL.slice(0, 67)

describe('the shift table', { skip }, () => {
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
    await db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', paul.id).execute()
  })
  after(() => close?.())

  const addFestival = async () => {
    const start = '2026-06-12T06:00:00+02:00'
    const made = await addEvent(
      db.write,
      {
        title: 'Festival',
        seenBy: [ann],
        responsible: [paul],
        shifts: [{ label: 'Set-up', start, end: '2026-06-12T08:00:00+02:00' }],
      },
      NOW,
    )
    return { ...made, path: `${origin}/events/${made.id}/shifts/` }
  }
  const count = async (eventId: number, label?: string) => {
    const rows = await db.read
      .selectFrom('shift')
      .select(['label', 'start_time', 'max_count'])
      .where('event_id', '=', eventId)
      .execute()
    return label === undefined ? rows.length : rows.filter((row) => row.label === label).length
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const sound = async (page: Page) => {
    assert.deepEqual(await axeProblems(page), [])
    assert.deepEqual(await overflowing(page), [])
  }

  for (const javaScriptEnabled of chooseVariants([true, false], 0))
    test(`takes 67 shifts from a spreadsheet and changes them at once, with${javaScriptEnabled ? '' : 'out'} scripts`, async () => {
      assert.equal(ROWS.length, 67)
      const { id, shifts, path } = await addFestival()
      const look = { viewport: { width: 1280, height: 900 }, javaScriptEnabled }
      const { page, close: leave } = await enterAs('paul', { browser, origin, look, expected })
      await page.goto(path)
      await page.locator('summary', { hasText: 'Paste from a spreadsheet' }).click()
      await page.fill('[name=paste]', `Day\tFrom\tTo\tTask\tHelpers\tNotes\n${ROWS.join('\n')}`)
      await press(page, 'Add these rows')
      await page.getByText('67 rows were added below. They are not saved yet. These columns were left out: Notes.').waitFor()
      assert.equal(await page.inputValue('[name=r1-date]'), 'Fri 12 Jun')
      await page.fill('[name=r1-end]', 'late')
      await press(page, 'Save')
      await page.getByText('Row 2, End: This is not a time.').waitFor()
      assert.equal(await count(id), 1)
      await page.fill('[name=r1-end]', '10')
      await press(page, 'Save')
      await page.getByText('67 shifts are saved. Nobody is notified of this change.').waitFor()
      assert.equal(await count(id), 68)
      if (javaScriptEnabled) await sound(page)

      await addParticipation(db.write, { who: ann, shift: shifts[0]!, state: 1 }, NOW)
      await page.goto(path)
      await page.check('[name=r0-pick]')
      await page.check('[name=r1-pick]')
      await page.locator('summary', { hasText: 'Change chosen rows' }).click()
      await page.fill('[name=by_count]', '30')
      await page.fill('[name=set_max]', '7')
      await press(page, 'Change')
      await page.getByText('2 rows were changed. They are not saved yet.').waitFor()
      assert.equal(await page.inputValue('[name=r0-start]'), '06:30')
      await press(page, 'Save')
      await page.getByText('What saving does').waitFor()
      assert.match((await page.textContent('.table-effects'))!, /2 changed shifts\. One person is notified\..*Ann/s)
      if (javaScriptEnabled) await sound(page)
      await press(page, 'Save and notify one person')
      await page.getByText('2 shifts are saved.').waitFor()
      assert.equal(await page.inputValue('[name=r0-max]'), '7')
      await page.locator('.table-last').getByRole('button', { name: 'Undo' }).press('Enter')
      await page.getByText('2 changes were taken back.').waitFor()
      assert.equal(await page.inputValue('[name=r0-start]'), '06:00')
      assert.equal(await count(id), 68)
      await leave()
    })

  test('moves by keys, fills down and takes a paste into a cell', async () => {
    const { path } = await addFestival()
    const { page, close: leave } = await enterAs('paul', { browser, origin, look: { viewport: { width: 1280, height: 900 } } })
    await page.goto(path)
    await page.focus('[name=r0-label]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+d')
    assert.equal(await page.inputValue('[name=r1-label]'), 'Set-up')
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).name), 'r1-min')
    const pasteInto = (name: string, text: string) =>
      page.evaluate(
        ([field, value]) => {
          const data = new DataTransfer()
          data.setData('text/plain', value!)
          document
            .getElementsByName(field!)[0]!
            .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
        },
        [name, text],
      )
    await pasteInto('r0-min', '2\t4')
    assert.deepEqual([await page.inputValue('[name=r0-min]'), await page.inputValue('[name=r0-max]')], ['2', '4'])
    await page.fill('[name=r1-label]', '')
    await pasteInto('r1-date', '12 Jun\t9\t11\tBar\n12 Jun\t11\t13\tBar')
    await page.getByText('2 rows were added below.').waitFor()
    assert.equal(await page.inputValue('[name=r2-label]'), 'Bar')
    await leave()
  })

  test('keeps what two planners type', async () => {
    const { path } = await addFestival()
    const look = { viewport: { width: 360, height: 740 } }
    const first = await enterAs('paul', { browser, origin, look, expected })
    const second = await enterAs('paul', { browser, origin, look, expected })
    await first.page.goto(path)
    await second.page.goto(path)
    await sound(first.page)
    await first.page.fill('[name=r0-label]', 'Building up')
    await press(first.page, 'Save')
    await first.page.getByText('One shift is saved.').waitFor()
    await second.page.fill('[name=r0-label]', 'Preparation')
    await press(second.page, 'Save')
    await second.page.getByText('Now saved by someone else: title Building up.').waitFor()
    assert.equal(await second.page.inputValue('[name=r0-label]'), 'Preparation')
    await press(second.page, 'Save')
    await second.page.getByText('One shift is saved.').waitFor()
    await first.close()
    await second.close()
  })
})
