import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { findBrowser } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, type ShiftOptions } from '#test/support/fixtures.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`budgets are skipped, ${skip}`)

/** Words and controls of the page itself, without header, navigation and footer; the height of everything. */
type Budget = { words: number; controls: number; height: number; firstAction: number }

/** What people who take part meet on a phone, with the sample data. A page that needs more shows too much at once. */
const BUDGETS: Record<string, { path: string; who?: 'paul'; first: RegExp; most: Budget }> = {
  home: {
    path: '/',
    first: /^My shifts/,
    most: { words: 150, controls: 20, height: 1800, firstAction: 240 },
  },
  'find shifts': {
    path: '/shifts/',
    first: /^Filter$/,
    most: { words: 200, controls: 25, height: 2000, firstAction: 140 },
  },
  'my shifts': {
    path: '/my-shifts/',
    first: /Blutspende im Rathaus/,
    most: { words: 200, controls: 25, height: 2000, firstAction: 240 },
  },
  'notification settings': {
    path: '/settings/notifications/',
    first: /./,
    most: { words: 180, controls: 12, height: 1600, firstAction: 400 },
  },
  'event with 3 shifts': {
    path: '/events/20/',
    first: /^Events/,
    most: { words: 200, controls: 20, height: 1800, firstAction: 80 },
  },
  'event with 3 shifts, for those who plan it': {
    path: '/events/20/',
    who: 'paul',
    first: /^Veranstaltungen/,
    most: { words: 200, controls: 25, height: 2400, firstAction: 80 },
  },
  'event with 60 shifts': {
    path: '/events/LONG/',
    first: /^Events/,
    most: { words: 900, controls: 90, height: 6000, firstAction: 80 },
  },
  'event with 60 shifts, for those who plan it': {
    path: '/events/LONG/',
    who: 'paul',
    first: /^Veranstaltungen/,
    most: { words: 900, controls: 90, height: 6000, firstAction: 80 },
  },
}

/** For those who plan: what is missing first, where the thumb is. */
const PLANNING: Budget = { words: 250, controls: 30, height: 2400, firstAction: 260 }

/** Five days of twelve shifts; one of them belongs to Ann, and every fourth is full. */
async function addLongEvent(db: Database): Promise<number> {
  const [ann, paul, olga] = await Promise.all((['ann', 'paul', 'olga'] as const).map((name) => getDemoPerson(db, name)))
  const shifts = Array.from({ length: 60 }, (_, index) => {
    const day = 10 + Math.floor(index / 12)
    const hour = (8 + (index % 6) * 2).toString().padStart(2, '0')
    const max = index % 4 === 3 ? 1 : 4
    return {
      label: `${['Main stage', 'Harbour gate'][index % 2]} ${(index % 12) + 1}`,
      start: `2026-08-${day}T${hour}:00:00+02:00`,
      flow: 'instant_confirmation',
      configuration: { minimum_number_of_participants: 1, maximum_number_of_participants: max },
    }
  })
  const made = await addEvent(db.write, { title: 'Harbour days', seenBy: [ann!], responsible: [paul!], shifts }, NOW)
  await addParticipation(db.write, { who: ann!, shift: made.shifts[20]!, state: 1 }, NOW)
  for (const [index, shift] of made.shifts.entries())
    if (index % 4 === 3) await addParticipation(db.write, { who: olga!, shift, state: 1 }, NOW)
  await transact(db.write, (tx) => refreshStatistics(tx, made.shifts))
  return made.id
}

/** One button and “…”. */
const MAX_CARD = { height: 110, controls: 2 }

/** Folded and hidden parts do not count. */
const measure = (page: Page): Promise<Budget & { first: string }> =>
  page.evaluate(() => {
    const main = document.querySelector('main')!
    const controls = [
      ...main.querySelectorAll<HTMLElement>('a[href], button, summary, input:not([type=hidden]), select, textarea'),
    ]
    const shown = controls.filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
    return {
      words: main.innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      controls: shown.length,
      height: document.documentElement.scrollHeight,
      firstAction: Math.round(shown[0]!.getBoundingClientRect().top + scrollY),
      first: shown[0]!.innerText.replaceAll(/\s+/g, ' '),
    }
  })

