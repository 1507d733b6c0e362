import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, getDemoPerson, makeEntrance, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, addPerson } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`second taps in a browser are skipped, ${skip}`)

/** Lists take turns with the widths. */
const widthsOf = (number: number): readonly number[] => chooseSize({ usual: [[360, 1280][number % 2]!], full: [360, 1280] })
const PHONE = { viewport: { width: 360, height: 740 } }
/** Longer than a second tap is ignored. */
const LATER_MS = 60_000

type Name = 'ann' | 'olga'
type Place = { x: number; y: number }
/** A list with at least two rows that have the same button. */
type List = {
  who: Name
  path: string
  button: (page: Page) => Locator
  /** What unfolds the rows first. */
  folds?: string
  /** How many rows are answered. */
  count: () => Promise<number>
}

describe('a second tap at the same place', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  let ann: Person
  let olga: Person
  let enter: ReturnType<typeof makeEntrance>
  let days = 0

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    enter = makeEntrance(browser, origin)
    ann = await getDemoPerson(db, 'ann')
    olga = await getDemoPerson(db, 'olga')
  })
  after(() => close?.())

  /** Shifts on different days, soon and with nobody, so that the home page shows them first. */
  async function addShifts(title: string, seenBy: Person[], options: { flow?: string; max?: number } = {}) {
    const { flow = 'instant_confirmation', max = 3 } = options
    await db.write.deleteFrom('participation').where('user_id', '=', ann.id).execute()
    await db.write.updateTable('event').set({ deleted_at: NOW }).where('title', 'like', 'Tap %').execute()
    const made = await addEvent(
      db.write,
      {
        title,
        seenBy,
        shifts: ['First', 'Second', 'Third'].map((label, index) => ({
          label,
          start: `2026-05-20T${13 + 2 * index}:00:00+02:00`,
          end: `2026-05-20T${14 + 2 * index}:30:00+02:00`,
          flow,
          configuration: { minimum_number_of_participants: Math.min(2, max), maximum_number_of_participants: max },
        })),
      },
      NOW,
    )
    await transact(db.write, (tx) => refreshStatistics(tx, made.shifts))
    return made
  }
  const countRows = async (query: { executeTakeFirstOrThrow: () => Promise<{ count: unknown }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const countOf =
    (shifts: number[], userId = ann.id) =>
    () =>
      countRows(
        db.read
          .selectFrom('participation')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('user_id', '=', userId)
          .where('shift_id', 'in', shifts),
      )
  const countRequests = (ids: readonly number[]) => () =>
    countRows(
      db.read
        .selectFrom('decision_request')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('id', 'in', [...ids])
        .where('state', '<>', 'open'),
    )
  async function addRequests(user: Person): Promise<number[]> {
    await db.write.deleteFrom('decision_request').execute()
    const rows = [1, 2, 3].map((n) => ({
      kind: 'working_hours',
      user_id: user.id,
      data: JSON.stringify({ date: `2026-05-0${n}`, hours: n, reason: `Reason ${n}` }),
      created_at: NOW,
    }))
    return (await db.write.insertInto('decision_request').values(rows).returning('id').execute()).map(({ id }) => Number(id))
  }

  async function addLines(pathOf: (event: number) => string): Promise<List> {
    const { id, shifts } = await addShifts(`Tap line ${days++}`, [ann], { max: 1 })
    for (const shift of shifts) await addParticipation(db.write, { shift, who: olga, state: 1 }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))
    return {
      who: 'ann',
      path: pathOf(id),
      button: (page) => page.locator('form[action$="/line/join/"] button'),
      count: () =>
        countRows(
          db.read
            .selectFrom('waiting_entry')
            .select((eb) => eb.fn.countAll().as('count'))
            .where('shift_id', 'in', shifts)
            .where('user_id', '=', ann.id),
        ),
    }
  }

  const LISTS: Record<string, () => Promise<List>> = {
    'wanted shifts on the home page': async () => {
      const { shifts } = await addShifts(`Tap home ${days++}`, [ann])
      return {
        who: 'ann',
        path: '/',
        button: (page) => page.getByRole('button', { name: /^Sign up: Tap home/ }),
        count: countOf(shifts),
      }
    },
    'requests on the home page': async () => {
      const { shifts } = await addShifts(`Tap ask ${days++}`, [ann], { flow: 'request_confirm' })
      return {
        who: 'ann',
        path: '/',
        button: (page) => page.getByRole('button', { name: /^Sign up: Tap ask/ }),
        count: countOf(shifts),
      }
    },
    'shifts that were found': async () => {
      const { shifts } = await addShifts(`Tap find ${days++}`, [ann])
      return {
        who: 'ann',
        path: '/shifts/?q=Tap+find',
        button: (page) => page.getByRole('button', { name: /^Sign up: Tap find/ }),
        count: countOf(shifts),
      }
    },
    'refusals on the page of an event': async () => {
      const { id, shifts } = await addShifts(`Tap no ${days++}`, [ann])
      return {
        who: 'ann',
        path: `/events/${id}/`,
        folds: '.shift-more > summary',
        button: (page) => page.getByRole('button', { name: /^Decline: / }),
        count: countOf(shifts),
      }
    },
    'requests for shifts in my shifts': async () => {
      const { shifts } = await addShifts(`Tap back ${days++}`, [ann], { flow: 'request_confirm' })
      for (const shift of shifts) await addParticipation(db.write, { who: ann, shift, state: 0 }, NOW)
      return {
        who: 'ann',
        path: '/my-shifts/',
        button: (page) => page.getByRole('button', { name: /^Withdraw: Tap back/ }),
        count: () =>
          countRows(
            db.read
              .selectFrom('participation')
              .select((eb) => eb.fn.countAll().as('count'))
              .where('shift_id', 'in', shifts)
              .where('state', '=', 2),
          ),
      }
    },
    'shifts of an event': async () => {
      const { id, shifts } = await addShifts(`Tap event ${days++}`, [ann])
      return {
        who: 'ann',
        path: `/events/${id}/`,
        button: (page) => page.getByRole('button', { name: /^Sign up: / }),
        count: countOf(shifts),
      }
    },
    'rows of a long event': async () => {
      await addShifts(`Tap gone ${days++}`, [ann])
      const shifts = Array.from({ length: 9 }, (_, index) => ({
        label: `Row ${index + 1}`,
        start: `2026-05-${21 + (index % 3)}T${10 + 2 * Math.floor(index / 3)}:00:00+02:00`,
        flow: 'instant_confirmation',
      }))
      const made = await addEvent(db.write, { title: `Tap long ${days++}`, seenBy: [ann], shifts }, NOW)
      return {
        who: 'ann',
        path: `/events/${made.id}/?show=fits`,
        button: (page) => page.getByRole('button', { name: /^Sign up: / }),
        count: countOf(made.shifts),
      }
    },
    'waiting lists of an event': () => addLines((id) => `/events/${id}/`),
    'waiting lists that were found': () => addLines(() => '/shifts/?q=Tap+line&all=1'),
    'children of an event': async () => {
      const child: Person = {
        ...ann,
        id: 7000 + days++,
        name: 'Lena Tap',
        email: `lena${days}@demo.example`,
        dateOfBirth: '2015-03-04',
      }
      await addPerson(db.write, child, NOW)
      await db.write.insertInto('guardianship').values({ guardian_id: ann.id, child_id: child.id, since: NOW }).execute()
      const { id, shifts } = await addShifts(`Tap child ${days}`, [child])
      return {
        who: 'ann',
        path: `/family/${child.id}/events/${id}/`,
        button: (page) => page.getByRole('button', { name: /^Sign up: / }),
        count: countOf(shifts, child.id),
      }
    },
    'requests that are granted': async () => ({
      who: 'olga',
      path: '/manage/requests/',
      count: countRequests(await addRequests(ann)),
      button: (page) => page.locator('.request-decision button[value=grant]'),
    }),
    'requests to decide': async () => ({
      who: 'olga',
      path: '/manage/requests/',
      count: countRequests(await addRequests(ann)),
      button: (page) => page.locator('.request-decision button[value=refuse]'),
    }),
    'own requests of my shifts': async () => ({
      who: 'ann',
      path: '/my-shifts/',
      count: countRequests(await addRequests(ann)),
      button: (page) => page.locator('.request form button'),
    }),
    'the bin': async () => {
      const ids: number[] = []
      for (const n of [1, 2, 3]) ids.push((await addEvent(db.write, { title: `Binned ${n}`, seenBy: [olga] }, NOW)).id)
      await db.write.updateTable('event').set({ deleted_at: NOW }).where('id', 'in', ids).execute()
      return {
        who: 'olga',
        path: '/events/bin/',
        button: (page) => page.getByRole('button', { name: /Binned/ }),
        count: () =>
          countRows(
            db.read
              .selectFrom('event')
              .select((eb) => eb.fn.countAll().as('count'))
              .where('id', 'in', ids)
              .where('deleted_at', 'is', null),
          ),
      }
    },
  }

  async function placeOf(target: Locator): Promise<Place> {
    // In the middle of the window, so that neither bar nor message covers it.
    await target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = (await target.boundingBox())!
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  /** Taps twice. The page believes that `apart` milliseconds pass between; the second tap waits for the answer to the first. */
  async function tapTwice(page: Page, { x, y }: Place, apart: number): Promise<{ posts: string[] }> {
    const posts: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())))
    const start = Date.now()
    await page.clock.setFixedTime(start)
    await page.mouse.click(x, y)
    await page.locator('#flashes .flash:not([data-busy])').waitFor()
    await page.clock.setFixedTime(start + apart)
    await page.mouse.click(x, y)
    // A request of the click would have begun before the browser answers this.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done))).catch(() => page.waitForLoadState())
    // The second tap may follow a link of the new page.
    await page.waitForLoadState('networkidle')
    return { posts }
  }

  for (const [number, [name, setUp]] of Object.entries(LISTS).entries())
    for (const width of widthsOf(number))
      test(`acts once on ${name}, ${width} px`, async () => {
        const { who, path, button, count, folds } = await setUp()
        const { page, close: leave } = await enter(who, { viewport: { width, height: 740 }, hasTouch: width === 360 })
        await page.goto(`${origin}${path}`)
        for (const fold of folds ? await page.locator(folds).all() : []) await fold.click()
        assert.ok((await button(page).count()) >= 2, 'several rows')
        const before = await count()
        const { posts } = await tapTwice(page, await placeOf(button(page).first()), 600)
        assert.equal(posts.length, 1)
        assert.equal(await count(), before + 1)
        assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])
        await leave()
      })

  for (const [number, name] of [
    'wanted shifts on the home page',
    'shifts that were found',
    'shifts of an event',
    'rows of a long event',
    'requests to decide',
    'own requests of my shifts',
  ].entries())
    for (const width of widthsOf(number + 1))
      test(`holds no action of another row there later, either: ${name}, ${width} px`, async () => {
        const { who, path, button, count, folds } = await LISTS[name]!()
        const { page, close: leave } = await enter(who, { viewport: { width, height: 740 } })
        await page.goto(`${origin}${path}`)
        for (const fold of folds ? await page.locator(folds).all() : []) await fold.click()
        const before = await count()
        const place = await placeOf(button(page).first())
        const { posts } = await tapTwice(page, place, LATER_MS)
        assert.equal(posts.length, 1)
        assert.equal(await count(), before + 1)
        await leave()
      })

  describe('on lists that load the page again', () => {
    /** How many of three other devices are still signed in, as the page says. */
    async function signOutTwice(apart: number, expected: number): Promise<void> {
      await db.write.deleteFrom('session').where('user_id', '=', ann.id).execute()
      const others = []
      for (let n = 0; n < 3; n++) others.push(await enterAs('ann', { browser, origin, look: PHONE }))
      const { page, close: leave } = await enterAs('ann', { browser, origin, look: PHONE })
      await page.goto(`${origin}/settings/security/`)
      const place = await placeOf(page.locator('form[action$="/device/"] button').first())
      // The page begins at its top again: put the next button under the finger.
      await page.addInitScript(() => {
        document.addEventListener('DOMContentLoaded', () => {
          document.querySelector('form[action$="/device/"]')?.scrollIntoView({ block: 'center' })
        })
      })
      await tapTwice(page, place, apart)
      await page.waitForFunction((count) => document.querySelectorAll('form[action$="/device/"]').length === count, expected)
      const left = db.read
        .selectFrom('session')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('user_id', '=', ann.id)
      assert.equal(await countRows(left), expected + 1)
      for (const one of [...others, { close: leave }]) await one.close()
    }
    test('a tap soon after is ignored', () => signOutTwice(600, 2))
    test('a later tap is not', () => signOutTwice(LATER_MS, 1))
  })

  test('adds one person on a board', async () => {
    const { shifts } = await addShifts(`Tap board ${days++}`, [ann])
    const { page, close: leave } = await enterAs('olga', { browser, origin, look: { viewport: { width: 1280, height: 740 } } })
    await page.goto(`${origin}/shifts/${shifts[0]}/disposition/`)
    await page.locator('button[value=search]').click()
    const add = page.locator('button[id^=add-local-]')
    await add.first().waitFor()
    const { x, y } = await placeOf(add.first())
    const start = Date.now()
    await page.clock.setFixedTime(start + LATER_MS)
    await page.mouse.click(x, y)
    const fresh = page.locator('[data-card][data-fresh]')
    await fresh.first().waitFor()
    await page.clock.setFixedTime(start + LATER_MS + 600)
    await page.mouse.click(x, y)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    await page.waitForFunction(() => !document.querySelector('form[data-board].busy'))
    assert.equal(await fresh.count(), 1)
    await page.evaluate(() => {
      for (const card of document.querySelectorAll('[data-card]')) card.classList.remove('changed')
    })
    await leave()
  })

  describe('undoing by keys', () => {
    test('Tab leads from the answer to the button', async () => {
      const { shifts } = await addShifts(`Tap keys ${days++}`, [ann])
      const count = countOf(shifts)
      const { page, close: leave } = await enterAs('ann', { browser, origin, look: PHONE })
      await page
        .getByRole('button', { name: /^Sign up: Tap keys/ })
        .first()
        .focus()
      await page.keyboard.press('Enter')
      await page.locator('.answered:focus').waitFor()
      assert.equal(await count(), 1)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.match((await page.locator(':focus').textContent())!, /Undo/)
      await page.keyboard.press('Enter')
      await page.locator('.flash', { hasText: 'Undone.' }).waitFor()
      assert.equal(await count(), 0)
      await leave()
    })
    test('Ctrl+Z undoes in a list and in a message, and is announced', async () => {
      const { id, shifts } = await addShifts(`Tap keys ${days++}`, [ann])
      const count = countOf(shifts)
      const { page, close: leave } = await enterAs('ann', { browser, origin, look: { viewport: { width: 1280, height: 740 } } })
      await page.goto(`${origin}/events/${id}/`)
      await page
        .getByRole('button', { name: /^Sign up: / })
        .first()
        .click()
      await page.locator('.answered form[data-undo]').waitFor()
      assert.equal(await count(), 1)
      await page.keyboard.press('Control+z')
      await page.locator('.flash', { hasText: 'Undone.' }).waitFor()
      assert.equal(await count(), 0)
      await leave()
      const typeId = await countRows(db.read.selectFrom('event_type').select((eb) => eb.fn.min('id').as('count')))
      const isActive = async () =>
        (await db.read.selectFrom('event_type').select('archived_at').where('id', '=', typeId).executeTakeFirstOrThrow())
          .archived_at === null
      const manager = await enterAs('olga', { browser, origin, look: PHONE })
      await manager.page.goto(`${origin}/manage/event-types/${typeId}/archive/`)
      await manager.page.locator('main form button').first().click()
      await manager.page.locator('#flashes form[data-undo]').waitFor()
      assert.equal(await isActive(), false)
      await manager.page.keyboard.press('Control+z')
      await manager.page.locator('#flashes form[data-undo]').waitFor({ state: 'detached' })
      assert.equal(await isActive(), true)
      await manager.close()
    })
  })

  test('keeps the last row of a list with its heading, also when the page is updated', async () => {
    const { id, shifts } = await addShifts(`Tap last ${days++}`, [ann])
    await db.write.deleteFrom('shift').where('id', 'in', shifts.slice(1)).execute()
    await db.write.updateTable('event').set({ deleted_at: NOW }).where('id', '<>', id).execute()
    const { page, close: leave } = await enterAs('ann', { browser, origin, look: PHONE })
    const heading = await page.textContent('#wanted h2')
    await page.getByRole('button', { name: /^Sign up: Tap last/ }).click()
    const answer = page.locator('#wanted .answered')
    await answer.waitFor()
    assert.equal(await page.textContent('#wanted h2'), heading)
    await db.write.updateTable('event').set({ title: 'Tap changed' }).where('id', '=', id).execute()
    await page.clock.setFixedTime(Date.now() + LATER_MS)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page
      .getByRole('link', { name: /Tap changed/ })
      .first()
      .waitFor()
    assert.match((await page.textContent('#wanted'))!, /Tap last .*You’re in/s)
    await page.goto(`${origin}/`)
    assert.equal(await page.locator('#wanted .shift-card').count(), 0)
    await leave()
  })
})
