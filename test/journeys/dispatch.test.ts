import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Database } from '#platform/db/pool.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { enterAs, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, addPerson } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'

const hour = (of: number) => `2026-06-20T${String(of).padStart(2, '0')}:00:00+02:00`

/** Browsers log the 409 and 422 of a refused board as errors, and requests without a connection. */
const EXPECTED = /status of 4(09|22)|ERR_INTERNET_DISCONNECTED/

const skip = findBrowser({ isComplete: true }) ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`dispatching in a browser is skipped, ${skip}`)

describe('dispatching in a browser', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  const people: Person[] = []

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance({ isComplete: true }))
    for (const [index, name] of ['Ada Quist', 'Bo Quist', 'Cy Quist', 'Di Quist'].entries()) {
      const person: Person = {
        kind: 'person',
        id: 9000 + index,
        name,
        email: `q${index}@demo.example`,
        dateOfBirth: '1990-01-01',
        phone: null,
      }
      await addPerson(db.write, person, NOW)
      people.push(person)
    }
  })
  after(() => close?.())

  async function hasBoard() {
    const teams = ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 1, max_count: 2 }))
    const shift = { label: 'Stalls', start: hour(10), end: hour(14), structure: 'named_teams', configuration: { teams } }
    const { id, shifts } = await addEvent(db.write, { title: 'Fair', shifts: [shift, { label: 'Night', start: hour(20) }] }, NOW)
    for (const who of people.slice(0, 3)) await addParticipation(db.write, { who, shift: shifts[0]!, state: 0 }, NOW)
    return { shift: shifts[0]!, board: `${origin}/shifts/${shifts[0]}/disposition/`, across: `${origin}/events/${id}/board/` }
  }
  const statesOn = async (shift: number) =>
    Object.fromEntries(
      (await db.read.selectFrom('participation').selectAll().where('shift_id', '=', shift).execute()).map(
        ({ user_id, placeholder_name, state, structure_data }) => [
          people.find(({ id }) => id === user_id)?.name ?? placeholder_name,
          [state, (structure_data as Record<string, string>).dispatched_team_uuid].filter((one) => one !== undefined).join(' '),
        ],
      ),
    )

  /** Signed in as the administrator, who may change every event. */
  const enter = (look: BrowserContextOptions) => enterAs('olga', { browser, origin, look, expected: EXPECTED })
  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())
  const card = (page: Page, { id }: Person) => page.locator(`#card-local-${id}`)
  const column = (page: Page, id: string) => page.locator(`#${id}`)
  const isIn = async (page: Page, id: string, person: Person) =>
    column(page, id).locator(`#card-local-${person.id}`).waitFor({ state: 'attached' })
  const saysSaved = (page: Page, count: number) =>
    page.locator('[data-flash] p', { hasText: `${count} change${count === 1 ? '' : 's'} saved` }).waitFor()
  /** Fully inside of the window and not covered. */
  const isInView = async (page: Page, message: Locator) => {
    await message.waitFor()
    const isOnTop = await message.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect()
      // Presses go through a message, which hides it from hit tests.
      const { style } = element as HTMLElement
      style.pointerEvents = 'auto'
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      style.pointerEvents = ''
      return top >= 0 && bottom <= innerHeight && element.contains(middle)
    })
    assert.ok(isOnTop, `in view at ${page.url()}`)
  }
  /** Waits until the server has answered the last move. */
  const settled = (page: Page, count: number) => page.locator('[data-save]', { hasText: `Save ${count} change` }).waitFor()

  test('works with the keyboard only, on a desktop', async () => {
    const { shift, board } = await hasBoard()
    const [ada, bo, cy, di] = people as [Person, Person, Person, Person]
    const { page, close } = await enter({ viewport: { width: 1280, height: 900 } })
    await page.goto(board)
    await check(page)
    await card(page, ada).focus()
    await page.keyboard.press('ArrowRight')
    await isIn(page, 'confirmed', ada)
    await settled(page, 1)
    assert.equal(await page.evaluate(() => document.activeElement?.id), `card-local-${ada.id}`, 'the card keeps the focus')
    await card(page, bo).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('South')
    await isIn(page, 'confirmed', bo)
    await settled(page, 2)
    await card(page, cy).focus()
    for (const _step of [1, 2, 3]) await page.keyboard.press('ArrowRight')
    await isIn(page, 'rejected', cy)
    await settled(page, 3)
    await page.locator('#find-q').focus()
    await page.keyboard.type('di quist')
    await page.keyboard.press('Enter')
    await page.locator(`#add-local-${di.id}`).focus()
    await page.keyboard.press('Enter')
    await isIn(page, 'confirmed', di)
    await page.locator('#find-placeholder').focus()
    await page.keyboard.type('Driver')
    await page.keyboard.press('Enter')
    await settled(page, 5)
    await check(page)
    assert.deepEqual(await statesOn(shift), { 'Ada Quist': '0', 'Bo Quist': '0', 'Cy Quist': '0' }, 'nothing is stored yet')
    await page.locator('[data-save]').focus()
    await page.keyboard.press('Enter')
    await saysSaved(page, 5)
    const states = await statesOn(shift)
    assert.match(states['Ada Quist']!, /^1 (North|South)$/)
    assert.deepEqual([states['Bo Quist'], states['Cy Quist']], ['1 South', '3'])
    assert.match(states['Di Quist']!, /^1 /)
    assert.match(states.Driver!, /^1 /)
    await close()
  })

  test('works by touch, on a phone', async () => {
    const { shift, board, across } = await hasBoard()
    const [ada, bo] = people as [Person, Person]
    const { page, close } = await enter({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    await page.goto(board)
    await check(page)
    const touch = await page.context().newCDPSession(page)
    const drag = async (from: Locator, to: Locator) => {
      const middle = async (of: Locator) => {
        const box = (await of.boundingBox())!
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      }
      const [start, end] = [await middle(from), await middle(to)]
      // A quick drag: the browser takes a movement of this speed for a fling.
      let seconds = Date.now() / 1000
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) => {
        seconds += 0.008
        return touch.send('Input.dispatchTouchEvent', { type, touchPoints: points, timestamp: seconds })
      }
      await send('touchStart', [start])
      for (const part of [0.3, 0.6, 1])
        await send('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }])
      await send('touchEnd', [])
    }
    const tab = (name: RegExp) => page.locator('.board-tabs a', { hasText: name })
    await drag(card(page, ada).locator('[data-grip]'), tab(/Confirmed/))
    await isIn(page, 'confirmed', ada)
    await settled(page, 1)
    await card(page, bo).locator('select').selectOption('1:South')
    await settled(page, 2)
    await tab(/Confirmed/).tap()
    await page.waitForURL(/#confirmed$/)
    await card(page, bo).waitFor()
    assert.equal(await column(page, 'requested').isVisible(), false)
    await check(page)
    await page.locator('[data-save]').tap()
    await saysSaved(page, 2)
    assert.match((await statesOn(shift))['Ada Quist']!, /^1 /)
    assert.equal(await column(page, 'confirmed').isVisible(), true, 'the chosen column stays')
    await page.goto(across)
    await check(page)
    const hasBlankEnd = () =>
      page.evaluate(() => {
        const { bottom } = document.querySelector('.site-foot')!.getBoundingClientRect()
        return document.documentElement.scrollHeight > Math.max(innerHeight, bottom + scrollY) + 1
      })
    assert.equal(await hasBlankEnd(), false, 'the page ends with its footer')
    await page.getByLabel(/^Ada Quist, Night/).selectOption('1')
    await page.locator('summary', { hasText: 'Add people' }).tap()
    await page.locator('#find-q').fill('di quist')
    await page.locator('button[value=search]').tap()
    await page.locator(`#add-local-${people[3]!.id}`).tap()
    await page.getByLabel(/^Di Quist, Night/).selectOption('0')
    await settled(page, 2)
    await check(page)
    const [table, save] = [(await page.locator('.sheet').boundingBox())!, (await page.locator('[data-save]').boundingBox())!]
    assert.ok(save.y >= table.y + table.height, 'the button covers no rows')
    await page.locator('[data-save]').tap()
    await saysSaved(page, 2)
    await close()
  })

  test('does not replace what is pressed before its click arrives, which takes long on a busy phone', async () => {
    const { board } = await hasBoard()
    const bo = people[1]!
    const { page, close } = await enter({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    await page.clock.install()
    await page.goto(board)
    // Otherwise a loaded machine sends the update before the pointer is down.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 600_000))
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
    const press = (type: string) =>
      page.locator('.board-tabs a', { hasText: /Confirmed/ }).dispatchEvent(type, { bubbles: true, cancelable: true })
    await card(page, bo).locator('select').selectOption('1:South')
    await press('pointerdown')
    await press('pointerup')
    await page.clock.runFor(2000)
    assert.deepEqual(sent, [], 'the board waits with its update')
    await press('click')
    assert.match(page.url(), /#confirmed$/)
    assert.equal(await column(page, 'confirmed').isVisible(), true)
    await page.clock.runFor(1000)
    await settled(page, 1)
    assert.equal(sent.length, 1)
    await close()
  })

  test('says in view that nothing was saved without a connection, and keeps the changes', async () => {
    const { shift, board, across } = await hasBoard()
    const bo = people[1]!
    const { page, close } = await enter({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    await page.goto(board)
    await card(page, bo).locator('select').selectOption('1:South')
    await settled(page, 1)
    await page.context().setOffline(true)
    await page.locator('[data-save]').tap()
    await isInView(page, page.locator('#flashes [role=alert]', { hasText: 'Not saved: there is no connection' }))
    await settled(page, 1)
    await page.context().setOffline(false)
    await page.locator('[data-save]').tap()
    await saysSaved(page, 1)
    await isInView(page, page.locator('#flashes [role=status]'))
    assert.equal((await statesOn(shift))['Bo Quist'], '1 South')
    await page.goto(across)
    await page.getByLabel(/^Bo Quist, Night/).selectOption('1')
    await page.context().setOffline(true)
    await page.locator('[data-save]').tap()
    await isInView(page, page.locator('#flashes [role=alert]', { hasText: 'Not saved' }))
    await page.context().setOffline(false)
    await page.locator('[data-save]').tap()
    await saysSaved(page, 1)
    await close()
  })

  test('two planners on the same board see the changes of each other', async () => {
    const { shift, board } = await hasBoard()
    const [ada, bo, cy] = people as [Person, Person, Person]
    const look = { viewport: { width: 1280, height: 900 } }
    const [mine, theirs] = await Promise.all([enter(look), enter({ ...look, colorScheme: 'dark' })])
    await mine.page.goto(board)
    await theirs.page.goto(board)
    await card(mine.page, ada).locator('select').selectOption('1:North')
    await settled(mine.page, 1)
    for (const [person, to] of [
      [ada, '3'],
      [bo, '1:South'],
    ] as const)
      await card(theirs.page, person).locator('select').selectOption(to)
    await settled(theirs.page, 2)
    await theirs.page.locator('[data-save]').click()
    await saysSaved(theirs.page, 2)

    // Focusing the window refreshes the board; otherwise it takes a few seconds.
    await mine.page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await isIn(mine.page, 'confirmed', bo)
    const stale = card(mine.page, ada).locator('.dispo-stale')
    await stale.waitFor()
    assert.match((await stale.textContent())!, /Your version.*Confirmed, North.*Current version.*Rejected/s)
    await check(mine.page)
    await card(mine.page, cy).locator('select').selectOption('1:North')
    await settled(mine.page, 2)
    await mine.page.locator('[data-save]').click()
    await mine.page.locator('[data-flash] p', { hasText: '1 change saved. Someone else has changed one card' }).waitFor()
    assert.deepEqual(await statesOn(shift), { 'Ada Quist': '3', 'Bo Quist': '1 South', 'Cy Quist': '1 North' })
    await card(mine.page, ada)
      .getByRole('button', { name: /^Keep mine/ })
      .click()
    await stale.waitFor({ state: 'detached' })
    await mine.page.locator('[data-save]').click()
    await saysSaved(mine.page, 1)
    await theirs.page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await isIn(theirs.page, 'confirmed', ada)
    await check(theirs.page)
    assert.deepEqual((await statesOn(shift))['Ada Quist'], '1 North')
    await mine.close()
    await theirs.close()
  })
})