describe('what people meet on a phone', { skip }, () => {
  let browser: Browser
  let origin: string
  let longEvent: number
  let db: Database
  let close: () => Promise<void>

  before(async () => {
    const instance = await openDemoInstance({ hasMail: true })
    ;({ browser, origin, db, close } = instance)
    longEvent = await addLongEvent(instance.db)
  })
  after(() => close?.())

  const enter = (who: 'ann' | 'paul' = 'ann') =>
    enterAs(who, { browser, origin, look: { viewport: { width: 360, height: 740 }, hasTouch: true } })

  for (const [name, { path, who, first, most }] of Object.entries(BUDGETS))
    test(`${name} stays within its budget`, async () => {
      const { page, close: leave } = await enter(who)
      await page.goto(origin + path.replace('LONG', String(longEvent)))
      const { first: text, ...found } = await measure(page)
      console.log(name, JSON.stringify(found))
      for (const key of Object.keys(most) as (keyof Budget)[]) assert.ok(found[key] <= most[key], `${key}: ${found[key]}`)
      assert.match(text, first)
      await leave()
    })

  for (const name of ['home', 'find shifts', 'my shifts', 'notification settings'])
    test(`${name} stays within its budget in German, too`, async () => {
      const speak = (preferred_language: string) =>
        db.write.updateTable('user_profile').set({ preferred_language }).where('email', '=', 'ann@demo.example').execute()
      await speak('de')
      try {
        const { page, close: leave } = await enter()
        const { path, most } = BUDGETS[name]!
        await page.goto(origin + path)
        assert.equal(await page.locator('html').getAttribute('lang'), 'de')
        const { first: _, ...found } = await measure(page)
        console.log(name, 'in German', JSON.stringify(found))
        for (const key of Object.keys(most) as (keyof Budget)[]) assert.ok(found[key] <= most[key], `${key}: ${found[key]}`)
        await leave()
      } finally {
        await speak('en')
      }
    })

  for (const [event, isOwn] of [
    ['20', true],
    ['35', false],
    ['LONG', true],
  ] as const)
    test(`event ${event} begins with ${isOwn ? 'the own shift' : 'a shift that can be taken'}`, async () => {
      const { page, close: leave } = await enter()
      await page.goto(`${origin}/events/${event.replace('LONG', String(longEvent))}/`)
      const first = page.locator('.shift-card').first()
      assert.match((await first.textContent())!, isOwn ? /You’re in/ : /Sign up/)
      const { y, height } = (await first.boundingBox())!
      // Above the bar at the bottom.
      assert.ok(y + height <= 740 - 64, `${y + height} px`)
      await leave()
    })

  test('find shifts shows cards of one size, with something to sign up for on the first screen', async () => {
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/shifts/`)
    const cards = await page.locator('.shift-card').evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
    assert.ok(cards.length > 3 && cards.every((height) => height <= MAX_CARD.height), cards.join(', '))
    const { y, height } = (await page
      .getByRole('button', { name: /^Sign up/ })
      .first()
      .boundingBox())!
    assert.ok(y + height <= 740 - 64, `${y + height} px`)
    assert.doesNotMatch(await page.locator('main').innerText(), /missing/)
    await leave()
  })

  test('the account menu has at most seven entries, on one screen', async () => {
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/`)
    await page.locator('.menu.person > summary').click()
    const menu = page.locator('.menu.person .menu-list')
    // The three looks are one group.
    const controls = await menu.locator('.menu-item').filter({ visible: true }).count()
    const { y, height } = (await menu.boundingBox())!
    console.log('account menu', JSON.stringify({ controls, height: Math.round(height) }))
    assert.ok(controls > 3 && controls <= 7, `${controls} controls`)
    assert.ok(y >= 0 && y + height <= 740, `${y} px, ${height} px`)
    await leave()
  })

  test('the list of events begins on the first screen, in words for those who take part', async () => {
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/events/`)
    const { first, ...found } = await measure(page)
    const { y, height } = (await page.locator('.event-row').first().boundingBox())!
    console.log('list of events', JSON.stringify({ ...found, first, row: Math.round(y) }))
    assert.ok(y + height <= 740 - 64, `${y + height} px`)
    assert.doesNotMatch(await page.locator('main').innerText(), /missing/)
    assert.match(await page.locator('main').innerText(), /places? left/)
    await leave()
  })

  test('the calendar has at most 120 px of controls before its first day, in each view', async () => {
    const { page, close: leave } = await enter('paul')
    const day = NOW.toISOString().slice(0, 10)
    for (const query of ['', `?week=${day}`, `?day=${day}`, '?month=2026-09']) {
      await page.goto(`${origin}/events/calendar/${query}`)
      const head = (await page.locator('.calendar-head').boundingBox())!
      const first = (await page.locator('.earlier, .day, .event-list, .empty').filter({ visible: true }).first().boundingBox())!
      console.log('calendar', query, JSON.stringify({ controls: Math.round(first.y - head.y) }))
      assert.ok(first.y - head.y <= 120, `${query}: ${first.y - head.y} px`)
    }
    await leave()
  })

  test('the planning page begins with the first shortage; filters and other pages are folded', async () => {
    const { page, close: leave } = await enter('paul')
    await page.goto(`${origin}/planning/`)
    const { first, ...found } = await measure(page)
    const { y, height } = (await page.locator('.shortages tbody tr').first().boundingBox())!
    console.log('planning', JSON.stringify({ ...found, first, shortage: Math.round(y + height) }))
    for (const key of Object.keys(PLANNING) as (keyof Budget)[]) assert.ok(found[key] <= PLANNING[key], `${key}: ${found[key]}`)
    assert.ok(y + height <= 740 - 64, `${y + height} px`)
    assert.equal(await page.locator('.page-actions').count(), 0)
    await page.locator('.shortages-more > summary').press('Enter')
    const links = await page.locator('.shortages-more a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    assert.deepEqual(links, ['/planning/people/', '/planning/reports/', '/planning/fill/', '/planning/copy-month/'])
    const menu = (await page.locator('.shortages-more .menu-list').boundingBox())!
    assert.ok(menu.x >= 0 && menu.x + menu.width <= 360, `${menu.x}, ${menu.width}`)
    await page.keyboard.press('Escape')
    await page.locator('.finder-fold > summary').press('Enter')
    await page.getByLabel('Von').waitFor()
    await leave()
  })

  test('links in lines of text and at the bottom are large enough for a thumb', async () => {
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/events/20/`)
    const heights = await page
      .locator('.map-link, .foot-links a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))
    assert.ok(heights.length > 1 && heights.every((height) => height >= 43), heights.join(', '))
    await leave()
  })

  test('a shift is a card of one button and a fold', async () => {
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/events/35/`)
    const cards = await page.locator('.shift-card').evaluateAll((all) =>
      all.map((card) => ({
        height: card.getBoundingClientRect().height,
        controls: [...card.querySelectorAll('a, button, summary')].filter((control) => control.checkVisibility()).length,
        // The title stands over the whole width, above day and hours.
        first: card.querySelector('h3, time')!.tagName,
      })),
    )
    console.log('shift cards', JSON.stringify(cards))
    assert.equal(cards.length, 3)
    for (const { height, controls, first } of cards) {
      assert.ok(height <= MAX_CARD.height, `${height} px`)
      assert.deepEqual([controls, first], [MAX_CARD.controls, 'H3'])
    }
    await leave()
  })

  test('a card with a note has the same size, and answers come first', async () => {
    const [ann, olga] = await Promise.all((['ann', 'olga'] as const).map((name) => getDemoPerson(db, name)))
    const shift = (label: string, start: string, more: Partial<ShiftOptions> = {}): ShiftOptions => ({
      label,
      start,
      flow: 'instant_confirmation',
      flowConfiguration: { user_can_decline_confirmed: true, user_can_customize_signup_times: true },
      configuration: { minimum_number_of_participants: 1, maximum_number_of_participants: 4 },
      ...more,
    })
    const shifts = [
      // The longest dates: of another year, with the time to meet.
      shift('Evening', '2027-11-20T16:00:00+01:00', { end: '2027-11-20T22:00:00+01:00', meeting: '2027-11-20T15:30:00+01:00' }),
      shift('Night', '2027-11-21T20:00:00+01:00', { end: '2027-11-22T06:00:00+01:00', meeting: '2027-11-21T19:30:00+01:00' }),
      shift('Part', '2027-11-23T10:00:00+01:00', { end: '2027-11-23T18:00:00+01:00' }),
      shift('Swap', '2027-11-24T10:00:00+01:00'),
      shift('Other', '2027-11-25T10:00:00+01:00'),
    ]
    const made = await addEvent(db.write, { title: 'Notes', seenBy: [ann!, olga!], shifts }, NOW)
    const [, , part, given, taken] = made.shifts as [number, number, number, number, number]
    const times = { start: '2027-11-23T12:00:00+01:00', end: '2027-11-23T16:00:00+01:00' }
    await addParticipation(db.write, { who: ann!, shift: part, state: 1, ...times }, NOW)
    const own = await addParticipation(db.write, { who: ann!, shift: given, state: 1 }, NOW)
    const other = await addParticipation(db.write, { who: olga!, shift: taken, state: 1 }, NOW)
    const asked = { user_id: olga!.id, shift_id: taken, participation_id: other }
    const asks = { other_id: ann!.id, other_shift_id: given, other_participation_id: own }
    const until = { created_at: NOW, expires_at: new Date(NOW.getTime() + 1e9) }
    await db.write
      .insertInto('swap')
      .values({ ...asked, ...asks, ...until })
      .execute()
    await transact(db.write, (tx) => refreshStatistics(tx, made.shifts))
    const { page, close: leave } = await enter()
    await page.goto(`${origin}/events/${made.id}/`)
    const cards = await page
      .locator('.shift-card')
      .evaluateAll((all) =>
        all.map((card) => ({ text: (card as HTMLElement).innerText, height: card.getBoundingClientRect().height })),
      )
    console.log('cards with notes', JSON.stringify(cards.map(({ text, height }) => [text.split('\n')[0], height])))
    assert.equal(cards.length, 5)
    for (const { text, height } of cards) assert.ok(height <= MAX_CARD.height, `${text}: ${height} px`)
    const cardOf = (title: string) => cards.find(({ text }) => text.startsWith(title))!.text
    assert.match(cardOf('Evening'), /meet 15:30/)
    assert.match(cardOf('Night'), /20:00 → Mon 06:00\s+meet 19:30/)
    assert.match(cardOf('Part'), /For you: 12:00–16:00/)
    assert.match(cardOf('Swap'), /Swap with Olga/)
    await page.getByRole('link', { name: /^Answer: Swap/ }).tap()
    await page.waitForURL('**/offered/**')
    await leave()
  })

  test('what people do most takes few taps from home', async () => {
    const [ann, olga, paul] = await Promise.all((['ann', 'olga', 'paul'] as const).map((name) => getDemoPerson(db, name)))
    await db.write.deleteFrom('participation').where('user_id', '=', ann!.id).execute()
    const shift = (day: string) => ({
      label: `Watch ${day}`,
      start: `2026-05-${day}T10:00:00+02:00`,
      flow: 'instant_confirmation',
      flowConfiguration: { user_can_decline_confirmed: true },
      configuration: { minimum_number_of_participants: 1, maximum_number_of_participants: 2 },
    })
    const event = { title: 'Tower', seenBy: [ann!, olga!, paul!], shifts: ['21', '22'].map(shift) }
    const { shifts } = await addEvent(db.write, event, NOW)
    await addParticipation(db.write, { who: ann!, shift: shifts[0]!, state: 1 }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))
    const { page, close: leave } = await enter()
    const screen = 740 - 64
    const bottomOf = async (place: Locator) => {
      const { y, height } = (await place.boundingBox())!
      return y + height
    }
    let taps = 0
    /** A tap on what stands above the bar at the bottom, unless it says otherwise. */
    const tap = async (place: Locator, lowest = screen) => {
      const bottom = await bottomOf(place)
      assert.ok(bottom <= lowest, `${bottom} px`)
      await place.tap()
      taps++
    }
    const home = async () => {
      await page.goto(`${origin}/`)
      taps = 0
    }
    const link = (name: RegExp) => page.getByRole('link', { name }).first()
    const button = (name: RegExp) => page.getByRole('button', { name }).first()

    await home()
    const next = await page.locator('.next-shift h3').innerText()
    assert.ok((await bottomOf(page.locator('.next-shift'))) <= screen, 'the next shift is seen without a tap')

    await tap(button(/^Sign up: /), 2 * screen)
    await page.locator('.answered').getByText('You’re in').waitFor()
    assert.equal(taps, 1, 'to sign up')

    await home()
    await tap(page.locator('.bottom-bar').getByRole('link', { name: 'My shifts' }), 742)
    await page.waitForURL('**/my-shifts/')
    assert.equal(taps, 1, 'to open My shifts')
    await tap(link(/^Stand-in: /))
    await page.waitForURL('**/stand-in/')
    assert.equal(taps, 2, 'to look for a stand-in')
    await button(/^Ask for a stand-in$/).tap()
    await page.locator('form[action$="/stand-in/cancel/"]').first().waitFor({ state: 'attached' })

    await home()
    await tap(link(/^Can’t come: /))
    await page.waitForURL('**/decline/**')
    await tap(button(/^Give up my place$/))
    await page.locator('.flash').first().waitFor()
    assert.equal(taps, 2, 'to say that one can’t come')
    await page.goto(`${origin}/`)
    assert.notEqual(await page.locator('.next-shift h3').innerText(), next)
    await leave()
  })
})
