import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { checkInPath } from './rules/paths.ts'

const skip = findBrowser({ isComplete: true }) ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`browser tests of the check-in are skipped, ${skip}`)

describe('a check-in without network', { skip }, async () => {
  const instance = await openInstance()
  const { write } = instance.db
  let browser: Browser
  let phone: BrowserContext
  let page: Page
  let path: string
  let eventId: number
  let places: number[]

  const signIn = async (context: BrowserContext, who: Person) => {
    const { sessionId } = await instance.browserOf(who)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    return sessionId
  }

  before(async () => {
    const found = await openBrowser({ isComplete: true })
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await write.insertInto('event_type').values({ title: 'Service' }).execute()
    const at = (hours: number) => new Date(instance.now.getTime() + hours * 3600_000).toISOString()
    const { id, shifts } = await addEvent(
      write,
      {
        title: 'City marathon',
        seenBy: [HELPERS],
        responsible: [PAUL, OLGA],
        shifts: [{ label: 'First aid', start: at(-1), end: at(6) }],
      },
      instance.now,
    )
    eventId = id
    path = checkInPath(id)
    places = []
    for (const who of [ANN, BEN]) places.push(await addParticipation(write, { who, shift: shifts[0]!, state: 1 }, instance.now))
    phone = await browser.newContext({ viewport: { width: 360, height: 740 }, serviceWorkers: 'allow' })
    await signIn(phone, PAUL)
    page = await phone.newPage()
  })
  after(() => browser?.close())

  const row = (who: Person, on: Page = page) => on.locator(`[data-name="${who.name}"]`)
  const press = (who: Person, label: string, on: Page = page) =>
    row(who, on)
      .getByRole('button', { name: `${label}: ${who.name}`, exact: true })
      .click()
  const waitFor = (who: Person, text: RegExp, on: Page = page) => row(who, on).filter({ hasText: text }).waitFor()
  const stored = async () => {
    const { rows } = await sql<{ participation_id: number; arrived: boolean; no_show: boolean }>`
      select participation_id, arrived_at is not null as arrived, no_show from attendance order by participation_id`.execute(
      write,
    )
    return rows.map(({ participation_id, arrived, no_show }) => [
      participation_id === places[0] ? 'Ann' : 'Ben',
      no_show ? 'no-show' : arrived ? 'arrived' : '',
    ])
  }
  const waitForCopy = () =>
    page.evaluate(async (address) => {
      const isThere = async () => (await caches.match(address)) !== undefined
      while (!(await isThere())) await new Promise((done) => setTimeout(done, 50))
    }, path)

  test('marks wait on the phone, also when the page is closed', async () => {
    await page.goto(instance.base + path)
    await waitForCopy()
    await phone.setOffline(true)
    await press(ANN, 'Arrived')
    await waitFor(ANN, /Here since .*Waiting for a connection/s)
    await press(BEN, 'Arrived')
    await page.getByText('Marks that wait on this device: 2').waitFor()
    assert.deepEqual(await stored(), [])
    await page.close()
    page = await phone.newPage()
    await page.goto(instance.base + path)
    await waitFor(ANN, /Here since .*Waiting for a connection/s)
    assert.match(await page.innerText('[data-total]'), /2 of 2 here/)
    // The styles come from the worker, too.
    assert.equal(await row(ANN).evaluate((element) => getComputedStyle(element).display), 'grid')
    assert.deepEqual(await overflowing(page), [])
  })

  test('a mark can be undone before it is sent', async () => {
    await press(BEN, 'Undo')
    await waitFor(BEN, /Not here yet/)
    await press(BEN, 'Arrived')
    await waitFor(BEN, /Here since/)
  })

  test('they are sent as soon as there is a connection; another mark of somebody else is not overwritten', async () => {
    const desk = await browser.newContext()
    await signIn(desk, OLGA)
    const other = await desk.newPage()
    await other.goto(instance.base + path)
    await press(BEN, 'No-show', other)
    await waitFor(BEN, /No-show.*Saved/s, other)
    await phone.setOffline(false)
    await waitFor(BEN, /Two different marks/)
    await waitFor(ANN, /Here since/)
    assert.equal(await row(ANN).getByText('Waiting for a connection').count(), 0)
    assert.deepEqual(await stored(), [
      ['Ann', 'arrived'],
      ['Ben', 'no-show'],
    ])
    assert.deepEqual(await overflowing(page), [])
    await row(BEN)
      .getByRole('button', { name: /Keep “Here since/ })
      .first()
      .click()
    await page.waitForLoadState()
    assert.deepEqual((await stored())[1], ['Ben', 'arrived'])
    await desk.close()
  })

  test('a session that ended keeps them; they are sent after the sign-in', async () => {
    await page.goto(instance.base + path)
    await waitForCopy()
    await phone.setOffline(true)
    await press(ANN, 'Left')
    await waitFor(ANN, /Waiting for a connection/)
    await sql`delete from session`.execute(write)
    await phone.setOffline(false)
    await page.getByText('You are signed out').waitFor()
    await waitFor(ANN, /Waiting for a connection/)
    // As if Paul had signed in: a new session, and so another token for forms.
    await signIn(phone, PAUL)
    await page.goto(instance.base + path)
    await waitFor(ANN, /–.*Saved/s)
    const { rows } = await sql<{ kind: string; outcome: string; by_id: number }>`
      select kind, outcome, by_id from attendance_mark where participation_id = ${places[0]} order by received_at, made_at`.execute(
      write,
    )
    assert.deepEqual(rows.at(-1), { kind: 'left', outcome: 'applied', by_id: PAUL.id })
  })

  test('marks of one person are not sent by another who uses the phone', async () => {
    await page.goto(instance.base + path)
    await waitForCopy()
    await phone.setOffline(true)
    await press(ANN, 'Back again')
    await waitFor(ANN, /Waiting for a connection/)
    await page.close()
    await signIn(phone, OLGA)
    await phone.setOffline(false)
    page = await phone.newPage()
    await page.goto(instance.base + path)
    await page.getByText('Marks of another person wait on this device: 1').waitFor()
    const { rows } = await sql`select from attendance_mark where participation_id = ${places[0]} and by_id = ${OLGA.id}`.execute(
      write,
    )
    assert.equal(rows.length, 0)
  })

  test('somebody else who uses the phone reads no list of the person before', async () => {
    await page.goto(instance.base + path)
    await waitForCopy()
    // Vera may not see the list; she comes in without a sign-out, on another page.
    await signIn(phone, VERA)
    await page.goto(`${instance.base}/`)
    assert.equal(await page.evaluate(async (address) => (await caches.match(address)) !== undefined, path), false)
    await phone.setOffline(true)
    await page.goto(instance.base + path)
    assert.doesNotMatch(await page.innerText('main'), /Ann|City marathon/)
    await phone.setOffline(false)
    await signIn(phone, PAUL)
  })

  test('signing out deletes the copy of the list', async () => {
    await page.goto(instance.base + path)
    await waitForCopy()
    await page.click('details.person > summary')
    await page.click('form[action="/accounts/logout/"] button')
    await page.waitForURL(/accounts\/login/)
    await page.evaluate(async (address) => {
      const isThere = async () => (await caches.match(address)) !== undefined
      while (await isThere()) await new Promise((done) => setTimeout(done, 50))
    }, path)
    await phone.setOffline(true)
    await page.goto(instance.base + path)
    assert.doesNotMatch(await page.innerText('main'), /Ann|City marathon/)
    await phone.setOffline(false)
  })

  test('a person scans the code and says that they are there', async () => {
    await sql`delete from attendance_mark`.execute(write)
    await sql`delete from attendance`.execute(write)
    const desk = await browser.newContext()
    await signIn(desk, PAUL)
    const planner = await desk.newPage()
    await planner.goto(`${instance.base}${checkInPath(eventId, 'self')}`)
    await planner.getByLabel('People can check in by themselves').check()
    await planner.getByRole('button', { name: 'Save' }).click()
    const address = new URL(await planner.inputValue('#check-in-link')).pathname
    await planner.goto(instance.base + path)
    const own = await browser.newContext({ viewport: { width: 360, height: 740 } })
    await signIn(own, ANN)
    const self = await own.newPage()
    await self.goto(instance.base + address)
    assert.deepEqual(await overflowing(self), [])
    await self.getByRole('button', { name: 'I am here' }).click()
    await self.getByRole('button', { name: 'I am leaving' }).waitFor()
    await planner.reload()
    await waitFor(ANN, /Here since .*checked in by themselves/s, planner)
    await own.close()
    await desk.close()
  })
})
